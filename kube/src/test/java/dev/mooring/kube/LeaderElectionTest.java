package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderElectionTest {
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final List<String> events = new ArrayList<>();

  private LeaderElection replica(String identity) {
    return new LeaderElection(
        new LeaderElection.Config(
            LEASE,
            identity,
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Map.of()),
        new LeaderElection.Ports(
            server,
            server,
            e -> events.add(e.reason() + ": " + e.note()),
            time,
            () -> 0,
            LeaseWatch.NONE));
  }

  private Lease lease() {
    return server.cluster().get(Kind.LEASE, LEASE);
  }

  // Writes the Lease as another process.
  private void putLeaseHeldBy(String holder, String renewed) {
    Instant renewTime = Instant.parse(renewed);
    server
        .cluster()
        .put(
            Kind.LEASE,
            TestObjects.lease(LEASE)
                .holder(holder)
                .renewedMicros(ChronoUnit.MICROS.between(Instant.EPOCH, renewTime))
                .build());
  }

  private static WriteResult<Lease> unreachable() {
    return new WriteResult.Unreachable<>("unavailable");
  }

  private void makeUnreachable() {
    server.onWrite(write -> unreachable()).onRead(read -> new ReadResult.Failed<>("unavailable"));
  }

  private void makeReachable() {
    server.onWrite(write -> null).onRead(read -> null);
  }

  private void throwOnNextWrite() {
    server.onWrite(write -> {
      makeReachable();
      throw new IllegalStateException("the token file is gone");
    });
  }

  private void advance(int seconds) {
    time.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void acquireOrRenew_noLease_createsLeaseAndLeads() throws InterruptedException {
    LeaderElection a = replica("a");
    assertThat(a.canWrite()).isFalse();
    assertThat(a.acquireOrRenew()).isTrue();
    assertThat(a.canWrite()).isTrue();
    assertThat(lease().holder()).isEqualTo("a");
    assertThat(lease().durationSeconds()).isEqualTo(15);
    assertThat(lease().transitions()).isZero();
    assertThat(lease().renewedMicros()).isPositive().isEqualTo(lease().acquiredMicros());
    assertThat(events).containsExactly("LeaderElection: a became leader");
  }

  @Test
  void acquireOrRenew_leaseRenewed_waitsForItsDuration() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.acquireOrRenew();
    assertThat(b.acquireOrRenew()).isFalse();
    advance(14);
    assertThat(b.acquireOrRenew()).isFalse();
    a.acquireOrRenew();
    advance(14);
    assertThat(b.acquireOrRenew()).as("renewed meanwhile").isFalse();
    advance(15);
    assertThat(b.acquireOrRenew()).isTrue();
    assertThat(lease().holder()).isEqualTo("b");
    assertThat(lease().transitions()).isEqualTo(1);
  }

  @Test
  void acquireOrRenew_oldRenewTime_waitsOnOwnClock() throws InterruptedException {
    putLeaseHeldBy("other", "1999-01-01T00:00:00Z");
    LeaderElection b = replica("b");
    assertThat(b.acquireOrRenew()).as("renewTime of another clock").isFalse();
    advance(15);
    assertThat(b.acquireOrRenew()).isTrue();
  }

  @Test
  void acquireOrRenew_releasedLease_leadsAtOnce() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.acquireOrRenew();
    b.acquireOrRenew();
    a.release();
    assertThat(a.canWrite()).isFalse();
    assertThat(b.acquireOrRenew()).isTrue();
  }

  // The replica stops during a renewal whose response is lost.
  @Test
  void release_renewalWithoutResponse_releasesLease() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.acquireOrRenew();
    b.acquireOrRenew();
    server.onWrite(write -> {
      server.cluster().patch(write.kind(), write.key(), write.document());
      return unreachable();
    });
    a.acquireOrRenew();
    makeReachable();
    a.release();
    assertThat(b.acquireOrRenew()).isTrue();
  }

  @Test
  void release_heldByAnother_keepsLease() throws InterruptedException {
    LeaderElection a = replica("a");
    a.acquireOrRenew();
    putLeaseHeldBy("other-replica", "2026-01-01T00:00:00Z");
    a.release();
    assertThat(lease().holder()).isEqualTo("other-replica");
  }

  @Test
  void acquireOrRenew_leaseWithoutSpec_leads() throws InterruptedException {
    server.cluster().create(Kind.LEASE, LEASE, Document.empty());
    assertThat(replica("a").acquireOrRenew()).isTrue();
    assertThat(lease().holder()).isEqualTo("a");
    assertThat(lease().transitions()).isEqualTo(1);
  }

  @Test
  void mayWrite_renewalsFail_endsBeforeAnotherLeads() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.acquireOrRenew();
    b.acquireOrRenew();
    makeUnreachable();
    advance(9);
    assertThat(a.acquireOrRenew()).isFalse();
    assertThat(a.canWrite()).isTrue();
    advance(1);
    assertThat(a.canWrite()).as("after the renew deadline").isFalse();
    makeReachable();
    assertThat(b.acquireOrRenew()).as("five seconds before the Lease expires").isFalse();
    advance(5);
    assertThat(b.acquireOrRenew()).isTrue();
  }

  @Test
  void mayWrite_slowRenewal_countsFromItsStart() throws InterruptedException {
    LeaderElection a = replica("a");
    server.onWrite(write -> {
      advance(6);
      return null;
    });
    assertThat(a.acquireOrRenew()).isTrue();
    makeReachable();
    advance(4);
    assertThat(a.canWrite()).as("counted from the request").isFalse();
  }

  @Test
  void acquireOrRenew_leaseTakenByAnother_endsLeadership() throws InterruptedException {
    LeaderElection a = replica("a");
    a.acquireOrRenew();
    putLeaseHeldBy("other-replica", "2026-01-01T00:00:00Z");
    assertThat(a.acquireOrRenew()).isFalse();
    assertThat(a.canWrite()).isFalse();
  }

  @Test
  void lead_renewalsFail_reportsLoss() throws InterruptedException {
    SimTime autoTime = new SimTime(true);
    LeaderElection a =
        new LeaderElection(
            new LeaderElection.Config(
                LEASE,
                "a",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Map.of()),
            new LeaderElection.Ports(server, server, e -> {}, autoTime, () -> 0, LeaseWatch.NONE));
    CountDownLatch leadershipLost = new CountDownLatch(1);
    AtomicInteger remainingRenewals = new AtomicInteger(3);
    server
        .onWrite(write -> remainingRenewals.getAndDecrement() > 0 ? null : unreachable())
        .onRead(
            read -> remainingRenewals.get() > 0 ? null : new ReadResult.Failed<>("unavailable"));
    a.lead(leadershipLost::countDown);
    leadershipLost.await();
    assertThat(a.canWrite()).isFalse();
  }

  // A hanging request must not delay the loss until after another replica leads.
  @Test
  void lead_renewalHangs_reportsLossAtDeadline() throws InterruptedException {
    LeaderElection a = replica("a");
    CountDownLatch leadershipLost = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    a.lead(leadershipLost::countDown);
    server.onWrite(write -> {
      hangs.countDown();
      new CompletableFuture<>().join();
      return null;
    });
    awaitSleeper();
    advance(2);
    hangs.await();
    advance(7);
    assertThat(a.remainingTerm()).isEqualTo(Duration.ofSeconds(1));
    assertThat(leadershipLost.getCount()).isEqualTo(1);
    advance(1);
    assertThat(leadershipLost.getCount()).as("reported by the timer").isZero();
    assertThat(a.remainingTerm()).isZero();
  }

  // For example because a token file cannot be read.
  @Test
  void lead_renewalThrows_isRetried() throws InterruptedException {
    LeaderElection a = replica("a");
    throwOnNextWrite();
    Thread leading = startLeading(a);
    awaitTimers(1);
    advance(2);
    leading.join();
    throwOnNextWrite();
    for (int i = 0; i < 20; i++) {
      awaitSleeper();
      advance(2);
    }
    awaitSleeper();
    assertThat(a.canWrite()).as("40 s later").isTrue();
    a.release();
  }

  // A hanging call must leave time for another one before the deadline.
  @Test
  void callLimit_nearDeadline_halvesRemainingTime() throws InterruptedException {
    LeaderElection a = replica("a");
    assertThat(a.getCallLimit()).as("not leading").isEqualTo(Duration.ofSeconds(5));
    a.acquireOrRenew();
    assertThat(a.getCallLimit()).isEqualTo(Duration.ofSeconds(5));
    advance(2);
    assertThat(a.getCallLimit()).isEqualTo(Duration.ofSeconds(4));
    advance(4);
    assertThat(a.getCallLimit()).isEqualTo(Duration.ofSeconds(2));
    advance(3);
    assertThat(a.getCallLimit()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void lead_attemptHangs_nextFollowsAtOnce() throws InterruptedException {
    LeaderElection a = replica("a");
    a.lead(() -> {});
    makeUnreachable();
    awaitSleeper();
    CountDownLatch attempts = new CountDownLatch(3);
    CompletableFuture<Void> canFail = new CompletableFuture<>();
    server.onWrite(write -> {
      canFail.join(); // otherwise two threads would advance the time
      attempts.countDown();
      advance(2);
      return unreachable();
    });
    advance(2);
    canFail.complete(null);
    TestWait.until("attempts", () -> attempts.getCount() == 0);
    a.release();
  }

  // Waits for two timers: the watchdog's and the renewal's.
  private void awaitSleeper() {
    awaitTimers(2);
  }

  private void awaitTimers(int count) {
    TestWait.until(() -> "timers: " + time.pendingTimers(), () -> time.pendingTimers() >= count);
  }

  @Test
  void acquire_configuredLabels_areAddedOnceAndOthersStay() throws InterruptedException {
    Lease released = TestObjects.lease(LEASE).labels(Map.of("app", "x", "team", "old")).build();
    server.cluster().put(Kind.LEASE, released);
    LeaderElection a =
        new LeaderElection(
            new LeaderElection.Config(
                LEASE,
                "a",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Map.of("team", "storage")),
            new LeaderElection.Ports(server, server, e -> {}, time, () -> 0, LeaseWatch.NONE));
    assertThat(a.acquireOrRenew()).isTrue();
    assertThat(lease().meta().labels()).isEqualTo(Map.of("app", "x", "team", "storage"));
    server.cluster().remove(Kind.LEASE, LEASE);
    assertThat(a.acquireOrRenew()).isTrue();
    assertThat(lease().meta().labels()).isEqualTo(Map.of("team", "storage"));
  }

  @Test
  void config_deadlineExceedsLease_throws() {
    assertThatThrownBy(() ->
            new LeaderElection.Config(
                LEASE,
                "a",
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Map.of()))
        .hasMessageContaining("--leader-elect-lease-duration 5s must be longer than");
  }

  @Test
  void lead_leaderReleasesLease_leadsWithoutPause() throws InterruptedException {
    putLeaseHeldBy("leader", "2026-01-01T00:00:00Z");
    LeaderElection standby =
        replicaWatching((lease, limit, changed) -> {
          assertThat(lease.holder()).isEqualTo("leader");
          putLeaseHeldBy("", "2026-01-01T00:00:00Z");
          return true;
        });
    Thread leading = startLeading(standby);
    leading.join();
    assertThat(standby.canWrite()).isTrue();
    standby.release();
  }

  @Test
  void lead_leaseCannotBeWatched_pausesForRetryPeriod() throws InterruptedException {
    putLeaseHeldBy("leader", "2026-01-01T00:00:00Z");
    LeaderElection standby =
        replicaWatching((lease, limit, changed) -> {
          advance(1);
          return false;
        });
    Thread leading = startLeading(standby);
    awaitTimers(1);
    putLeaseHeldBy("", "2026-01-01T00:00:00Z");
    advance(1);
    leading.join();
    assertThat(time.nanos()).as("retry period").isEqualTo(Duration.ofSeconds(2).toNanos());
    standby.release();
  }

  @Test
  void lead_leaderStopsRenewing_leadsWhenLeaseExpires() throws InterruptedException {
    putLeaseHeldBy("leader", "2026-01-01T00:00:00Z");
    AtomicInteger watches = new AtomicInteger();
    LeaderElection standby =
        replicaWatching((lease, limit, changed) -> {
          if (watches.getAndIncrement() == 0) {
            advance(1);
            putLeaseHeldBy("leader", "2026-01-01T00:00:01Z");
            changed.accept(lease());
            time.advance(limit.minusSeconds(1));
          } else {
            time.advance(limit);
          }
          return false;
        });
    Thread leading = startLeading(standby);
    leading.join();
    assertThat(time.nanos())
        .as("the renewal after a second, and the lease duration")
        .isEqualTo(Duration.ofSeconds(1 + 15).toNanos());
    standby.release();
  }

  @Test
  void lead_expiredLeaseCannotBeAcquired_pausesForRetryPeriod() throws InterruptedException {
    putLeaseHeldBy("leader", "2026-01-01T00:00:00Z");
    List<Duration> limits = new ArrayList<>();
    AtomicInteger refusals = new AtomicInteger(2);
    server.onWrite(write -> refusals.getAndDecrement() > 0 ? unreachable() : null);
    LeaderElection standby =
        replicaWatching((lease, limit, changed) -> {
          limits.add(limit);
          time.advance(limit);
          return false;
        });
    startLeading(standby).join();
    assertThat(limits)
        .endsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(2));
    standby.release();
  }

  private LeaderElection replicaWatching(LeaseWatch leaseWatch) {
    return new LeaderElection(
        new LeaderElection.Config(
            LEASE,
            "standby",
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Map.of()),
        new LeaderElection.Ports(server, server, e -> {}, time, () -> 0, leaseWatch));
  }

  private static Thread startLeading(LeaderElection election) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            election.lead(() -> {});
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private LeaderElection replica(String identity, long lease, long renew, long retry) {
    return new LeaderElection(
        new LeaderElection.Config(
            LEASE,
            identity,
            Duration.ofMillis(lease),
            Duration.ofMillis(renew),
            Duration.ofMillis(retry),
            Map.of()),
        new LeaderElection.Ports(server, server, e -> {}, time, () -> 0, LeaseWatch.NONE));
  }

  @ParameterizedTest
  @CsvSource({"1500, 1400, 200", "2900, 2800, 200", "15900, 15800, 2000", "1000, 900, 100"})
  void election_subSecondDurations_neverHasTwoLeaders(long lease, long renew, long retry)
      throws InterruptedException {
    LeaderElection a = replica("a", lease, renew, retry);
    LeaderElection b = replica("b", lease, renew, retry);
    a.acquireOrRenew();
    b.acquireOrRenew();
    boolean hasTakenOver = false;
    for (long ms = 0; ms < lease + 3000; ms += 10) {
      time.advance(Duration.ofMillis(10));
      hasTakenOver |= b.acquireOrRenew();
      assertThat(a.canWrite() && b.canWrite()).as("both may write after %d ms", ms).isFalse();
    }
    assertThat(hasTakenOver).isTrue();
  }

  @Test
  void standby_metadataOfDeadLeadersLeaseChanges_takesLease() throws InterruptedException {
    LeaderElection b = replica("b");
    replica("a").acquireOrRenew();
    b.acquireOrRenew();
    for (int touch = 0; touch < 3; touch++) {
      advance(4);
      server.cluster().put(Kind.LEASE, lease()); // another resourceVersion, the same spec
      assertThat(b.acquireOrRenew()).as("after %d s", 4 * (touch + 1)).isFalse();
    }
    advance(3);
    server.cluster().put(Kind.LEASE, lease());
    assertThat(b.acquireOrRenew()).isTrue();
    assertThat(lease().holder()).isEqualTo("b");
  }

  @Test
  void renewal_afterOwnAnnotation_logsNoWarning() throws InterruptedException {
    LeaderElection a = replica("a");
    a.acquireOrRenew();
    server.cluster().put(Kind.LEASE, lease()); // another resourceVersion, the same spec
    advance(1);
    assertThat(recordWarnings(a, 1)).isEmpty();
    assertThat(a.remainingTerm()).as("renewed").isEqualTo(Duration.ofSeconds(10));
  }

  private static List<String> recordWarnings(LeaderElection election, int attempts)
      throws InterruptedException {
    List<String> warnings = new ArrayList<>();
    Logger log = Logger.getLogger(LeaderElection.class.getName());
    Filter recordWarning =
        line -> {
          if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.add(line.getMessage());
          }
          return false;
        };
    log.setFilter(recordWarning);
    try {
      for (int i = 0; i < attempts; i++) {
        election.acquireOrRenew();
      }
    } finally {
      log.setFilter(null);
    }
    return warnings;
  }

  private static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(new WriteResult.Gone<Lease>(), "namespace kube-system does not exist"),
        Arguments.of(new WriteResult.Rejected<Lease>(403, "denied by a webhook"), "denied"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void acquire_creationRefused_warnsOnce(WriteResult<Lease> refusal, String reason)
      throws InterruptedException {
    server.onWrite(write -> refusal);
    assertThat(recordWarnings(replica("a"), 2))
        .singleElement()
        .satisfies(warning -> assertThat(warning).contains(LEASE.toString(), reason));
  }

  @Test
  void acquire_serverFailsToWrite_warnsOnce() throws InterruptedException {
    server.onWrite(write -> unreachable());
    assertThat(recordWarnings(replica("a"), 2)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void standbyProblem_creationRefused_lastsUntilLeaseIsWritten(
      WriteResult<Lease> refusal, String reason) throws InterruptedException {
    LeaderElection a = replica("a");
    List<String> problems = new ArrayList<>();
    a.onStandbyProblem(problems::add);
    server.onWrite(write -> refusal);
    a.acquireOrRenew();
    assertThat(problems).singleElement().satisfies(problem -> assertThat(problem).contains(reason));
    makeReachable();
    a.acquireOrRenew();
    assertThat(problems).hasSize(2).endsWith("");
  }

  @Test
  void standbyProblem_anotherReplicaLeads_isGone() throws InterruptedException {
    LeaderElection a = replica("a");
    List<String> problems = new ArrayList<>();
    a.onStandbyProblem(problems::add);
    server.onWrite(write -> new WriteResult.Rejected<Lease>(403, "denied"));
    a.acquireOrRenew();
    putLeaseHeldBy("b", "2026-01-01T00:00:00Z");
    a.acquireOrRenew();
    assertThat(problems).hasSize(2).endsWith("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"holder", "renewTime", "duration"})
  void renewal_responseDiffersFromWrite_isNotConfirmed(String changedField)
      throws InterruptedException {
    LeaderElection a = replica("a");
    server.onWrite(write -> {
      Lease created =
          server.cluster().create(Kind.LEASE, LEASE, write.document()).toOptional().orElseThrow();
      return new WriteResult.Written<>(
          new Lease(
              created.meta(),
              changedField.equals("holder") ? "b" : created.holder(),
              changedField.equals("duration") ? 1 : created.durationSeconds(),
              changedField.equals("renewTime")
                  ? created.renewedMicros() - 1
                  : created.renewedMicros(),
              created.acquiredMicros(),
              created.transitions()));
    });
    assertThat(a.acquireOrRenew()).isFalse();
    assertThat(a.canWrite()).isFalse();
  }

  // The monotonic clock stops during a suspension; the wall clock does not.
  @Test
  void mayWrite_suspendedBeyondDeadline_waitsForRenewal() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.acquireOrRenew();
    time.suspend(Duration.ofSeconds(10));
    assertThat(a.canWrite()).isFalse();
    assertThat(a.remainingTerm()).isZero();
    assertThat(a.acquireOrRenew()).as("no other replica took the Lease meanwhile").isTrue();
    assertThat(a.canWrite()).isTrue();
    time.suspend(Duration.ofHours(1));
    putLeaseHeldBy("b", "2026-01-01T01:00:00Z");
    assertThat(a.canWrite()).isFalse();
    assertThat(a.acquireOrRenew()).isFalse();
    assertThat(b.acquireOrRenew()).isTrue();
    assertThat(a.canWrite()).isFalse();
  }

  @Test
  void mayWrite_suspendedDuringRenewal_isFalse() throws InterruptedException {
    LeaderElection a = replica("a");
    server.onWrite(write -> {
      time.suspend(Duration.ofSeconds(11));
      return null;
    });
    a.acquireOrRenew();
    assertThat(a.canWrite()).isFalse();
  }

  @Test
  void mayWrite_wallClockSetBack_keepsLeadership() throws InterruptedException {
    LeaderElection a = replica("a");
    a.acquireOrRenew();
    time.suspend(Duration.ofHours(-1));
    advance(9);
    assertThat(a.canWrite()).isTrue();
    advance(1);
    assertThat(a.canWrite()).isFalse();
  }
}
