package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestPolicyTest {
  private final RestPolicy<String> policy = new RestPolicy<>(RestPolicy.Limits.DEFAULTS);
  private long now = Long.MAX_VALUE - Duration.ofMinutes(1).toNanos(); // it wraps on the way

  private void pass(Duration time) {
    now += time.toNanos();
  }

  /** One look, if it need not wait; how long it has to. */
  private Duration look(boolean prompted, Runnable work) {
    Duration wait = policy.enter("k", prompted, now);
    if (wait.isZero()) {
      work.run();
    }
    return wait;
  }

  private Optional<RestPolicy.Finding> looked(boolean prompted, Runnable work) {
    return look(prompted, work).isZero() ? policy.left("k", now) : Optional.empty();
  }

  private void writeTheSame() {
    policy.acted("k", true, "PATCH /claims/c", 7, now);
  }

  private void readTheSame() {
    policy.acted("k", false, "/volumes/v", 0, now);
  }

  @Test
  void aKeyThatIsAskedForFromOutsideIsNeverHeld() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(looked(true, this::writeTheSame)).isEmpty();
      pass(Duration.ofMillis(1));
    }
    assertThat(look(true, this::writeTheSame)).isZero();
  }

  @Test
  void whatBacksOffIsNotRestless() {
    Duration wait = Duration.ofMillis(5);
    for (int i = 0; i < 20; i++) {
      assertThat(
              looked(
                  false,
                  () -> {
                    writeTheSame();
                    readTheSame();
                  }))
          .isEmpty();
      pass(wait);
      wait = wait.multipliedBy(2);
    }
  }

  @Test
  void aLookEverySecondIsNotRestless() {
    for (int i = 0; i < 600; i++) {
      assertThat(looked(false, this::readTheSame)).isEmpty();
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void writingSomethingElseEveryTimeIsProgress() {
    for (int i = 0; i < 500; i++) {
      int content = i;
      assertThat(looked(false, () -> policy.acted("k", true, "PATCH /nodes/n", content, now)))
          .isEmpty();
      pass(Duration.ofMillis(10));
    }
  }

  /** A node's list of volumes: it was written in vain for a while, and now pods come and go. */
  @Test
  void whatIsWrittenToTheSameObjectNowIsNotWhatWasWrittenTooOften() {
    while (looked(false, this::writeTheSame).isEmpty()) {
      pass(Duration.ofMillis(4));
    }
    pass(RestPolicy.FIRST_WAIT);
    for (int i = 0; i < 500; i++) {
      int content = 100 + i;
      assertThat(look(false, () -> policy.acted("k", true, "PATCH /claims/c", content, now)))
          .as("write %s of something else", i)
          .isZero();
      policy.left("k", now);
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void writingTheSameOverAndOverIsNoticedOnceAndSlowedMoreAndMore() {
    int findings = 0;
    int writes = 0;
    long end = now + Duration.ofHours(1).toNanos();
    while (end - now > 0) {
      Duration wait = policy.enter("k", false, now);
      if (wait.isZero()) {
        writeTheSame();
        writes++;
        findings += policy.left("k", now).isPresent() ? 1 : 0;
        pass(Duration.ofMillis(5));
      } else {
        assertThat(wait).isLessThanOrEqualTo(RestPolicy.LONGEST_WAIT);
        pass(wait);
      }
    }
    assertThat(findings).isEqualTo(1);
    assertThat(writes).as("720,000 otherwise").isLessThan(60);
  }

  @Test
  void askingForTheSameOverAndOverIsNoticed() {
    Optional<RestPolicy.Finding> found = Optional.empty();
    int reads = 0;
    while (found.isEmpty()) {
      found = looked(false, this::readTheSame);
      reads++;
      pass(Duration.ofMillis(4));
    }
    assertThat(reads).isEqualTo(RestPolicy.Limits.DEFAULTS.reads() + 1);
    assertThat(found.get().most()).isEqualTo("asked for /volumes/v");
    assertThat(found.get().times()).isEqualTo(reads);
    assertThat(look(false, this::readTheSame)).isPositive();
    assertThat(look(true, this::readTheSame)).as("somebody has changed it").isZero();
  }

  @Test
  void lookingWithoutEndIsNoticedAndCostsOneLookASecond() {
    int passes = 0;
    long end = now + Duration.ofMinutes(10).toNanos();
    while (end - now > 0) {
      Duration wait = look(false, () -> {});
      if (wait.isZero()) {
        policy.left("k", now);
        passes++;
        pass(Duration.ofMillis(1));
      } else {
        pass(wait);
      }
    }
    assertThat(passes).isLessThan(1300);
  }

  @Test
  void anEchoOfAnOwnWriteIsNothingFromOutside() {
    Optional<RestPolicy.Finding> found = Optional.empty();
    for (int i = 0; i < 100 && found.isEmpty(); i++) {
      found =
          looked(
              true,
              () -> {
                writeTheSame();
                policy.notPrompted("k");
              });
      pass(Duration.ofMillis(4));
    }
    assertThat(found).isPresent();
  }

  @Test
  void whoLeavesOffIsAKeyLikeAnyOther() {
    while (looked(false, this::writeTheSame).isEmpty()) {
      pass(Duration.ofMillis(4));
    }
    pass(Duration.ofMinutes(3));
    assertThat(look(false, () -> {})).isZero();
    policy.left("k", now);
    for (int i = 0; i < 10; i++) {
      assertThat(look(false, this::writeTheSame)).isZero();
      policy.left("k", now);
    }
  }

  /** Objects come and go, each is written a few times, and is never heard of again. */
  @Test
  void whatWasDoneLongAgoIsForgotten() {
    int most = 0;
    for (int i = 0; i < 5_000; i++) {
      policy.enter("k" + i, true, now);
      policy.acted("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.left("k" + i, now);
      pass(Duration.ofSeconds(1));
      most = Math.max(most, policy.keys());
    }
    assertThat(most).isLessThanOrEqualTo(62);
  }

  /** A key that is held is not forgotten for it: it would begin anew. */
  @Test
  void aKeyThatWaitsIsRemembered() {
    while (looked(false, this::writeTheSame).isEmpty()) {
      pass(Duration.ofMillis(1));
    }
    for (int i = 0; i < 200; i++) {
      pass(Duration.ofSeconds(1));
      policy.acted("other" + i, true, "PATCH /claims/" + i, i, now);
    }
    assertThat(policy.keys()).isLessThanOrEqualTo(70);
    look(false, this::writeTheSame);
    assertThat(look(false, this::writeTheSame)).isPositive();
  }

  @Test
  void memoryIsBounded() {
    for (int i = 0; i < 30_000; i++) {
      policy.enter("k" + i, false, now);
      policy.acted("k" + i, true, "PATCH /claims/" + i, i, now);
      policy.left("k" + i, now);
    }
    assertThat(policy.keys()).isLessThanOrEqualTo(10_000);
  }
}
