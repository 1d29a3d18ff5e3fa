package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that miss their deadline or never end: callers wait no longer than necessary. */
class HangingPluginTest extends GuardedPluginFixture {
  private final CountDownLatch released = new CountDownLatch(1);

  /**
   * Shortens the deadline of all calls. Only tests with hanging calls use it: on a busy machine,
   * other calls could miss it.
   */
  private void startWithShortDeadline() throws PluginInstance.StartFailedException {
    instance = newInstance(Duration.ofMillis(100));
    start();
  }

  @AfterEach
  void releaseHangingCalls() {
    released.countDown();
  }

  /** Ignores interrupts. */
  private Attempt<Deleted> hang() {
    boolean interrupted = false;
    while (true) {
      try {
        released.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return Attempt.done(new Deleted());
  }

  @Test
  void delete_missesDeadline_isInterruptedAndUncertain()
      throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    AtomicReference<Boolean> interrupted = new AtomicReference<>(false);
    deleter =
        request -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
          return Attempt.done(new Deleted());
        };
    assertThat(failure(delete("a")))
        .isEqualTo(
            new Failure.Uncertain(
                "plugin example.com/bad did not answer about volume a for 0.1 s"));
    await(interrupted::get);
    await(() -> instance.hanging() == 0);
    deleter = request -> Attempt.done(new Deleted());
    await(() -> delete("a") instanceof Attempt.Done<Deleted>);
  }

  @Test
  void delete_sameVolumeDuringCall_isRefused() throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    deleter = request -> hang();
    delete("a");
    assertThat(instance.hanging()).isEqualTo(1);
    int callsBefore = calls.get();
    assertThat(failure(delete("a")))
        .isEqualTo(
            new Failure.Uncertain(
                "an earlier call to plugin example.com/bad about volume a has not ended"));
    assertThat(calls.get()).isEqualTo(callsBefore);
    deleter = request -> Attempt.done(new Deleted());
    await(() -> delete("b") instanceof Attempt.Done<Deleted>); // another volume
    released.countDown();
    await(() -> instance.hanging() == 0);
    await(() -> delete("a") instanceof Attempt.Done<Deleted>);
  }

  @Test
  void delete_tooManyHangingCalls_isRefused() throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    deleter = request -> hang();
    Thread[] callers = new Thread[Bulkhead.MAX_HANGING];
    for (int i = 0; i < callers.length; i++) {
      String volume = "v" + i;
      callers[i] = Thread.startVirtualThread(() -> delete(volume));
    }
    await(() -> instance.hanging() == Bulkhead.MAX_HANGING);
    int callsBefore = calls.get();
    assertThat(failure(delete("one-more")))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("is blocked", "32 of its calls do not end");
    assertThat(calls.get()).isEqualTo(callsBefore);
    released.countDown();
    await(() -> instance.hanging() == 0);
    await(() -> delete("one-more") instanceof Attempt.Done<Deleted>);
  }

  @Test
  void delete_callerInterrupted_isUncertain() throws InterruptedException {
    deleter = request -> hang();
    AtomicReference<Attempt<Deleted>> answer = new AtomicReference<>();
    Thread caller = Thread.ofVirtual().unstarted(() -> answer.set(delete("a")));
    caller.start();
    await(() -> calls.get() == 1);
    caller.interrupt();
    caller.join();
    assertThat(failure(answer.get())).isInstanceOf(Failure.Uncertain.class);
  }

  @Test
  void supports_throwsOrMissesDeadline_isFalse() throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    long generationBefore = guarded.generation();
    supports =
        source -> {
          throw new StackOverflowError();
        };
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    supports =
        source -> {
          hang();
          return true;
        };
    assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    assertThat(guarded.generation())
        .as("both answers are invalidated")
        .isEqualTo(generationBefore + 2);
    supports = source -> true;
    await(() -> guarded.supports(VolumeSource.NONE));
    long generationAfter = guarded.generation();
    assertThat(guarded.supports(VolumeSource.NONE)).isTrue();
    assertThat(guarded.generation()).isEqualTo(generationAfter);
  }

  /** Otherwise one hanging plugin would delay every search for a volume's plugin. */
  @Test
  void supports_unansweredCall_suspendsQuickCalls() throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    AtomicInteger supportsCalls = new AtomicInteger();
    supports =
        source -> {
          supportsCalls.incrementAndGet();
          hang();
          return true;
        };
    for (int i = 0; i < 1000; i++) {
      assertThat(guarded.supports(VolumeSource.NONE)).isFalse();
    }
    assertThat(supportsCalls.get()).isLessThan(5);
  }

  /** Otherwise a claim would be rejected permanently. */
  @Test
  void refuses_unanswered_isEmpty() throws PluginInstance.StartFailedException {
    startWithShortDeadline();
    Provisioner provisioner = guarded.provisioner().orElseThrow();
    await(() -> provisioner.refuses(REQUEST).equals(Optional.of("too odd")));
    refuses =
        () -> {
          hang();
          return Optional.of("too late");
        };
    assertThat(provisioner.refuses(REQUEST)).isEmpty();
    guarded.setTarget(null);
    assertThat(guarded.provisioner()).as("capabilities remain").isPresent();
    assertThat(provisioner.refuses(REQUEST)).isEmpty();
    assertThat(failure(provisioner.provision(REQUEST))).isInstanceOf(Failure.Unreachable.class);
  }
}
