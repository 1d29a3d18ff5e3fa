package dev.mooring.protection.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.protection.decide.FinalizerDecision.ObjectUse;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.ProtectionRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Decides about protection finalizers: one rule for each protected kind. */
public final class FinalizerDecider {
  /** Reasons why an object that is being deleted still exists. */
  public enum TerminationReason implements ReasonCode {
    HELD_BY_PODS(
        CauseRank.WAITING,
        "pod",
        "used by %s",
        "it is being deleted, and scheduled pods use it",
        "delete the pods, or wait until they end"),
    HELD_BY_CLAIM(
        CauseRank.WAITING,
        "claim",
        "bound to %s",
        "it is being deleted, and is bound to a claim",
        "delete the claim, if its data is no longer needed"),
    HELD_BY_PHASE(
        CauseRank.WORKING,
        "phase",
        "it is %s, and names no claim",
        "it is being deleted, and its phase is Bound although it names no claim",
        "if it takes long, see whether the controller that binds volumes runs"),
    HELD_BY_FINALIZERS(
        CauseRank.WAITING,
        "finalizer",
        "kept by %s",
        "it is being deleted, and finalizers keep it until their owners remove them",
        "see why the owner of a finalizer does not remove it; remove it by hand only if no program will"),
    HELD_BY_PROVISIONING(
        CauseRank.WAITING,
        "finalizer",
        "kept by %s",
        "it is being deleted, and it is unknown whether the storage created a volume for it",
        "see why the storage does not answer; to delete the claim anyway, and perhaps leave a volume behind in the storage, remove its finalizer "
            + VolumeService.BEING_MADE),
    HELD_BY_SNAPSHOTS(
        CauseRank.WAITING,
        "finalizer",
        "kept by %s",
        "it is being deleted, and the snapshot controller keeps it for snapshots of it",
        "delete the VolumeSnapshots that are not ready, or correct what their status reports"),
    FINALIZER_DUE(
        CauseRank.WORKING,
        "finalizer",
        "only its protection finalizer remains",
        "it is being deleted, and nothing uses it",
        "");

    private final CauseRank rank;
    private final String holder;
    private final String clause;
    private final ReasonText wording;

    TerminationReason(CauseRank rank, String holder, String clause, String meaning, String remedy) {
      this.rank = rank;
      this.holder = holder;
      this.clause = clause;
      this.wording = new ReasonText(meaning, remedy);
    }

    public static TerminationReason of(FinalizerDecision decision, List<String> otherFinalizers) {
      if (decision instanceof FinalizerDecision.Hold(List<ObjectUse> uses)) {
        return uses.getFirst().reason();
      }
      if (otherFinalizers.isEmpty()) {
        return FINALIZER_DUE;
      }
      if (otherFinalizers.equals(List.of(VolumeService.BEING_MADE))) {
        return HELD_BY_PROVISIONING;
      }
      return otherFinalizers.getFirst().equals(VolumeSnapshot.CLAIM_PROTECTION)
          ? HELD_BY_SNAPSHOTS
          : HELD_BY_FINALIZERS;
    }

    public CauseRank rank() {
      return rank;
    }

    public String holder() {
      return holder;
    }

    public String describe(String holders) {
      return clause.formatted(holders);
    }

    @Override
    public ReasonText wording() {
      return wording;
    }
  }

  public static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

  public static final String VOLUME_FINALIZER = ProtectionRule.FINALIZER;

  public static final String CLASS_FINALIZER = "kubernetes.io/vac-protection";

  private FinalizerDecider() {}

  public static boolean isReleasable(Meta meta, String finalizer) {
    return meta.isBeingDeleted() && meta.finalizers().contains(finalizer);
  }

  public static boolean needsDecision(Meta meta, String finalizer) {
    return meta.isBeingDeleted() == meta.finalizers().contains(finalizer);
  }

  /**
   * Returns the rule for claims. A claim is never released without a live list of pods.
   *
   * @param pods cached pods by the claim that they name
   * @param compat in Kubernetes a finished pod protects its claims until it is gone; in Mooring
   *     only while the kubelet removes it
   * @param maxUses maximum number of holding pods to find: thousands may exist, and one suffices
   */
  public static FinalizerRule<Claim> claimRule(
      Function<ObjectKey, Iterable<Pod>> pods, Compat compat, int maxUses) {
    return claim -> {
      if (!isReleasable(claim.meta(), CLAIM_FINALIZER)) {
        return withoutQuestions(decide(claim.meta(), CLAIM_FINALIZER));
      }
      Function<Iterable<Pod>, List<ObjectUse>> usesIn =
          candidates -> findUses(candidates, claim, compat, maxUses);
      List<ObjectUse> uses = usesIn.apply(pods.apply(claim.key()));
      return uses.isEmpty()
          ? live -> decideByLiveList(claim, live, usesIn)
          : withoutQuestions(new FinalizerDecision.Hold(uses));
    };
  }

  public static Question.NamespaceList<Pod> podsQuestion(Claim claim) {
    return new Question.NamespaceList<>(Kind.POD, claim.key().namespace());
  }

  private static Function<LiveFacts, Step<FinalizerDecision>> withoutQuestions(
      FinalizerDecision decision) {
    return _ -> Step.decided(decision);
  }

  private static Step<FinalizerDecision> decideByLiveList(
      Claim claim, LiveFacts live, Function<Iterable<Pod>, List<ObjectUse>> usesIn) {
    Question.NamespaceList<Pod> question = podsQuestion(claim);
    return switch (live.of(question)) {
      case Fact.NotAsked<List<Pod>> _ -> Step.ask(question);
      case Fact.Present<List<Pod>>(List<Pod> pods) -> {
        List<ObjectUse> confirmedUses = usesIn.apply(pods);
        yield Step.decided(
            confirmedUses.isEmpty()
                ? decide(claim.meta(), CLAIM_FINALIZER)
                : new FinalizerDecision.Hold(confirmedUses));
      }
      case Fact.Absent<List<Pod>> _ ->
          createUnknown(question, "the API server has no list of pods");
      case Fact.Unknown<List<Pod>>(String message) -> createUnknown(question, message);
    };
  }

  private static Step<FinalizerDecision> createUnknown(
      Question.NamespaceList<Pod> question, String message) {
    return Step.decided(new FinalizerDecision.Unknown(question, "pods use", message));
  }

  private static List<ObjectUse> findUses(
      Iterable<Pod> pods, Claim claim, Compat compat, int maxUses) {
    List<ObjectUse> uses = new ArrayList<>();
    for (Pod pod : pods) {
      if (isHolding(pod, claim, compat)) {
        String deletion = pod.meta().isBeingDeleted() ? ", being deleted" : "";
        uses.add(
            new ObjectUse(
                TerminationReason.HELD_BY_PODS,
                pod.key().toString(),
                "on node " + pod.nodeName() + deletion));
        if (uses.size() == maxUses) {
          break;
        }
      }
    }
    uses.sort(Comparator.comparing(ObjectUse::name));
    return uses;
  }

  // A claim is held by scheduled pods only, because no kubelet starts a pod whose claim is being
  // deleted. The claim of a generic ephemeral volume is held by its owner alone, and only until the
  // owner has shut down: otherwise the two would wait for each other.
  private static boolean isHolding(Pod pod, Claim claim, Compat compat) {
    if (pod.nodeName().isEmpty()
        || !pod.key().namespace().equals(claim.key().namespace())
        || !pod.claims().contains(claim.meta().name())
        || (!compat.isKubernetes() && hasLeftVolumes(pod))) {
      return false;
    }
    return PodClaims.hasNamedClaim(pod, claim)
        || (!pod.shutDown() && claim.meta().controller().equals(pod.meta().uid()));
  }

  // The kubelet removes a deleted pod when it has unmounted its volumes. A finished pod that is not
  // deleted, for example of a Job, may stay for months.
  private static boolean hasLeftVolumes(Pod pod) {
    return pod.isFinished() && (!pod.meta().isBeingDeleted() || pod.shutDown());
  }

  /**
   * Returns the rule for volumes. It asks nothing: the phase is part of the volume, and the write
   * carries the judged version, so a concurrent binding makes it fail.
   */
  public static FinalizerRule<Volume> volumeRule() {
    return volume -> withoutQuestions(decideVolume(volume));
  }

  private static FinalizerDecision decideVolume(Volume volume) {
    if (!isReleasable(volume.meta(), VOLUME_FINALIZER) || ProtectionRule.isReleasable(volume)) {
      return decide(volume.meta(), VOLUME_FINALIZER);
    }
    ClaimRef claimRef = volume.claimRef();
    return claimRef == null || claimRef.isEmpty()
        ? createHold(
            TerminationReason.HELD_BY_PHASE, volume.phase().toString(), "it names no claim")
        : createHold(
            TerminationReason.HELD_BY_CLAIM,
            claimRef.claim().toString(),
            "it is bound to the claim");
  }

  /**
   * Returns the rule for VolumeAttributesClasses. It asks nothing, as in Kubernetes: a class that
   * is removed slightly too early costs a retry of a provisioning, and no data.
   */
  public static FinalizerRule<AttributesClass> attributesClassRule(
      Iterable<Claim> claims, Iterable<Volume> volumes) {
    return attributesClass ->
        withoutQuestions(decideAttributesClass(attributesClass, claims, volumes));
  }

  private static FinalizerDecision decideAttributesClass(
      AttributesClass attributesClass, Iterable<Claim> claims, Iterable<Volume> volumes) {
    if (isReleasable(attributesClass.meta(), CLASS_FINALIZER)) {
      String name = attributesClass.meta().name();
      for (Volume volume : volumes) {
        if (volume.attributesClass().equals(name)) {
          return createHold(
              TerminationReason.HELD_BY_FINALIZERS, volume.meta().name(), "it has the class");
        }
      }
      for (Claim claim : claims) {
        if (classesOf(claim).contains(name)) {
          return createHold(
              TerminationReason.HELD_BY_FINALIZERS,
              claim.key().toString(),
              "it has or requests the class");
        }
      }
    }
    return decide(attributesClass.meta(), CLASS_FINALIZER);
  }

  private static FinalizerDecision createHold(
      TerminationReason reason, String name, String detail) {
    return new FinalizerDecision.Hold(List.of(new ObjectUse(reason, name, detail)));
  }

  public static Set<String> classesOf(Claim claim) {
    Set<String> names = new LinkedHashSet<>();
    names.add(claim.attributesClass());
    names.add(claim.status().attributesClass());
    names.add(claim.status().modification().target());
    names.remove("");
    return names;
  }

  private static FinalizerDecision decide(Meta meta, String finalizer) {
    List<String> finalizers = new ArrayList<>(meta.finalizers());
    if (isReleasable(meta, finalizer)) {
      finalizers.remove(finalizer);
      return new FinalizerDecision.Release(List.copyOf(finalizers));
    }
    if (needsDecision(meta, finalizer)) {
      finalizers.add(finalizer);
      return new FinalizerDecision.Protect(List.copyOf(finalizers));
    }
    return new FinalizerDecision.Unchanged();
  }
}
