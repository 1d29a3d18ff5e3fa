package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HotLoopPolicyTest {
  private final HotLoopPolicy<String> policy = new HotLoopPolicy<>(HotLoopPolicy.Limits.DEFAULTS);
  private long now = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos(); // overflows during the test

  private void advance(Duration time) {
    now += time.toNanos();
  }

  // Runs the work unless the key has to wait; returns the delay.
  private Duration enter(boolean prompted, Runnable work) {
    Duration wait = policy.enter("k", prompted, now);
    if (wait.isZero()) {
      work.run();
    }
    return wait;
  }

  private Optional<HotLoopPolicy.Finding> reconcile(boolean prompted, Runnable work) {
    return enter(prompted, work).isZero() ? policy.exit("k", now) : Optional.empty();
  }

  private void repeatWrite() {
    policy.recordAct("k", true, "PATCH /claims/c", 7, now);
  }

  private void repeatRead() {
    policy.recordAct("k", false, "/volumes/v", 0, now);
  }

  @Test
  void enter_promptedKey_neverWaits() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(reconcile(true, this::repeatWrite)).isEmpty();
      advance(Duration.ofMillis(1));
    }
    assertThat(enter(true, this::repeatWrite)).isZero();
  }

  @Test
  void exit_keyInBackOff_isNotHot() {
    Duration wait = Duration.ofMillis(5);
    for (int i = 0; i < 20; i++) {
      assertThat(
              reconcile(
                  false,
                  () -> {
                    repeatWrite();
                    repeatRead();
                  }))
          .isEmpty();
      advance(wait);
      wait = wait.multipliedBy(2);
    }
  }

  @Test
  void exit_checkEverySecond_isNotHot() {
    for (int i = 0; i < 600; i++) {
      assertThat(reconcile(false, this::repeatRead)).isEmpty();
      advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void exit_writesWithNewContent_areNotHot() {
    for (int i = 0; i < 500; i++) {
      int content = i;
      assertThat(
              reconcile(false, () -> policy.recordAct("k", true, "PATCH /nodes/n", content, now)))
          .isEmpty();
      advance(Duration.ofMillis(10));
    }
  }

  // A node's list of volumes: failed writes repeated for a while, then pods come and go.
  @Test
  void enter_newContentAfterHotLoop_doesNotWait() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(4));
    }
    advance(HotLoopPolicy.FIRST_WAIT);
    for (int i = 0; i < 500; i++) {
      int content = 100 + i;
      assertThat(enter(false, () -> policy.recordAct("k", true, "PATCH /claims/c", content, now)))
          .as("write %s with new content", i)
          .isZero();
      policy.exit("k", now);
      advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void enter_repeatedWrite_isReportedOnceAndDelaysDouble() {
    int findings = 0;
    int writes = 0;
    long end = now + Duration.ofHours(1).toNanos();
    while (end - now > 0) {
      Duration wait = policy.enter("k", false, now);
      if (wait.isZero()) {
        repeatWrite();
        writes++;
        findings += policy.exit("k", now).isPresent() ? 1 : 0;
        advance(Duration.ofMillis(5));
      } else {
        assertThat(wait).isLessThanOrEqualTo(HotLoopPolicy.LONGEST_WAIT);
        advance(wait);
      }
    }
    assertThat(findings).isEqualTo(1);
    assertThat(writes).as("720,000 without a delay").isLessThan(60);
  }

  @Test
  void exit_repeatedRead_isReported() {
    Optional<HotLoopPolicy.Finding> found = Optional.empty();
    int reads = 0;
    while (found.isEmpty()) {
      found = reconcile(false, this::repeatRead);
      reads++;
      advance(Duration.ofMillis(4));
    }
    assertThat(reads).isEqualTo(HotLoopPolicy.Limits.DEFAULTS.reads() + 1);
    assertThat(found.get().most()).isEqualTo("read /volumes/v");
    assertThat(found.get().times()).isEqualTo(reads);
    assertThat(enter(false, this::repeatRead)).isPositive();
    assertThat(enter(true, this::repeatRead)).as("prompted by a change").isZero();
  }

  @Test
  void enter_hotLoopWithoutActs_isLimitedToOneReconcilePerSecond() {
    int passes = 0;
    long end = now + Duration.ofMinutes(10).toNanos();
    while (end - now > 0) {
      Duration wait = enter(false, () -> {});
      if (wait.isZero()) {
        policy.exit("k", now);
        passes++;
        advance(Duration.ofMillis(1));
      } else {
        advance(wait);
      }
    }
    assertThat(passes).isLessThan(1300);
  }

  @Test
  void withdrawPrompt_echoOfOwnWrite_isReported() {
    Optional<HotLoopPolicy.Finding> found = Optional.empty();
    for (int i = 0; i < 100 && found.isEmpty(); i++) {
      found =
          reconcile(
              true,
              () -> {
                repeatWrite();
                policy.withdrawPrompt("k");
              });
      advance(Duration.ofMillis(4));
    }
    assertThat(found).isPresent();
  }

  @Test
  void enter_afterHotLoopStopped_doesNotWait() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(4));
    }
    advance(Duration.ofMinutes(3));
    assertThat(enter(false, () -> {})).isZero();
    policy.exit("k", now);
    for (int i = 0; i < 10; i++) {
      assertThat(enter(false, this::repeatWrite)).isZero();
      policy.exit("k", now);
    }
  }

  @Test
  void keys_actsOverAMinuteAgo_areForgotten() {
    int most = 0;
    for (int i = 0; i < 5_000; i++) {
      policy.enter("k" + i, true, now);
      policy.recordAct("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.exit("k" + i, now);
      advance(Duration.ofSeconds(1));
      most = Math.max(most, policy.keys());
    }
    assertThat(most).isLessThanOrEqualTo(62);
  }

  // A forgotten key would restart its hot loop.
  @Test
  void keys_waitingKey_isKept() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(1));
    }
    for (int i = 0; i < 200; i++) {
      advance(Duration.ofSeconds(1));
      policy.recordAct("other" + i, true, "PATCH /claims/" + i, i, now);
    }
    assertThat(policy.keys()).isLessThanOrEqualTo(70);
    enter(false, this::repeatWrite);
    assertThat(enter(false, this::repeatWrite)).isPositive();
  }

  @Test
  void keys_manyKeys_areBounded() {
    for (int i = 0; i < 30_000; i++) {
      policy.enter("k" + i, false, now);
      policy.recordAct("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.exit("k" + i, now);
    }
    assertThat(policy.keys()).isLessThanOrEqualTo(10_000);
  }
}
