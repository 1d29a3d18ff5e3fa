package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LeaderElectionTest {
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring");

  private final SimTime time = new SimTime();
  private final OneLease server = new OneLease(LEASE);
  private final List<String> events = new ArrayList<>();

  private LeaderElection replica(String identity) {
    return new LeaderElection(
        new LeaderElection.Config(
            LEASE, identity, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)),
        new LeaderElection.Ports(
            server, server, e -> events.add(e.reason() + ": " + e.note()), time, () -> 0));
  }

  private void pass(int seconds) {
    time.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void theFirstMakesTheLeaseAndLeads() throws InterruptedException {
    LeaderElection a = replica("a");
    assertThat(a.mayWrite()).isFalse();
    assertThat(a.attempt()).isTrue();
    assertThat(a.mayWrite()).isTrue();
    assertThat(server.spec())
        .containsEntry("holderIdentity", "a")
        .containsEntry("leaseDurationSeconds", 15L)
        .containsEntry("leaseTransitions", 0);
    assertThat(events).containsExactly("LeaderElection: a became leader");
  }

  @Test
  void theSecondWaitsUntilItHasSeenNoRenewalForTheLeasesDuration() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.attempt();
    assertThat(b.attempt()).isFalse();
    pass(14);
    assertThat(b.attempt()).isFalse();
    a.attempt();
    pass(14);
    assertThat(b.attempt()).as("a has renewed meanwhile").isFalse();
    pass(15);
    assertThat(b.attempt()).isTrue();
    assertThat(server.spec())
        .containsEntry("holderIdentity", "b")
        .containsEntry("leaseTransitions", 1);
  }

  @Test
  void whatTheOthersClockSaysDoesNotCount() throws InterruptedException {
    server.seed("other", 15, "1999-01-01T00:00:00.000000Z");
    LeaderElection b = replica("b");
    assertThat(b.attempt()).as("its renewTime is long past, but on its own clock").isFalse();
    pass(15);
    assertThat(b.attempt()).isTrue();
  }

  @Test
  void aReleasedLeaseIsTakenAtOnce() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.attempt();
    b.attempt();
    a.release();
    assertThat(a.mayWrite()).isFalse();
    assertThat(b.attempt()).isTrue();
  }

  /** It stopped while a renewal was under way, which was done all the same. */
  @Test
  void aLeaseWhoseRenewalHadNoAnswerIsGivenBackToo() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.attempt();
    b.attempt();
    server.answersLost = true;
    a.attempt();
    server.answersLost = false;
    a.release();
    assertThat(b.attempt()).isTrue();
  }

  @Test
  void whatSomebodyElseHoldsByNowIsNotGivenBack() throws InterruptedException {
    LeaderElection a = replica("a");
    a.attempt();
    server.seed("thief", 15, "2026-01-01T00:00:00.000000Z");
    a.release();
    assertThat(server.spec()).containsEntry("holderIdentity", "thief");
  }

  @Test
  void aLeaseThatHelmMadeWithoutASpecIsTaken() throws InterruptedException {
    server.seed("", 0, "");
    assertThat(replica("a").attempt()).isTrue();
    assertThat(server.spec()).containsEntry("leaseTransitions", 1);
  }

  @Test
  void writingEndsBeforeAnotherMayBegin() throws InterruptedException {
    LeaderElection a = replica("a");
    LeaderElection b = replica("b");
    a.attempt();
    b.attempt();
    server.unreachable = true;
    pass(9);
    assertThat(a.attempt()).isFalse();
    assertThat(a.mayWrite()).isTrue();
    pass(1);
    assertThat(a.mayWrite()).as("by the clock, whatever hangs").isFalse();
    server.unreachable = false;
    assertThat(b.attempt()).as("five seconds are left between the two").isFalse();
    pass(5);
    assertThat(b.attempt()).isTrue();
  }

  @Test
  void aRenewalCountsFromItsBeginning() throws InterruptedException {
    LeaderElection a = replica("a");
    server.beforeAnswer = () -> pass(6);
    assertThat(a.attempt()).isTrue();
    server.beforeAnswer = () -> {};
    pass(4);
    assertThat(a.mayWrite()).as("others may count from before the answer").isFalse();
  }

  @Test
  void aLeaseTakenFromUsEndsTheLeadAtOnce() throws InterruptedException {
    LeaderElection a = replica("a");
    a.attempt();
    server.seed("thief", 15, "");
    assertThat(a.attempt()).isFalse();
    assertThat(a.mayWrite()).isFalse();
  }

  @Test
  void aLossIsTold() throws InterruptedException {
    SimTime running = new SimTime(true);
    LeaderElection a =
        new LeaderElection(
            new LeaderElection.Config(
                LEASE, "a", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)),
            new LeaderElection.Ports(server, server, e -> {}, running, () -> 0));
    CountDownLatch lost = new CountDownLatch(1);
    server.failAfter(3);
    a.lead(lost::countDown);
    lost.await();
    assertThat(a.mayWrite()).isFalse();
  }

  /** With requests that hang it took a minute; meanwhile others led. */
  @Test
  void theLeadIsLostAtTheDeadlineWhateverARenewalHangsOn() throws InterruptedException {
    LeaderElection a = replica("a");
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    a.lead(lost::countDown);
    server.beforeAnswer =
        () -> {
          hangs.countDown();
          new CompletableFuture<>().join();
        };
    awaitSleeper();
    pass(2);
    hangs.await();
    pass(7);
    assertThat(a.left()).isEqualTo(Duration.ofSeconds(1));
    assertThat(lost.getCount()).isEqualTo(1);
    pass(1);
    assertThat(lost.getCount()).as("on the timer, at that moment").isZero();
    assertThat(a.left()).isZero();
  }

  /** A token that cannot be read again, for example: it ended renewal in silence. */
  @Test
  void aRenewalThatThrowsHasFailedAndIsTriedAgain() throws InterruptedException {
    LeaderElection a = replica("a");
    server.beforeAnswer =
        () -> {
          server.beforeAnswer = () -> {};
          throw new IllegalStateException("the token file is gone");
        };
    CountDownLatch leads = new CountDownLatch(1);
    Thread leading =
        Thread.ofVirtual()
            .start(() -> {
              try {
                a.lead(() -> {});
                leads.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    awaitTimers(1);
    pass(2);
    leads.await();
    leading.join();
    server.beforeAnswer =
        () -> {
          server.beforeAnswer = () -> {};
          throw new IllegalStateException("the token file is gone");
        };
    for (int i = 0; i < 20; i++) {
      awaitSleeper();
      pass(2);
    }
    awaitSleeper();
    assertThat(a.mayWrite()).as("40 s later").isTrue();
    a.release();
  }

  /** Two that hang for half of the deadline each would end the lead. */
  @Test
  void eachCallLeavesTimeForAnother() throws InterruptedException {
    LeaderElection a = replica("a");
    assertThat(a.patience()).as("nothing is lost").isEqualTo(Duration.ofSeconds(5));
    a.attempt();
    assertThat(a.patience()).isEqualTo(Duration.ofSeconds(5));
    pass(2);
    assertThat(a.patience()).isEqualTo(Duration.ofSeconds(4));
    pass(4);
    assertThat(a.patience()).isEqualTo(Duration.ofSeconds(2));
    pass(3);
    assertThat(a.patience()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void afterATryThatHungTheNextOneIsMadeAtOnce() throws InterruptedException {
    LeaderElection a = replica("a");
    a.lead(() -> {});
    server.unreachable = true;
    awaitSleeper();
    CountDownLatch again = new CountDownLatch(3);
    CompletableFuture<Void> passed = new CompletableFuture<>();
    server.beforeAnswer =
        () -> {
          passed.join(); // or two would move the time at once
          again.countDown();
          pass(2);
        };
    pass(2);
    passed.complete(null);
    Patience.until("tries", () -> again.getCount() == 0);
    a.release();
  }

  /** The watchdog's timer and the renewal's. */
  private void awaitSleeper() {
    awaitTimers(2);
  }

  private void awaitTimers(int count) {
    Patience.until(() -> "timers: " + time.pending(), () -> time.pending() >= count);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() ->
            new LeaderElection.Config(
                LEASE, "a", Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(2)))
        .hasMessageContaining("--leader-elect-lease-duration 5s must be longer than");
  }
}
