package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.EligibleNodes;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.VolumeTester;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.CsiSizeLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains claims: the binder's decision and the volumes that it could choose. */
public final class ClaimExplainer implements Explainer {
  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final BinderViews views;
  private final SnapshotIndex index;
  private final ProvisionExplanation provisioning;

  public ClaimExplainer(ClusterView clusterView, BinderPolicy policy, SnapshotIndex index) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.views = new BinderViews(clusterView::informer, clusterView.plugins(), policy);
    this.index = index;
    this.provisioning = new ProvisionExplanation(clusterView, policy);
  }

  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public List<Cause> catalogue() {
    return BinderCauses.ofClaims();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<ClaimView> cachedView = views.claimView(key);
    if (cachedView.isEmpty()) {
      return List.of();
    }
    ClaimView view = cachedView.get();
    ClaimDecision decision = index.decide(clusterView, view, policy);
    if (decision instanceof ClaimDecision.Wait(Reason reason, String _, boolean _)
        && reason == Reason.SILENT) {
      // the Mooring policy has a reason where Kubernetes is silent
      BinderPolicy explaining = new BinderPolicy(Compat.MOORING, policy.provisioning());
      decision = index.decide(clusterView, view, explaining);
    }
    if (decision instanceof ClaimDecision.Leave(Reason reason) && reason == Reason.BEING_DELETED) {
      return List.of(); // the protection explainer covers claims that are being deleted
    }
    List<UnreadableKind> unreadable = clusterView.openQuestions(dependencies(view, decision));
    BinderFinding finding =
        unreadable.isEmpty()
            ? explainDecision(view, decision, detail)
            : ClaimFindings.explainUnreadableKinds(view, unreadable);
    return List.of(
        new Explanation(
            new SubjectRef(Kind.CLAIM, key),
            state(view.claim().meta(), view.claim().phase().toString()),
            pendingSince(view.claim()),
            finding.cause(),
            finding.message(),
            finding.next(),
            detail == Detail.EVIDENCE && finding.hasCandidates() ? evidence(view) : Evidence.NONE,
            unreadable));
  }

  private BinderFinding explainDecision(ClaimView view, ClaimDecision decision, Detail detail)
      throws InterruptedException {
    if (decision instanceof ClaimDecision.Provision(StorageClass storageClass, String plugin)) {
      return provisioning.of(view, storageClass, plugin, detail);
    }
    if (!(decision instanceof ClaimDecision.HandOver(StorageClass _, String driver))) {
      return ClaimFindings.of(view, decision);
    }
    Optional<String> refusal = CsiSizeLimit.refusal(view.claim().request());
    if (refusal.isPresent()) {
      return ClaimFindings.tooLarge(refusal.get());
    }
    String node = view.claim().meta().annotation(BinderMarks.SELECTED_NODE);
    return isWithoutDriver(node, driver)
        ? ClaimFindings.withoutDriver(node, driver)
        : ClaimFindings.of(view, decision);
  }

  /**
   * Returns whether the node's CSINode lacks a driver that runs on other nodes. A provisioner that
   * runs on no node as a CSI driver may need nothing on nodes.
   */
  private boolean isWithoutDriver(String node, String driver) {
    if (node.isEmpty() || clusterView.readError(Kind.CSI_NODE).isPresent()) {
      return false;
    }
    Informer<CsiNode> nodes = clusterView.informer(Kind.CSI_NODE);
    Optional<CsiNode> selectedNode = nodes.get(ObjectKey.cluster(node));
    if (selectedNode.isEmpty() || hasDriver(selectedNode.get(), driver)) {
      return false;
    }
    for (CsiNode other : nodes.snapshot().objects()) {
      if (hasDriver(other, driver)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasDriver(CsiNode node, String driver) {
    return node.drivers().stream().anyMatch(nodeDriver -> nodeDriver.name().equals(driver));
  }

  /**
   * Returns the kinds that the decision depends on, with the question that each answers. Objects
   * that the decision asks for by name are excluded, because the decision handles a missing answer.
   */
  private static Map<Kind<?>, String> dependencies(ClaimView view, ClaimDecision decision) {
    Map<Kind<?>, String> kinds = new LinkedHashMap<>();
    Claim claim = view.claim();
    boolean searchesVolume =
        claim.volumeName().isEmpty()
            && !claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)
            && !claim.meta().isBeingDeleted();
    if (searchesVolume) {
      kinds.put(Kind.VOLUME, "whether a volume suits the claim");
      if (claim.storageClass() == null && !(decision instanceof ClaimDecision.Bind)) {
        kinds.put(Kind.STORAGE_CLASS, "whether the claim gets a default class");
      }
    }
    if (decision instanceof ClaimDecision.Wait(Reason reason, String _, boolean _)
        && (reason == Reason.WAITS_FOR_CONSUMER || reason == Reason.WAITS_FOR_SCHEDULING)) {
      kinds.put(Kind.POD, "whether a pod uses the claim");
    }
    if (decision instanceof ClaimDecision.Reselect(String node)) {
      kinds.put(Kind.NODE, "whether node " + node + " still exists");
    }
    return kinds;
  }

  private Evidence evidence(ClaimView view) {
    VolumeTester tester =
        new VolumeTester(view, policy, eligibleNodes(clusterView, views, view.claim()));
    return Evidence.of(
        tester.sortByNearness(clusterView.informer(Kind.VOLUME).snapshot().objects()),
        volume -> candidate(tester.report(volume)));
  }

  static EligibleNodes eligibleNodes(ClusterView clusterView, BinderViews views, Claim claim) {
    return clusterView.readError(Kind.NODE).isPresent()
        ? EligibleNodes.UNKNOWN
        : views.eligibleNodes(claim);
  }

  private static Candidate candidate(MatchReport report) {
    Volume volume = report.volume();
    return new Candidate(
        volume.meta().name(),
        "%s %s %s".formatted(volume.storage(), volume.accessModes(), volume.phase()).strip(),
        checks(report));
  }

  static List<Candidate.Check> checks(MatchReport report) {
    return report.results().stream()
        .map(result -> new Candidate.Check(result.test(), result.passed(), result.message()))
        .toList();
  }

  static String state(Meta meta, String phase) {
    return meta.isBeingDeleted() ? "Terminating" : phase.isEmpty() ? "Pending" : phase;
  }

  private static long pendingSince(Claim claim) {
    return switch (claim.phase()) {
      case UNSET, PENDING -> claim.meta().created();
      case BOUND, LOST -> 0; // no field has the time
    };
  }
}
