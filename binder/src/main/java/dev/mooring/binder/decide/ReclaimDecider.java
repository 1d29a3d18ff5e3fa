package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ReclaimVerdict.Confirmed;
import dev.mooring.binder.decide.ReclaimVerdict.Gone;
import dev.mooring.binder.decide.ReclaimVerdict.Spare;
import dev.mooring.binder.decide.ReclaimVerdict.Twin;
import dev.mooring.binder.decide.ReclaimVerdict.Unknown;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.OwnerDecider;
import dev.mooring.storage.decide.OwnerVerdict;
import dev.mooring.storage.decide.TwinDecider;
import dev.mooring.storage.decide.TwinVerdict;
import java.util.List;

/**
 * Decides from live answers whether the data of a volume may be destroyed. Caches only suggest the
 * action: every live answer must confirm it, and a missing answer does not. Ids in comments are the
 * rows of {@code docs/dev/live-verdicts.md}.
 */
public final class ReclaimDecider {
  private ReclaimDecider() {}

  public static ReclaimDecision decideReclaim(Volume volume, boolean isDestroyed) {
    if (!volume.meta().annotation(CsiMigration.MIGRATED_TO).isEmpty()) {
      return new ReclaimDecision.Others();
    }
    return switch (volume.reclaimPolicy()) {
      case RETAIN -> new ReclaimDecision.Retain();
      case RECYCLE -> new ReclaimDecision.Recycle();
      case UNKNOWN -> new ReclaimDecision.UnknownPolicy();
      case DELETE ->
          isDestroyed
                  && volume.meta().isBeingDeleted()
                  && !volume.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)
              ? new ReclaimDecision.Destroyed()
              : new ReclaimDecision.Delete();
    };
  }

  /**
   * Returns the facts that a deletion need not read. The uid of a claim that is gone never returns.
   */
  public static LiveFacts knownFacts(Volume judged, boolean isClaimGone) {
    LiveFacts facts =
        LiveFacts.NONE.with(
            new Question.ObjectRead<>(Kind.VOLUME, judged.key()), new Fact.Present<>(judged));
    ClaimRef ref = judged.claimRef();
    return isClaimGone && ref != null
        ? facts.with(new Question.ObjectRead<>(Kind.CLAIM, ref.claim()), new Fact.Absent<>())
        : facts;
  }

  public static Step<ReclaimVerdict> decide(Volume judged, LiveFacts live) {
    Question.ObjectRead<Volume> question = new Question.ObjectRead<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> Step.ask(question);
      case Fact.Absent<Volume> _ -> Step.decided(new Gone()); // D1
      case Fact.Unknown<Volume>(String message) -> unknownStep(question, message); // D2
      case Fact.Present<Volume>(Volume current) -> decideCurrent(judged, current, live);
    };
  }

  private static Step<ReclaimVerdict> unknownStep(Question<?> question, String message) {
    return Step.decided(unknown(question, message));
  }

  private static ReclaimVerdict unknown(Question<?> question, String message) {
    return new Unknown(question + " could not be read: " + message);
  }

  private static Step<ReclaimVerdict> decideCurrent(Volume judged, Volume current, LiveFacts live) {
    if (!current.meta().uid().equals(judged.meta().uid())) {
      return Step.decided(new Gone()); // D3: another volume of that name
    }
    if (current.reclaimPolicy() != judged.reclaimPolicy()) {
      return spare("its reclaim policy is now " + current.reclaimPolicy()); // D4
    }
    String driver = current.meta().annotation(CsiMigration.MIGRATED_TO);
    if (!driver.isEmpty()) {
      return spare("driver " + driver + " serves it now"); // D5
    }
    if (!current.source().equals(judged.source())
        || !provisionerOf(current).equals(provisionerOf(judged))) {
      return spare("its provisioner or its source has changed"); // D6
    }
    if (VolumeDecider.isAbandoned(current)) {
      return Step.decided(new Confirmed(current)); // D7: it has no claim, and a user deleted it
    }
    Step<OwnerVerdict> owner = OwnerDecider.decide(current, live);
    boolean isFreed = owner instanceof Step.Decided<OwnerVerdict>(OwnerVerdict.Freed _);
    if (!isFreed && !BinderMarks.isReleasedOrFailed(current.phase())) {
      return spare("its phase is now " + current.phase()); // D10
    }
    return owner.map(verdict ->
        switch (verdict) {
          case OwnerVerdict.Freed(String reason) -> new Spare(reason); // D8, D9
          case OwnerVerdict.Ownerless() -> new Confirmed(current); // D11, D13, D14
          case OwnerVerdict.Claimed(String reason) -> new Spare(reason); // D15
          case OwnerVerdict.Unknown(Question<?> question, String message) ->
              unknown(question, message); // D12
        });
  }

  private static Step<ReclaimVerdict> spare(String reason) {
    return Step.decided(new Spare(reason));
  }

  private static String provisionerOf(Volume volume) {
    return volume.meta().annotation(BinderMarks.PROVISIONED_BY);
  }

  /**
   * Decides whether the volume's storage may be deleted: no other volume may refer to it.
   *
   * @param twins the volumes in the cache that refer to the same storage
   */
  public static Step<ReclaimVerdict> decideDeletion(
      Volume judged, List<Volume> twins, LiveFacts live) {
    return decide(judged, live).flatMap(verdict -> checkTwin(judged, twins, verdict, live));
  }

  private static Step<ReclaimVerdict> checkTwin(
      Volume judged, List<Volume> twins, ReclaimVerdict verdict, LiveFacts live) {
    if (!(verdict instanceof Confirmed)) {
      return Step.decided(verdict);
    }
    return TwinDecider.decide(judged, twins, live)
        .map(twinVerdict ->
            switch (twinVerdict) {
              case TwinVerdict.None() -> verdict;
              case TwinVerdict.Exists(Volume twin) -> new Twin(twin);
              case TwinVerdict.Unknown(Question<?> question, String message) ->
                  unknown(question, message);
            });
  }

  /**
   * Decides whether a recycler pod may scrub the volume. No other volume may refer to its storage,
   * and no pod may name its claim; if a claim of that name exists again, the pods use that claim.
   *
   * @param twins the volumes in the cache that refer to the same storage
   */
  public static Step<ReclaimVerdict> decideRecycling(
      Volume judged, List<Volume> twins, LiveFacts live) {
    return decideDeletion(judged, twins, live).flatMap(verdict -> checkUse(verdict, live));
  }

  private static Step<ReclaimVerdict> checkUse(ReclaimVerdict verdict, LiveFacts live) {
    if (!(verdict instanceof Confirmed(Volume current))
        || current.claimRef() == null
        || live.of(Kind.CLAIM, current.claimRef().claim()) instanceof Fact.Present<Claim>) {
      return Step.decided(verdict); // S1: a later claim of that name
    }
    ObjectKey claim = current.claimRef().claim();
    Question.NamespaceList<Pod> question =
        new Question.NamespaceList<>(Kind.POD, claim.namespace());
    return switch (live.of(question)) {
      case Fact.NotAsked<List<Pod>> _ -> Step.ask(question);
      case Fact.Unknown<List<Pod>>(String message) -> unknownStep(question, message); // S2
      case Fact.Absent<List<Pod>> _ -> unknownStep(question, "the API server has no list of pods");
      case Fact.Present<List<Pod>>(List<Pod> pods) ->
          pods.stream()
              .filter(pod -> !pod.isTerminated() && pod.claims().contains(claim.name()))
              .findFirst()
              .map(pod -> spare("pod " + pod.key() + " uses its claim")) // S3
              .orElseGet(() -> Step.decided(verdict)); // S4
    };
  }

  public static Step<ReclaimVerdict> decideRecycled(
      Volume judged, ObjectKey pod, Uid uid, LiveFacts live) {
    return decide(judged, live)
        .flatMap(verdict ->
            verdict instanceof Confirmed
                ? checkPodSucceeded(verdict, pod, uid, live)
                : Step.decided(verdict));
  }

  private static Step<ReclaimVerdict> checkPodSucceeded(
      ReclaimVerdict verdict, ObjectKey pod, Uid uid, LiveFacts live) {
    Question.ObjectRead<Pod> question = new Question.ObjectRead<>(Kind.POD, pod);
    return switch (live.of(question)) {
      case Fact.NotAsked<Pod> _ -> Step.ask(question);
      case Fact.Unknown<Pod>(String message) -> unknownStep(question, message); // C1
      case Fact.Absent<Pod> _ -> spare("pod " + pod + " is gone"); // C2
      case Fact.Present<Pod>(Pod current) ->
          current.meta().uid().equals(uid) && current.phase() == Pod.Phase.SUCCEEDED
              ? Step.decided(verdict) // C3
              : spare("pod " + pod + " is another pod, or has not succeeded"); // C4
    };
  }
}
