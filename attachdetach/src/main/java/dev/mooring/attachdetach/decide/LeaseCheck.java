package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether a node is dead, by what the server says of it and of its Lease: its volumes may be taken
 * from it although it says that it uses them. Dead is who is not ready, and whose kubelet has let
 * its Lease run out and does not renew it while being watched. Ids in comments are the rows of
 * {@code docs/live-verdicts.md}.
 */
public final class LeaseCheck {
  /** For how long no renewal must be seen by ourselves, whatever the clocks say. */
  public static final Duration WATCHED = Duration.ofSeconds(5);

  private static final long MICROS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final String NAMESPACE = "kube-node-lease";

  /**
   * A Lease that has run out.
   *
   * @param renewedMicros when it was renewed last, by the kubelet's clock
   * @param since when it was first seen so, in nanoseconds of a clock that only runs forward
   */
  public record Watched(long renewedMicros, long since) {}

  /**
   * When it is looked at.
   *
   * @param wall by the clock that Leases go by
   * @param nanos by the clock that only runs forward
   */
  public record Moment(Instant wall, long nanos) {}

  /** Whether it is. */
  public sealed interface LeaseVerdict {
    /** What it rests on no cache may answer: ask, and decide again. */
    record Ask(List<Question<?>> questions) implements LeaseVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    /** It is not: whatever was watched of it does not count any more. */
    record Alive(String why) implements LeaseVerdict {}

    /** Nobody could say: what is watched goes on being watched. */
    record CannotTell(String why) implements LeaseVerdict {}

    /** It may be: its Lease is to be watched. */
    record Watch(Watched watched, String why) implements LeaseVerdict {}

    /** It is; what proves it. */
    record Dead(String evidence) implements LeaseVerdict {}
  }

  private LeaseCheck() {}

  /**
   * Decides.
   *
   * @param name the node's name
   * @param before its Lease, if it was seen run out and has been watched since
   */
  public static LeaseVerdict decide(
      String name, Optional<Watched> before, Moment now, LiveFacts live) {
    Question.One<Node> question = new Question.One<>(Kind.NODE, ObjectKey.cluster(name));
    return switch (live.of(question)) {
      case Fact.NotAsked<Node> _ -> new LeaseVerdict.Ask(List.of(question));
      case Fact.Unknown<Node>(String why) -> // N1
          new LeaseVerdict.CannotTell("node " + name + " could not be looked up: " + why);
      case Fact.Present<Node>(Node node) when node.isReady() -> // N2
          new LeaseVerdict.Alive("node " + name + " is ready");
      case Fact.Present<Node> _, Fact.Absent<Node> _ -> ofLease(name, before, now, live);
    };
  }

  private static LeaseVerdict ofLease(
      String name, Optional<Watched> before, Moment now, LiveFacts live) {
    Question.One<Lease> question = new Question.One<>(Kind.LEASE, ObjectKey.of(NAMESPACE, name));
    return switch (live.of(question)) {
      case Fact.NotAsked<Lease> _ -> new LeaseVerdict.Ask(List.of(question));
      case Fact.Unknown<Lease>(String why) -> // N3
          new LeaseVerdict.CannotTell(
              "the Lease of node " + name + " could not be looked up: " + why);
      case Fact.Absent<Lease> _ -> // N4
          new LeaseVerdict.CannotTell("node " + name + " has no Lease in " + NAMESPACE);
      case Fact.Present<Lease>(Lease lease) -> ofLease(name, lease, before, now);
    };
  }

  private static LeaseVerdict ofLease(
      String name, Lease lease, Optional<Watched> before, Moment now) {
    long micros = lease.renewedMicros();
    Instant renewed =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * NANOS_PER_MICRO);
    Instant end = renewed.plusSeconds(lease.durationSeconds());
    if (micros == 0 || lease.durationSeconds() <= 0 || end.isAfter(now.wall())) {
      return new LeaseVerdict.Alive("the Lease of node " + name + " holds until " + end); // N5
    }
    Watched watched =
        before
            .filter(w -> w.renewedMicros() == micros) // N6: else it was renewed
            .orElseGet(() -> new Watched(micros, now.nanos()));
    long silent = now.nanos() - watched.since();
    return silent < WATCHED.toNanos()
        ? new LeaseVerdict.Watch( // N7
            watched, "the Lease of node " + name + " ran out and is being watched")
        : new LeaseVerdict.Dead( // N8
            "node "
                + name
                + " is not ready, its Lease ran out at "
                + Instant.ofEpochSecond(end.getEpochSecond())
                + " and was not renewed for "
                + Duration.ofNanos(silent).toSeconds()
                + " s while watched");
  }
}
