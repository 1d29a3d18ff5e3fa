package dev.mooring.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.FakeCluster;
import dev.mooring.console.SampleObjects;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitingObjectsTest {
  private final SystemTime time = new SystemTime();
  private final FakeCluster cluster = new FakeCluster();
  private final WaitingObjects objects = new WaitingObjects(cluster, time);

  @AfterEach
  void stop() throws Exception {
    objects.stop();
    time.close();
  }

  private static SubjectRef subject(String name) {
    return new SubjectRef(Kind.CLAIM, ObjectKey.of("ns", name));
  }

  private void put(String name, long version, ClaimPhase phase) {
    cluster.put(Kind.CLAIM, SampleObjects.claim("ns", name, version, phase));
  }

  private void awaitCodes(String... codes) {
    TestWait.until(
        () -> objects.snapshot().toString(),
        () ->
            objects.snapshot().sortedExplanations().stream()
                .map(e -> e.cause().code())
                .toList()
                .equals(List.of(codes)));
  }

  @Test
  void inOrder_severalObjects_sortsByRankThenAge() {
    for (Explanation e :
        List.of(
            SampleObjects.waiting(subject("a"), "B", CauseRank.WAITING, 50),
            SampleObjects.waiting(subject("b"), "B", CauseRank.WAITING, 20),
            SampleObjects.waiting(subject("c"), "A", CauseRank.MISCONFIGURED, 90))) {
      cluster.explain(e.subject(), e);
      put(e.subject().key().name(), 1, ClaimPhase.PENDING);
    }
    objects.start();
    awaitCodes("A", "B", "B");
    assertThat(objects.snapshot().sortedExplanations())
        .extracting(e -> e.subject().key().name())
        .containsExactly("c", "b", "a");
  }

  @Test
  void change_waitingObject_isEvaluated() throws Exception {
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "One", CauseRank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    long version = objects.snapshot().version();
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "Two", CauseRank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    awaitCodes("Two");
    assertThat(objects.awaitNewer(version, Duration.ZERO)).isTrue();
    cluster.remove(Kind.CLAIM, SampleObjects.claim("ns", "a", 2, ClaimPhase.PENDING));
    awaitCodes();
  }

  @Test
  void change_otherObject_triggersFullEvaluation() {
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "One", CauseRank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    cluster.explain(subject("a"));
    put("other", 2, ClaimPhase.BOUND); // the first claim waited for this one
    awaitCodes();
  }

  @Test
  void change_leaseRenewal_causesNoEvaluation() throws Exception {
    put("a", 1, ClaimPhase.PENDING);
    cluster.put(
        Kind.LEASE,
        TestObjects.lease(SampleObjects.meta("ns", "l", 1))
            .holder("me")
            .renewedMicros(1)
            .acquiredMicros(1)
            .build());
    objects.start();
    TestWait.until("the first full evaluation", () -> objects.snapshot().isComplete());
    int explanationsBefore = cluster.explanationCount();
    long version = objects.snapshot().version();
    for (int i = 2; i < 30; i++) {
      cluster.put(
          Kind.LEASE,
          TestObjects.lease(SampleObjects.meta("ns", "l", i))
              .holder("me")
              .renewedMicros(i)
              .acquiredMicros(1)
              .build());
    }
    assertThat(objects.awaitNewer(version, Duration.ofMillis(600))).isFalse();
    assertThat(cluster.explanationCount()).isEqualTo(explanationsBefore);
    cluster.put(
        Kind.LEASE,
        TestObjects.lease(SampleObjects.meta("ns", "l", 40))
            .holder("you")
            .renewedMicros(40)
            .acquiredMicros(1)
            .build());
    TestWait.until(
        "a new holder triggers an evaluation", () -> objects.snapshot().version() > version);
  }

  @Test
  void change_afterSlowFullEvaluation_isEvaluatedBeforeNextFullEvaluation() throws Exception {
    SimTime sim = new SimTime();
    WaitingObjects slow = new WaitingObjects(cluster, sim);
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "One", CauseRank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    cluster.onExplain(key -> sim.advance(Duration.ofSeconds(100)));
    slow.start();
    TestWait.until("the first full evaluation", () -> slow.snapshot().isComplete());
    cluster.onExplain(key -> {});
    long start = sim.nanos();
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "Two", CauseRank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    TestWait.until(
        "the change is evaluated",
        () -> {
          sim.advance(Duration.ofMillis(100));
          return slow.snapshot().sortedExplanations().getFirst().cause().code().equals("Two");
        });
    assertThat(Duration.ofNanos(sim.nanos() - start)).isLessThan(Duration.ofSeconds(450));
    slow.stop();
  }

  @Test
  void change_oneOfTwoObjects_isEvaluatedFirstAndSnapshotIsReused() {
    List<ObjectKey> evaluated = new CopyOnWriteArrayList<>();
    put("a", 1, ClaimPhase.PENDING);
    put("b", 2, ClaimPhase.PENDING);
    objects.start();
    TestWait.until("the first full evaluation", () -> objects.snapshot().isComplete());
    int snapshotsBefore = cluster.snapshotCount();
    cluster.onExplain(evaluated::add);
    put("b", 3, ClaimPhase.PENDING);
    TestWait.until(evaluated::toString, () -> evaluated.size() == 3);
    assertThat(evaluated.getFirst()).isEqualTo(subject("b").key());
    assertThat(cluster.snapshotCount()).isEqualTo(snapshotsBefore + 1);
  }

  @Test
  void evaluate_explanationThrows_evaluatesOtherObjects() {
    cluster.failFor(subject("bad"));
    put("bad", 1, ClaimPhase.PENDING);
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "One", CauseRank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    assertThat(objects.snapshot().unexplained()).isEqualTo(1);
  }

  @Test
  void boundTimes_twentyBoundClaims_measureWaitingTimes() {
    long now = time.now().getEpochSecond();
    objects.start();
    for (int i = 1; i <= 20; i++) {
      Claim claim =
          SampleObjects.claim(
              SampleObjects.meta("ns", "c" + i, 2 * i, now - i), "", "", ClaimPhase.PENDING);
      cluster.put(Kind.CLAIM, claim);
      cluster.put(
          Kind.CLAIM,
          SampleObjects.claim(
              SampleObjects.meta("ns", "c" + i, 2 * i + 1, now - i), "", "v", ClaimPhase.BOUND));
    }
    BoundTimes.Summary summary = objects.boundTimes().summary().orElseThrow();
    assertThat(summary.count()).isEqualTo(20);
    assertThat(summary.median()).isBetween(10_000L, 70_000L);
    assertThat(summary.percentile95()).isBetween(19_000L, 79_000L);
    assertThat(summary.max()).isGreaterThanOrEqualTo(summary.percentile95());
    assertThat(summary.buckets().stream().mapToInt(BoundTimes.Bucket::count).sum()).isEqualTo(20);
  }

  private static Claim boundClaim(String name, long created, String volume, ClaimPhase phase) {
    return SampleObjects.claim(SampleObjects.meta("ns", name, 1, created), "", volume, phase);
  }

  @Test
  void boundTimes_claimAppearsWhileWatched_isMeasuredFromItsAppearance() {
    SimTime sim = new SimTime();
    BoundTimes times = new BoundTimes(sim);
    long created = sim.now().getEpochSecond();
    Claim pending = boundClaim("a", created, "", ClaimPhase.PENDING);
    times.claimChanged(new Change.Added<>(pending), true);
    sim.advance(Duration.ofMillis(340));
    times.claimChanged(
        new Change.Updated<>(pending, boundClaim("a", created, "v", ClaimPhase.BOUND)), true);
    BoundTimes.Summary summary = times.summary().orElseThrow();
    assertThat(summary.max()).isEqualTo(340);
    assertThat(summary.buckets()).contains(new BoundTimes.Bucket(300, 1000, 1));
  }

  @Test
  void boundTimes_claimOfFirstList_isMeasuredFromItsCreation() {
    SimTime sim = new SimTime();
    BoundTimes times = new BoundTimes(sim);
    long created = sim.now().getEpochSecond() - 5;
    Claim pending = boundClaim("a", created, "", ClaimPhase.PENDING);
    times.claimChanged(new Change.Added<>(pending), false);
    times.claimChanged(
        new Change.Updated<>(pending, boundClaim("a", created, "v", ClaimPhase.BOUND)), true);
    assertThat(times.summary().orElseThrow().max()).isBetween(5000L, 5999L);
  }

  @Test
  void history_waitingClaim_isCounted() {
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "A", CauseRank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("A");
    assertThat(objects.history().read()).containsExactly(1);
  }

  @Test
  void setOutage_evaluationComplete_isPublishedWithoutEvaluation() {
    objects.start();
    TestWait.until("the first full evaluation", () -> objects.snapshot().isComplete());
    int snapshotsBefore = cluster.snapshotCount();
    long versionBefore = objects.snapshot().version();
    ApiServerOutage outage = new ApiServerOutage(time.now(), "connection refused");
    cluster.setOutage(Optional.of(outage));
    assertThat(objects.snapshot().outage()).contains(outage);
    assertThat(objects.snapshot().version()).isGreaterThan(versionBefore);
    assertThat(objects.snapshot().isComplete()).isTrue();
    cluster.setOutage(Optional.empty());
    assertThat(objects.snapshot().outage()).isEmpty();
    assertThat(cluster.snapshotCount())
        .as("snapshots taken during the outage")
        .isEqualTo(snapshotsBefore);
  }

  @Test
  void setOutage_laterEvaluation_keepsOutage() {
    objects.start();
    cluster.setOutage(Optional.of(new ApiServerOutage(time.now(), "away")));
    cluster.explain(subject("a"), SampleObjects.waiting(subject("a"), "A", CauseRank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    awaitCodes("A");
    assertThat(objects.snapshot().outage()).isPresent();
  }
}
