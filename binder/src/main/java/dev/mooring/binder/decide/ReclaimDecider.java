package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ReclaimVerdict.Ask;
import dev.mooring.binder.decide.ReclaimVerdict.CannotTell;
import dev.mooring.binder.decide.ReclaimVerdict.Confirmed;
import dev.mooring.binder.decide.ReclaimVerdict.Gone;
import dev.mooring.binder.decide.ReclaimVerdict.Spare;
import dev.mooring.binder.decide.ReclaimVerdict.Twin;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
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
 * Decides whether what is on a volume may be destroyed, by what the server says now. What caches
 * say is only what was to be done: every answer has to be in favour, and what cannot be found out
 * is not. Ids in comments are the rows of {@code docs/live-verdicts.md}.
 */
public final class ReclaimDecider {
  private ReclaimDecider() {}

  /**
   * What is to become of a volume whose claim is gone, as far as caches know.
   *
   * @param destroyed whether what it stands for was destroyed already
   */
  public static ReclaimDecision next(Volume volume, boolean destroyed) {
    if (!volume.meta().annotation(Migration.MIGRATED_TO).isEmpty()) {
      return new ReclaimDecision.Others();
    }
    return switch (volume.reclaimPolicy()) {
      case RETAIN -> new ReclaimDecision.Retain();
      case RECYCLE -> new ReclaimDecision.Recycle();
      case UNKNOWN -> new ReclaimDecision.UnknownPolicy();
      case DELETE ->
          destroyed
                  && volume.meta().isBeingDeleted()
                  && !volume.finalizers().contains(Marks.IN_TREE_FINALIZER)
              ? new ReclaimDecision.Destroyed()
              : new ReclaimDecision.Delete();
    };
  }

  /**
   * Whether the volume may be deleted, or emptied: whichever its policy was when it was judged.
   *
   * @param judged the volume as it was when that was decided
   */
  public static ReclaimVerdict decide(Volume judged, LiveFacts live) {
    Question.One<Volume> question = new Question.One<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> new Ask(List.of(question));
      case Fact.Absent<Volume> _ -> new Gone(); // D1
      case Fact.Unknown<Volume>(String why) -> unknown(question, why); // D2
      case Fact.Present<Volume>(Volume now) -> asItIs(judged, now, live);
    };
  }

  private static ReclaimVerdict unknown(Question<?> question, String why) {
    return new CannotTell(question + " could not be looked up: " + why);
  }

  private static ReclaimVerdict asItIs(Volume judged, Volume now, LiveFacts live) {
    if (!now.meta().uid().equals(judged.meta().uid())) {
      return new Gone(); // D3: another one of its name
    }
    if (now.reclaimPolicy() != judged.reclaimPolicy()) {
      return new Spare("its reclaim policy is " + now.reclaimPolicy() + " by now"); // D4
    }
    if (!now.meta().annotation(Migration.MIGRATED_TO).isEmpty()) {
      return new Spare("it is " + now.meta().annotation(Migration.MIGRATED_TO) + "'s by now"); // D5
    }
    if (!now.source().equals(judged.source()) || !origin(now).equals(origin(judged))) {
      return new Spare("who made it, or what it is made of, has changed"); // D6
    }
    if (VolumeDecider.isAbandoned(now)) {
      return new Confirmed(now); // D7: it has no claim, and someone deleted it
    }
    boolean released = Marks.isReclaimed(now.phase());
    return switch (OwnerDecider.decide(now, live)) {
      case OwnerVerdict.Freed(String why) -> new Spare(why); // D8, D9
      case OwnerVerdict _ when !released -> new Spare("it is " + now.phase() + " by now"); // D10
      case OwnerVerdict.Ownerless() -> new Confirmed(now); // D11, D13, D14
      case OwnerVerdict.Claimed(String why) -> new Spare(why); // D15
      case OwnerVerdict.Unknown(Question<?> question, String why) -> unknown(question, why); // D12
      case OwnerVerdict.Ask(List<Question<?>> questions) -> new Ask(questions);
    };
  }

  private static String origin(Volume volume) {
    return volume.meta().annotation(Marks.PROVISIONED_BY);
  }

  /**
   * Whether the volume's storage may be destroyed: besides, no other volume may stand for it.
   *
   * @param twins the volumes in the cache that stand for the same storage
   */
  public static ReclaimVerdict mayDelete(Volume judged, List<Volume> twins, LiveFacts live) {
    return unlessTwin(judged, twins, decide(judged, live), live);
  }

  private static ReclaimVerdict unlessTwin(
      Volume judged, List<Volume> twins, ReclaimVerdict verdict, LiveFacts live) {
    if (!(verdict instanceof Confirmed)) {
      return verdict;
    }
    return switch (TwinDecider.decide(judged, twins, live)) {
      case TwinVerdict.None() -> verdict;
      case TwinVerdict.Exists(Volume other) -> new Twin(other);
      case TwinVerdict.Unknown(Question<?> question, String why) -> unknown(question, why);
      case TwinVerdict.Ask(List<Question<?>> questions) -> new Ask(questions);
    };
  }

  /**
   * Decides whether a recycler pod may scrub the volume. No other volume may refer to its storage,
   * and no pod may name its claim; if a claim of that name exists again, the pods use that claim.
   *
   * @param twins the volumes in the cache that refer to the same storage
   */
  public static ReclaimVerdict mayRecycle(Volume judged, List<Volume> twins, LiveFacts live) {
    ReclaimVerdict verdict = unlessTwin(judged, twins, decide(judged, live), live);
    if (!(verdict instanceof Confirmed(Volume now)) || now.claimRef() == null) {
      return verdict;
    }
    ObjectKey claim = now.claimRef().claim();
    if (live.of(Kind.CLAIM, claim) instanceof Fact.Present<Claim>) {
      return verdict; // S1
    }
    Question.All<Pod> question = new Question.All<>(Kind.POD, claim.namespace());
    return switch (live.of(question)) {
      case Fact.NotAsked<List<Pod>> _ -> new Ask(List.of(question));
      case Fact.Unknown<List<Pod>>(String why) -> unknown(question, why); // S2
      case Fact.Absent<List<Pod>> _ -> unknown(question, "the server has none to list");
      case Fact.Present<List<Pod>>(List<Pod> pods) ->
          pods.stream()
              .filter(pod -> !pod.isTerminated() && pod.claims().contains(claim.name()))
              .findFirst()
              .<ReclaimVerdict>map(pod -> new Spare("pod " + pod.key() + " names its claim")) // S3
              .orElse(verdict); // S4
    };
  }

  /**
   * Whether the volume is clean and may be given to anybody: besides, the pod that emptied it must
   * have succeeded, by the server's word.
   *
   * @param pod the pod's key
   * @param uid the pod's uid
   */
  public static ReclaimVerdict isRecycled(Volume judged, ObjectKey pod, Uid uid, LiveFacts live) {
    ReclaimVerdict verdict = decide(judged, live);
    if (!(verdict instanceof Confirmed)) {
      return verdict;
    }
    Question.One<Pod> question = new Question.One<>(Kind.POD, pod);
    return switch (live.of(question)) {
      case Fact.NotAsked<Pod> _ -> new Ask(List.of(question));
      case Fact.Unknown<Pod>(String why) -> unknown(question, why); // C1
      case Fact.Absent<Pod> _ -> new Spare("pod " + pod + " is gone"); // C2
      case Fact.Present<Pod>(Pod now) ->
          now.meta().uid().equals(uid) && now.phase() == Pod.Phase.SUCCEEDED
              ? verdict // C3
              : new Spare("pod " + pod + " is another one, or has not succeeded"); // C4
    };
  }
}
