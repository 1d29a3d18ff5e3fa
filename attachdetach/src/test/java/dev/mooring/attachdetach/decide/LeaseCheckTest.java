package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.LeaseCheck.LeaseVerdict;
import dev.mooring.attachdetach.decide.LeaseCheck.WatchedLease;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decision whether a node is dead by its Lease. */
class LeaseCheckTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Instant NOW = Instant.parse("2026-11-23T09:00:00Z");
  private static final Question.ObjectRead<Node> NODE =
      new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster("n"));
  private static final Question.ObjectRead<Lease> LEASE =
      new Question.ObjectRead<>(Kind.LEASE, ObjectKey.of("kube-node-lease", "n"));
  private static final Fact<Node> NOT_READY = node("Unknown");
  private static final long RENEWED = micros(NOW.minusSeconds(41));

  private static long micros(Instant time) {
    return time.toEpochMilli() * 1000;
  }

  private static Meta meta(ObjectKey key) {
    return TestObjects.metaOf(key).uid("u").created(1).meta();
  }

  private static Fact<Node> node(String ready) {
    return new Fact.Present<>(TestObjects.node(meta(NODE.key())).ready(ready).build());
  }

  /** A Lease of 40 seconds. */
  private static Fact<Lease> renewedLease(long micros) {
    return lease(micros, 40);
  }

  private static Fact<Lease> lease(long micros, int seconds) {
    return new Fact.Present<>(
        TestObjects.lease(meta(LEASE.key()))
            .holder("n")
            .durationSeconds(seconds)
            .renewedMicros(micros)
            .build());
  }

  private static Optional<WatchedLease> watchedLease(long micros, long secondsAgo) {
    return Optional.of(new WatchedLease(micros, (100 - secondsAgo) * SECOND, 98 * SECOND));
  }

  private static DynamicTest row(
      String title,
      Optional<WatchedLease> watchedLease,
      Fact<Node> node,
      Fact<Lease> lease,
      Class<? extends LeaseVerdict> verdict) {
    LiveFacts live = LiveFacts.NONE.with(NODE, node).with(LEASE, lease);
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    LeaseCheck.decide("n", watchedLease, 100 * SECOND, live).map(Object::getClass))
                .isEqualTo(Step.decided(verdict)));
  }

  private static DynamicTest questionRow(String title, LiveFacts live, Question<?> question) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(LeaseCheck.decide("n", Optional.empty(), 0, live))
                .isEqualTo(Step.ask(question)));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsVerdict() {
    Optional<WatchedLease> notWatched = Optional.empty();
    Class<LeaseVerdict.Alive> alive = LeaseVerdict.Alive.class;
    Class<LeaseVerdict.Unknown> unknown = LeaseVerdict.Unknown.class;
    Class<LeaseVerdict.Watch> watch = LeaseVerdict.Watch.class;
    Class<LeaseVerdict.Dead> dead = LeaseVerdict.Dead.class;
    Fact<Lease> expired = renewedLease(RENEWED);
    return Stream.of(
        questionRow("N0 reads the node first", LiveFacts.NONE, NODE),
        questionRow("N0 reads the Lease next", LiveFacts.NONE.with(NODE, NOT_READY), LEASE),
        row(
            "N1 no answer about the node",
            watchedLease(RENEWED, 60),
            new Fact.Unknown<>("x"),
            expired,
            unknown),
        row("N2 ready", watchedLease(RENEWED, 60), node("True"), expired, alive),
        row(
            "N3 no answer about the Lease",
            watchedLease(RENEWED, 60),
            NOT_READY,
            new Fact.Unknown<>("x"),
            unknown),
        row("N4 no Lease", watchedLease(RENEWED, 60), NOT_READY, new Fact.Absent<>(), unknown),
        row("N5 never renewed", watchedLease(0, 60), NOT_READY, renewedLease(0), alive),
        row("N5 zero duration", watchedLease(RENEWED, 60), NOT_READY, lease(RENEWED, 0), alive),
        row("N6 renewed while watched", watchedLease(RENEWED - 1, 60), NOT_READY, expired, watch),
        row("N7 first observation", notWatched, NOT_READY, expired, watch),
        row("N7 watched for too short", watchedLease(RENEWED, 39), NOT_READY, expired, watch),
        row(
            "N8 watched for its whole duration",
            watchedLease(RENEWED, 40),
            NOT_READY,
            expired,
            dead),
        row(
            "N8 the Node does not exist",
            watchedLease(RENEWED, 40),
            new Fact.Absent<>(),
            expired,
            dead),
        row(
            "N8 the kubelet's clock is an hour ahead",
            watchedLease(micros(NOW.plusSeconds(3600)), 40),
            NOT_READY,
            renewedLease(micros(NOW.plusSeconds(3600))),
            dead),
        row(
            "N9 unanswered for too long: the watch restarts",
            Optional.of(new WatchedLease(RENEWED, 0, 89 * SECOND)),
            NOT_READY,
            expired,
            watch));
  }
}
