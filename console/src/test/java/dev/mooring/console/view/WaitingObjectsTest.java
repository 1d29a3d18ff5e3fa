package dev.mooring.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.FakeCluster;
import dev.mooring.console.Some;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Subject;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WaitingObjectsTest {
  private final SystemTime time = new SystemTime();
  private final FakeCluster cluster = new FakeCluster();
  private final WaitingObjects objects = new WaitingObjects(cluster, time);

  @AfterEach
  void stop() throws Exception {
    objects.stop();
    time.close();
  }

  private static Subject subject(String name) {
    return new Subject(Kind.CLAIM, ObjectKey.of("ns", name));
  }

  private void put(String name, long version, ClaimPhase phase) {
    cluster.put(Kind.CLAIM, Some.claim("ns", name, version, phase));
  }

  private void awaitCodes(String... codes) {
    Patience.until(
        () -> objects.now().toString(),
        () ->
            objects.now().inOrder().stream()
                .map(e -> e.cause().code())
                .toList()
                .equals(List.of(codes)));
  }

  @Test
  void whatWaitsIsKnownInTheOrderOfItsRankAndAge() {
    for (Explanation e :
        List.of(
            Some.waits(subject("a"), "B", Rank.WAITING, 50),
            Some.waits(subject("b"), "B", Rank.WAITING, 20),
            Some.waits(subject("c"), "A", Rank.MISCONFIGURED, 90))) {
      cluster.explain(e.subject(), e);
      put(e.subject().key().name(), 1, ClaimPhase.PENDING);
    }
    objects.start();
    awaitCodes("A", "B", "B");
    assertThat(objects.now().inOrder())
        .extracting(e -> e.subject().key().name())
        .containsExactly("c", "b", "a");
  }

  @Test
  void anObjectThatChangesIsLookedAtAgain() throws Exception {
    cluster.explain(subject("a"), Some.waits(subject("a"), "One", Rank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    long version = objects.now().version();
    cluster.explain(subject("a"), Some.waits(subject("a"), "Two", Rank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    awaitCodes("Two");
    assertThat(objects.awaitNewer(version, Duration.ZERO)).isTrue();
    cluster.remove(Kind.CLAIM, Some.claim("ns", "a", 2, ClaimPhase.PENDING));
    awaitCodes();
  }

  @Test
  void whatElseMayHaveChangedIsLookedAtToo() {
    cluster.explain(subject("a"), Some.waits(subject("a"), "One", Rank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    cluster.explain(subject("a"));
    put("other", 2, ClaimPhase.BOUND); // it is why the first does not wait any more
    awaitCodes();
  }

  @Test
  void atRestNobodyIsAskedAndTheRenewalOfALeaseIsRest() throws Exception {
    put("a", 1, ClaimPhase.PENDING);
    cluster.put(
        Kind.LEASE,
        Builders.lease(Some.meta("ns", "l", 1))
            .holder("me")
            .renewedMicros(1)
            .acquiredMicros(1)
            .build());
    objects.start();
    Patience.until("all was looked at", () -> objects.now().isComplete());
    int asked = cluster.asked();
    long version = objects.now().version();
    for (int i = 2; i < 30; i++) {
      cluster.put(
          Kind.LEASE,
          Builders.lease(Some.meta("ns", "l", i))
              .holder("me")
              .renewedMicros(i)
              .acquiredMicros(1)
              .build());
    }
    assertThat(objects.awaitNewer(version, Duration.ofMillis(600))).isFalse();
    assertThat(cluster.asked()).isEqualTo(asked);
    cluster.put(
        Kind.LEASE,
        Builders.lease(Some.meta("ns", "l", 40))
            .holder("you")
            .renewedMicros(40)
            .acquiredMicros(1)
            .build());
    Patience.until("a new holder is news", () -> objects.now().version() > version);
  }

  @Test
  void aChangeIsNotKeptWaitingByALookAtEverythingThatTookLong() throws Exception {
    SimTime sim = new SimTime();
    WaitingObjects slow = new WaitingObjects(cluster, sim);
    cluster.explain(subject("a"), Some.waits(subject("a"), "One", Rank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    cluster.eachIs(key -> sim.advance(Duration.ofSeconds(100)));
    slow.start();
    Patience.until("all was looked at", () -> slow.now().isComplete());
    cluster.eachIs(key -> {});
    long began = sim.nanos();
    cluster.explain(subject("a"), Some.waits(subject("a"), "Two", Rank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    Patience.until(
        "the change was looked at",
        () -> {
          sim.advance(Duration.ofMillis(100));
          return slow.now().inOrder().getFirst().cause().code().equals("Two");
        });
    assertThat(Duration.ofNanos(sim.nanos() - began)).isLessThan(Duration.ofSeconds(450));
    slow.stop();
  }

  @Test
  void whatHasChangedIsLookedAtFirstAndTheRestAtTheSameMoment() {
    List<ObjectKey> looked = new CopyOnWriteArrayList<>();
    put("a", 1, ClaimPhase.PENDING);
    put("b", 2, ClaimPhase.PENDING);
    objects.start();
    Patience.until("all was looked at", () -> objects.now().isComplete());
    int moments = cluster.moments();
    cluster.eachIs(looked::add);
    put("b", 3, ClaimPhase.PENDING);
    Patience.until(looked::toString, () -> looked.size() == 3);
    assertThat(looked.getFirst()).isEqualTo(subject("b").key());
    assertThat(cluster.moments()).isEqualTo(moments + 1);
  }

  @Test
  void oneThatCannotBeExplainedHidesNoOther() {
    cluster.fail(subject("bad"));
    put("bad", 1, ClaimPhase.PENDING);
    cluster.explain(subject("a"), Some.waits(subject("a"), "One", Rank.WAITING, 1));
    put("a", 2, ClaimPhase.PENDING);
    objects.start();
    awaitCodes("One");
    assertThat(objects.now().unexplained()).isEqualTo(1);
  }

  @Test
  void howLongClaimsWaitedIsCountedWhenTheyAreBound() {
    long now = time.now().getEpochSecond();
    objects.start();
    for (int i = 1; i <= 20; i++) {
      Claim claim =
          Some.claim(Some.meta("ns", "c" + i, 2 * i, now - i), "", "", ClaimPhase.PENDING);
      cluster.put(Kind.CLAIM, claim);
      cluster.put(
          Kind.CLAIM,
          Some.claim(Some.meta("ns", "c" + i, 2 * i + 1, now - i), "", "v", ClaimPhase.BOUND));
    }
    BoundTimes.Summary summary = objects.bound().summary().orElseThrow();
    assertThat(summary.count()).isEqualTo(20);
    assertThat(summary.half()).isBetween(10L, 70L);
    assertThat(summary.most()).isBetween(19L, 79L);
    assertThat(summary.longest()).isGreaterThanOrEqualTo(summary.most());
  }

  @Test
  void outage_isShownAtOnceAndEndsWithoutALookAtObjects() {
    objects.start();
    Patience.until("every object was explained", () -> objects.now().isComplete());
    int asked = cluster.moments();
    long before = objects.now().version();
    Outage outage = new Outage(time.now(), "connection refused");
    cluster.outage(Optional.of(outage));
    assertThat(objects.now().outage()).contains(outage);
    assertThat(objects.now().version()).isGreaterThan(before);
    assertThat(objects.now().isComplete()).isTrue();
    cluster.outage(Optional.empty());
    assertThat(objects.now().outage()).isEmpty();
    assertThat(cluster.moments()).as("nothing asked a server that may be dead").isEqualTo(asked);
  }

  @Test
  void outage_staysWhileObjectsAreLookedAt() {
    objects.start();
    cluster.outage(Optional.of(new Outage(time.now(), "away")));
    cluster.explain(subject("a"), Some.waits(subject("a"), "A", Rank.WAITING, 1));
    put("a", 1, ClaimPhase.PENDING);
    awaitCodes("A");
    assertThat(objects.now().outage()).isPresent();
  }
}
