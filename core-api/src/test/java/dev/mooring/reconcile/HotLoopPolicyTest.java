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
  private Duration startUnlessDelayed(boolean isExternal, Runnable work) {
    Duration delay = policy.startReconcile("k", isExternal, now);
    if (delay.isZero()) {
      work.run();
    }
    return delay;
  }

  private Optional<HotLoopPolicy.Finding> reconcile(boolean isExternal, Runnable work) {
    return startUnlessDelayed(isExternal, work).isZero()
        ? policy.endReconcile("k", now)
        : Optional.empty();
  }

  private void repeatWrite() {
    policy.recordAct("k", true, "PATCH /claims/c", 7, now);
  }

  private void repeatRead() {
    policy.recordAct("k", false, "/volumes/v", 0, now);
  }

  @Test
  void startReconcile_promptedKey_neverWaits() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(reconcile(true, this::repeatWrite)).isEmpty();
      advance(Duration.ofMillis(1));
    }
    assertThat(startUnlessDelayed(true, this::repeatWrite)).isZero();
  }

  @Test
  void endReconcile_keyInBackOff_isNotHot() {
    Duration delay = Duration.ofMillis(5);
    for (int i = 0; i < 20; i++) {
      assertThat(
              reconcile(
                  false,
                  () -> {
                    repeatWrite();
                    repeatRead();
                  }))
          .isEmpty();
      advance(delay);
      delay = delay.multipliedBy(2);
    }
  }

  @Test
  void endReconcile_checkEverySecond_isNotHot() {
    for (int i = 0; i < 600; i++) {
      assertThat(reconcile(false, this::repeatRead)).isEmpty();
      advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void endReconcile_writesWithNewContent_areNotHot() {
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
  void startReconcile_newContentAfterHotLoop_doesNotWait() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(4));
    }
    advance(HotLoopPolicy.FIRST_DELAY);
    for (int i = 0; i < 500; i++) {
      int content = 100 + i;
      assertThat(
              startUnlessDelayed(
                  false, () -> policy.recordAct("k", true, "PATCH /claims/c", content, now)))
          .as("write %s with new content", i)
          .isZero();
      policy.endReconcile("k", now);
      advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void startReconcile_repeatedWrite_isReportedOnceAndDelaysDouble() {
    int findings = 0;
    int writes = 0;
    long endNanos = now + Duration.ofHours(1).toNanos();
    while (endNanos - now > 0) {
      Duration delay = policy.startReconcile("k", false, now);
      if (delay.isZero()) {
        repeatWrite();
        writes++;
        findings += policy.endReconcile("k", now).isPresent() ? 1 : 0;
        advance(Duration.ofMillis(5));
      } else {
        assertThat(delay).isLessThanOrEqualTo(HotLoopPolicy.LONGEST_DELAY);
        advance(delay);
      }
    }
    assertThat(findings).isEqualTo(1);
    assertThat(writes).as("720,000 without a delay").isLessThan(60);
  }

  @Test
  void endReconcile_repeatedRead_isReported() {
    Optional<HotLoopPolicy.Finding> finding = Optional.empty();
    int reads = 0;
    while (finding.isEmpty()) {
      finding = reconcile(false, this::repeatRead);
      reads++;
      advance(Duration.ofMillis(4));
    }
    assertThat(reads).isEqualTo(HotLoopPolicy.Limits.DEFAULTS.reads() + 1);
    assertThat(finding.get().mostFrequentAct()).isEqualTo("read /volumes/v");
    assertThat(finding.get().repetitions()).isEqualTo(reads);
    assertThat(startUnlessDelayed(false, this::repeatRead)).isPositive();
    assertThat(startUnlessDelayed(true, this::repeatRead)).as("started by a change").isZero();
  }

  @Test
  void startReconcile_hotLoopWithoutActs_isLimitedToOneReconcilePerSecond() {
    int reconciles = 0;
    long endNanos = now + Duration.ofMinutes(10).toNanos();
    while (endNanos - now > 0) {
      Duration delay = startUnlessDelayed(false, () -> {});
      if (delay.isZero()) {
        policy.endReconcile("k", now);
        reconciles++;
        advance(Duration.ofMillis(1));
      } else {
        advance(delay);
      }
    }
    assertThat(reconciles).isLessThan(1300);
  }

  @Test
  void withdrawPrompt_echoOfOwnWrite_isReported() {
    Optional<HotLoopPolicy.Finding> finding = Optional.empty();
    for (int i = 0; i < 100 && finding.isEmpty(); i++) {
      finding =
          reconcile(
              true,
              () -> {
                repeatWrite();
                policy.withdrawPrompt("k");
              });
      advance(Duration.ofMillis(4));
    }
    assertThat(finding).isPresent();
  }

  @Test
  void startReconcile_afterHotLoopStopped_doesNotWait() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(4));
    }
    advance(Duration.ofMinutes(3));
    assertThat(startUnlessDelayed(false, () -> {})).isZero();
    policy.endReconcile("k", now);
    for (int i = 0; i < 10; i++) {
      assertThat(startUnlessDelayed(false, this::repeatWrite)).isZero();
      policy.endReconcile("k", now);
    }
  }

  @Test
  void keyCount_actsOverAMinuteAgo_areForgotten() {
    int maxKeys = 0;
    for (int i = 0; i < 5_000; i++) {
      policy.startReconcile("k" + i, true, now);
      policy.recordAct("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.endReconcile("k" + i, now);
      advance(Duration.ofSeconds(1));
      maxKeys = Math.max(maxKeys, policy.keyCount());
    }
    assertThat(maxKeys).isLessThanOrEqualTo(62);
  }

  // A forgotten key would restart its hot loop.
  @Test
  void keyCount_waitingKey_isKept() {
    while (reconcile(false, this::repeatWrite).isEmpty()) {
      advance(Duration.ofMillis(1));
    }
    for (int i = 0; i < 200; i++) {
      advance(Duration.ofSeconds(1));
      policy.recordAct("other" + i, true, "PATCH /claims/" + i, i, now);
    }
    assertThat(policy.keyCount()).isLessThanOrEqualTo(70);
    startUnlessDelayed(false, this::repeatWrite);
    assertThat(startUnlessDelayed(false, this::repeatWrite)).isPositive();
  }

  @Test
  void keyCount_manyKeys_areBounded() {
    for (int i = 0; i < 30_000; i++) {
      policy.startReconcile("k" + i, false, now);
      policy.recordAct("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.endReconcile("k" + i, now);
    }
    assertThat(policy.keyCount()).isLessThanOrEqualTo(10_000);
  }
}
