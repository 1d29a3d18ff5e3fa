package dev.mooring.protection.explain;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.KnownFinalizers;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.IndexSet;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerDecider.TerminationReason;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.decide.FinalizerDecision.ObjectUse;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.VolumeService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Explains claims and volumes that are being deleted: their users, by the rule of the protection
 * controllers, and the owners of the remaining finalizers.
 *
 * @param <T> type of the objects
 */
public final class TerminationExplainer<T extends Resource> implements Explainer {
  private final ClusterView clusterView;
  private final Kind<T> kind;
  private final String protectionFinalizer;
  private final Supplier<FinalizerRule<T>> rule;
  private final Function<T, LiveFacts> knownFacts;

  private TerminationExplainer(
      ClusterView clusterView,
      Kind<T> kind,
      String protectionFinalizer,
      Supplier<FinalizerRule<T>> rule,
      Function<T, LiveFacts> knownFacts) {
    this.clusterView = clusterView;
    this.kind = kind;
    this.protectionFinalizer = protectionFinalizer;
    this.rule = rule;
    this.knownFacts = knownFacts;
  }

  public static TerminationExplainer<Claim> ofClaims(ClusterView clusterView, Compat compat) {
    return new TerminationExplainer<>(
        clusterView,
        Kind.CLAIM,
        FinalizerDecider.CLAIM_FINALIZER,
        () -> ruleOfClaims(clusterView, compat),
        claim ->
            LiveFacts.NONE.with(
                FinalizerDecider.podsQuestion(claim), readPods(clusterView, claim)));
  }

  public static TerminationExplainer<Volume> ofVolumes(ClusterView clusterView) {
    return new TerminationExplainer<>(
        clusterView,
        Kind.VOLUME,
        FinalizerDecider.VOLUME_FINALIZER,
        FinalizerDecider::volumeRule,
        volume -> LiveFacts.NONE);
  }

  private static FinalizerRule<Claim> ruleOfClaims(ClusterView clusterView, Compat compat) {
    CacheSnapshot<Pod> pods = clusterView.informer(Kind.POD).snapshot();
    return FinalizerDecider.claimRule(
        claim -> pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim), compat, Integer.MAX_VALUE);
  }

  // A snapshot replaces the live list. The pods that name the claim suffice, because no other pod
  // holds it; testing all pods of the namespace would be slow for thousands of claims.
  private static Fact<List<Pod>> readPods(ClusterView clusterView, Claim claim) {
    Optional<String> unreadable = clusterView.readError(Kind.POD);
    if (unreadable.isPresent()) {
      return new Fact.Unknown<>(unreadable.get());
    }
    List<Pod> pods = new ArrayList<>();
    clusterView
        .informer(Kind.POD)
        .findByIndex(IndexSet.PODS_BY_CLAIM, claim.key())
        .forEach(pods::add);
    return new Fact.Present<>(pods);
  }

  @Override
  public Kind<?> kind() {
    return kind;
  }

  @Override
  public List<Cause> catalogue() {
    return Arrays.stream(TerminationReason.values()).map(TerminationExplainer::cause).toList();
  }

  private static Cause cause(TerminationReason reason) {
    return Cause.of(reason, reason.rank());
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<T> terminatingObject =
        clusterView.informer(kind).get(key).filter(object -> object.meta().isBeingDeleted());
    return terminatingObject.isEmpty()
        ? List.of()
        : List.of(explainObject(terminatingObject.get()));
  }

  private Explanation explainObject(T object) throws InterruptedException {
    FinalizerDecision decision =
        LiveDecisions.decide(
            clusterView.reader(), knownFacts.apply(object), rule.get().prepare(object));
    Meta meta = object.meta();
    List<String> otherFinalizers = meta.finalizersWithout(protectionFinalizer);
    TerminationReason reason = TerminationReason.of(decision, otherFinalizers);
    List<ObjectUse> uses =
        decision instanceof FinalizerDecision.Hold(List<ObjectUse> holdingUses)
            ? holdingUses
            : List.of();
    List<String> holdingFinalizers =
        uses.isEmpty() ? otherFinalizers : List.of(protectionFinalizer);
    List<ObjectHolder> holders = createHolders(meta, uses);
    Explanation explanation =
        new Explanation(
            new SubjectRef(kind, meta.key()),
            "Terminating",
            meta.deleted(),
            cause(reason),
            describe(meta, reason, uses, holdingFinalizers),
            createNextStep(meta, reason, uses, holdingFinalizers),
            Evidence.ofHolders(holders),
            List.of());
    if (reason == TerminationReason.HELD_BY_SNAPSHOTS) {
      explanation = HoldingSnapshots.read(clusterView, meta.key()).addTo(explanation, holders);
    }
    return decision instanceof FinalizerDecision.Unknown unknown
        ? addUnknownUse(explanation, reason, unknown)
        : explanation;
  }

  private static List<ObjectHolder> createHolders(Meta meta, List<ObjectUse> uses) {
    List<ObjectHolder> holders = new ArrayList<>();
    uses.forEach(
        use -> holders.add(new ObjectHolder(use.reason().holder(), use.name(), use.detail())));
    meta.finalizers()
        .forEach(f ->
            holders.add(
                new ObjectHolder("finalizer", f, KnownFinalizers.findOwner(f).releaseCondition())));
    return holders;
  }

  // Finalizers of others keep the object in any case. Without them, missing answers leave it open
  // whether the object will be removed.
  private static Explanation addUnknownUse(
      Explanation explanation, TerminationReason reason, FinalizerDecision.Unknown unknown) {
    Kind<?> unreadableKind = unknown.question().kind();
    String object = explanation.subject().kind().equals(Kind.CLAIM) ? " the claim" : " the volume";
    UnreadableKind unreadable =
        new UnreadableKind(
            unreadableKind, unknown.message(), "whether " + unknown.clause() + object);
    if (reason != TerminationReason.FINALIZER_DUE) {
      return explanation.withUnreadable(unreadable);
    }
    String verb =
        switch (unknown.question()) {
          case Question.NamespaceList<?> _ -> "list ";
          case Question.ObjectRead<?> _ -> "get ";
        };
    return new Explanation(
        explanation.subject(),
        explanation.state(),
        explanation.stateSince(),
        explanation.cause().withRank(CauseRank.UNKNOWN),
        "it is unknown whether " + unknown.clause() + " it",
        NextStep.person("repeat the command with the right to " + verb + unreadableKind.plural()),
        explanation.evidence(),
        List.of(unreadable));
  }

  private static String describe(
      Meta meta, TerminationReason reason, List<ObjectUse> uses, List<String> holdingFinalizers) {
    if (reason == TerminationReason.HELD_BY_PROVISIONING) {
      return "kept by Mooring's finalizer %s: whether %s created a volume for the claim is unknown"
          .formatted(VolumeService.BEING_MADE, storage(meta));
    }
    return reason.describe(
        Evidence.abbreviate(
            uses.isEmpty() ? holdingFinalizers : uses.stream().map(ObjectUse::name).toList()));
  }

  private static String storage(Meta meta) {
    String provisioners = meta.annotation(VolumeService.BEING_MADE_BY);
    return provisioners.isEmpty() ? "the storage" : "the storage of " + provisioners;
  }

  private NextStep createNextStep(
      Meta meta, TerminationReason reason, List<ObjectUse> uses, List<String> holdingFinalizers) {
    return switch (reason) {
      case HELD_BY_PODS -> NextStep.person(describePodRemedy(meta, uses));
      case HELD_BY_PHASE ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.RELEASE,
              "",
              "removes the finalizer after its phase is corrected, unless a claim is bound to it",
              StepTiming.LATER);
      case HELD_BY_FINALIZERS, HELD_BY_SNAPSHOTS ->
          KnownFinalizers.createReleaseStep(holdingFinalizers.getFirst());
      case HELD_BY_PROVISIONING ->
          new NextStep(
              StepActor.PROVISIONER,
              ExpectedAction.RELEASE,
              VolumeService.BEING_MADE,
              "calls %s again, and removes finalizer %s after its answer"
                  .formatted(storage(meta), VolumeService.BEING_MADE),
              StepTiming.OPEN);
      case FINALIZER_DUE ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.RELEASE,
              "",
              "removes the finalizer; then the object is gone");
      default -> NextStep.person(reason.remedy());
    };
  }

  private String describePodRemedy(Meta meta, List<ObjectUse> uses) {
    Set<String> deletedPods = new HashSet<>();
    for (Pod pod : clusterView.informer(Kind.POD).findByIndex(IndexSet.PODS_BY_CLAIM, meta.key())) {
      if (pod.meta().isBeingDeleted()) {
        deletedPods.add(pod.key().toString());
      }
    }
    List<String> otherPods =
        uses.stream().map(ObjectUse::name).filter(pod -> !deletedPods.contains(pod)).toList();
    if (otherPods.isEmpty()) {
      return (uses.size() == 1 ? "wait until the pod ends" : "wait until the pods end")
          + "; if the machine of a pod's node is certainly off, add the taint"
          + " node.kubernetes.io/out-of-service with effect NoExecute to that node";
    }
    if (otherPods.size() > 1) {
      return "delete the " + otherPods.size() + " pods, or wait until they end";
    }
    return (uses.size() == 1 ? "delete the pod" : "delete pod " + otherPods.getFirst())
        + ", or wait until it ends";
  }
}
