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
  private final MovingIndex index;
  private final ProvisionExplanation provisioning;

  public ClaimExplainer(ClusterView clusterView, BinderPolicy policy, MovingIndex index) {
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
    Optional<ClaimView> found = views.claim(key);
    if (found.isEmpty()) {
      return List.of();
    }
    ClaimView view = found.get();
    ClaimDecision decision = index.decide(clusterView, view, policy);
    if (decision instanceof ClaimDecision.Wait(Reason why, String _, boolean _)
        && why == Reason.SILENT) {
      // the Mooring policy has a reason where Kubernetes is silent
      BinderPolicy explaining = new BinderPolicy(Compat.MOORING, policy.provisioning());
      decision = index.decide(clusterView, view, explaining);
    }
    if (decision instanceof ClaimDecision.Leave(Reason why) && why == Reason.BEING_DELETED) {
      return List.of(); // the protection explainer covers claims that are being deleted
    }
    List<UnreadableKind> open = clusterView.leftOpen(dependencies(view, decision));
    BinderFinding answer =
        open.isEmpty() ? answer(view, decision, detail) : ClaimFindings.open(view, open);
    return List.of(
        new Explanation(
            new SubjectRef(Kind.CLAIM, key),
            state(view.claim().meta(), view.claim().phase().toString()),
            since(view.claim()),
            answer.cause(),
            answer.note(),
            answer.next(),
            detail == Detail.EVIDENCE && answer.hasCandidates() ? evidence(view) : Evidence.NONE,
            open));
  }

  private BinderFinding answer(ClaimView view, ClaimDecision decision, Detail detail)
      throws InterruptedException {
    if (decision instanceof ClaimDecision.Provision(StorageClass storageClass, String plugin)) {
      return provisioning.of(view, storageClass, plugin, detail);
    }
    if (!(decision instanceof ClaimDecision.HandOver(StorageClass _, String driver))) {
      return ClaimFindings.of(view, decision);
    }
    Optional<String> tooLarge = CsiSizeLimit.refusal(view.claim().request());
    if (tooLarge.isPresent()) {
      return ClaimFindings.tooLarge(tooLarge.get());
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
    if (node.isEmpty() || clusterView.unseen(Kind.CSI_NODE).isPresent()) {
      return false;
    }
    Informer<CsiNode> nodes = clusterView.informer(Kind.CSI_NODE);
    Optional<CsiNode> chosen = nodes.get(ObjectKey.cluster(node));
    if (chosen.isEmpty() || hasDriver(chosen.get(), driver)) {
      return false;
    }
    for (CsiNode one : nodes.snapshot().all()) {
      if (hasDriver(one, driver)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasDriver(CsiNode node, String driver) {
    return node.drivers().stream().anyMatch(one -> one.name().equals(driver));
  }

  /**
   * Returns the kinds without which the decision would be a guess, and what each would show.
   * Objects that the decision asks for by name are excluded, because the decision handles a missing
   * answer.
   */
  private static Map<Kind<?>, String> dependencies(ClaimView view, ClaimDecision decision) {
    Map<Kind<?>, String> kinds = new LinkedHashMap<>();
    Claim claim = view.claim();
    boolean searched =
        claim.volumeName().isEmpty()
            && !claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)
            && !claim.meta().isBeingDeleted();
    if (searched) {
      kinds.put(Kind.VOLUME, "whether a volume suits the claim");
      if (claim.storageClass() == null && !(decision instanceof ClaimDecision.Bind)) {
        kinds.put(Kind.STORAGE_CLASS, "whether the claim gets a default class");
      }
    }
    if (decision instanceof ClaimDecision.Wait(Reason why, String _, boolean _)
        && (why == Reason.WAITS_FOR_CONSUMER || why == Reason.WAITS_FOR_SCHEDULING)) {
      kinds.put(Kind.POD, "whether a pod uses the claim");
    }
    if (decision instanceof ClaimDecision.Reselect(String node)) {
      kinds.put(Kind.NODE, "whether node " + node + " still exists");
    }
    return kinds;
  }

  private Evidence evidence(ClaimView view) {
    VolumeTester trials =
        new VolumeTester(view, policy, eligible(clusterView, views, view.claim()));
    return Evidence.of(
        trials.nearest(clusterView.informer(Kind.VOLUME).snapshot().all()),
        volume -> candidate(trials.report(volume)));
  }

  static EligibleNodes eligible(ClusterView clusterView, BinderViews views, Claim claim) {
    return clusterView.unseen(Kind.NODE).isPresent()
        ? EligibleNodes.UNKNOWN
        : views.eligible(claim);
  }

  private static Candidate candidate(MatchReport trial) {
    Volume volume = trial.volume();
    return new Candidate(
        volume.meta().name(),
        "%s %s %s".formatted(volume.storage(), volume.accessModes(), volume.phase()).strip(),
        checks(trial));
  }

  static List<Candidate.Check> checks(MatchReport trial) {
    return trial.outcomes().stream()
        .map(o -> new Candidate.Check(o.test(), o.passed(), o.note()))
        .toList();
  }

  static String state(Meta meta, String phase) {
    return meta.isBeingDeleted() ? "Terminating" : phase.isEmpty() ? "Pending" : phase;
  }

  private static long since(Claim claim) {
    return switch (claim.phase()) {
      case UNSET, PENDING -> claim.meta().created();
      case BOUND, LOST -> 0; // no field has the time
    };
  }
}
