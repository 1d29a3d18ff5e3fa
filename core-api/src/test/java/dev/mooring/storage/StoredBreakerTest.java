package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Uid;
import dev.mooring.storage.BreakerState.Counted;
import dev.mooring.storage.BreakerState.Hold;
import dev.mooring.storage.DeletionBreaker.Admission;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredBreakerTest {
  private static final Duration WINDOW = Duration.ofMinutes(10);

  // Stores the text, as an annotation does.
  private static final class Store implements BreakerStore {
    private String text = BreakerState.EMPTY.text();
    private String problem = "";
    private int writes;

    @Override
    public ReadResult<BreakerState> load() {
      return problem.isEmpty() ? new ReadResult.Found<>(state()) : new ReadResult.Failed<>(problem);
    }

    @Override
    public String save(BreakerState state) {
      if (problem.isEmpty()) {
        writes++;
        text = state.text();
      }
      return problem;
    }

    BreakerState state() {
      return BreakerState.parse(text);
    }

    int counted() {
      return state().counts().stream().mapToInt(Counted::number).sum();
    }
  }

  private final SimTime time = new SimTime();
  private final Store store = new Store();
  private int last;

  private DeletionBreaker process(int most) {
    DeletionBreaker breaker = new DeletionBreaker(most, WINDOW, time);
    breaker.keepIn(store);
    return breaker;
  }

  private Uid nextVolume() {
    return Uid.of("v" + ++last);
  }

  private void destroyVolumes(DeletionBreaker breaker, int volumes) throws InterruptedException {
    for (int i = 0; i < volumes; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).as("volume %s", volume).isEqualTo(Admission.GRANTED);
      breaker.destroyed(volume);
    }
  }

  @Test
  void nextProcess_countBelowTheLimit_countsOn() throws InterruptedException {
    destroyVolumes(process(3), 2);
    time.advance(Duration.ofMinutes(5));
    DeletionBreaker next = process(3);
    destroyVolumes(next, 1);
    assertThat(next.admit(nextVolume())).isEqualTo(Admission.HELD);
  }

  @Test
  void nextProcess_countOlderThanTheWindow_countsFromNothing() throws InterruptedException {
    destroyVolumes(process(3), 2);
    time.advance(WINDOW);
    destroyVolumes(process(3), 3);
  }

  @Test
  void nextProcess_deletionsWereHeld_holdsThemHoweverLate() throws InterruptedException {
    DeletionBreaker first = process(3);
    destroyVolumes(first, 3);
    assertThat(first.admit(nextVolume())).isEqualTo(Admission.HELD);
    time.advance(Duration.ofDays(3));
    DeletionBreaker next = process(3);
    next.recall();
    assertThat(next.isHolding()).isTrue();
    assertThat(next.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(next.describeHold()).contains("3 volumes", "mooring resume-deletions");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 1000})
  void admit_anyLimit_storesEachDeletionBeforeItPassesInFewWrites(int most)
      throws InterruptedException {
    DeletionBreaker breaker = process(most);
    for (int i = 1; i <= most; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      assertThat(store.counted()).as("stored count").isBetween(i, i + most / 20);
      breaker.destroyed(volume);
    }
    assertThat(store.writes).isLessThanOrEqualTo(Math.min(most, 20));
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(store.state().hold()).isEqualTo(Hold.LIMIT);
  }

  @Test
  void admit_storeCannotBeRead_destroysNothing() throws InterruptedException {
    DeletionBreaker breaker = process(3);
    store.problem = "unavailable";
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.FULL);
    store.problem = "";
    destroyVolumes(breaker, 1);
  }

  @Test
  void admit_storeCannotBeWritten_destroysNothingUntilItCan() throws InterruptedException {
    DeletionBreaker breaker = process(3);
    destroyVolumes(breaker, 1);
    store.problem = "unavailable";
    for (int i = 0; i < 10; i++) {
      assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.FULL);
    }
    store.problem = "";
    destroyVolumes(breaker, 2);
    store.problem = "unavailable";
    assertThat(breaker.admit(nextVolume()))
        .as("the limit holds without a store")
        .isEqualTo(Admission.HELD);
    store.problem = "";
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(store.state().hold()).as("stored late").isEqualTo(Hold.LIMIT);
  }

  @Test
  void spared_manyTimes_takesNothingOffTheStoredCount() throws InterruptedException {
    DeletionBreaker breaker = process(3);
    for (int i = 0; i < 50; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.spared(volume);
    }
    assertThat(store.writes).as("writes; the stored deletion is reused").isOne();
    destroyVolumes(process(3), 2);
  }

  @Test
  void resume_held_endsTheHoldForTheNextProcessToo() throws InterruptedException {
    DeletionBreaker breaker = process(3);
    destroyVolumes(breaker, 3);
    breaker.admit(nextVolume());
    store.problem = "unavailable";
    assertThat(breaker.resume()).isEqualTo("unavailable");
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    store.problem = "";
    assertThat(breaker.resume()).isEmpty();
    destroyVolumes(process(3), 3);
  }

  @Test
  void holdAfterRestore_isStoredAndHeldByTheNextProcess() throws InterruptedException {
    DeletionBreaker breaker = process(3);
    breaker.holdAfterRestore();
    breaker.holdAfterRestore();
    assertThat(breaker.trips()).as("each informer reports the same restore").isOne();
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(breaker.describeHold()).contains("restore", "mooring resume-deletions");
    DeletionBreaker next = process(3);
    assertThat(next.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(next.describeHold()).contains("restore");
  }

  @Test
  void standby_leaderWasResumedAfterTheRestore_doesNotHoldAgain() throws InterruptedException {
    DeletionBreaker leader = process(3);
    DeletionBreaker standby = process(3);
    leader.holdAfterRestore();
    standby.holdAfterRestore();
    time.advance(Duration.ofMinutes(1));
    assertThat(leader.resume()).isEmpty();
    destroyVolumes(standby, 3);
  }

  @Test
  void holdAfterRestore_noLimit_holdsNothing() throws InterruptedException {
    DeletionBreaker off = process(0);
    off.holdAfterRestore();
    destroyVolumes(off, 10);
    assertThat(store.writes).isZero();
  }

  @Test
  void text_manyDeletions_isBounded() throws InterruptedException {
    DeletionBreaker breaker = process(1_000_000);
    for (int i = 0; i < 5_000; i++) {
      destroyVolumes(breaker, 20);
      time.advance(Duration.ofMillis(117));
    }
    assertThat(store.text.length()).isLessThan(600);
  }

  @Test
  void text_anyState_isReadBack() {
    BreakerState state =
        new BreakerState(
            Hold.RESTORE,
            Instant.ofEpochSecond(1_700_000_000),
            List.of(new Counted(Instant.ofEpochSecond(1_700_000_100), 7)));
    assertThat(BreakerState.parse(state.text())).isEqualTo(state);
    assertThat(BreakerState.parse(BreakerState.EMPTY.text())).isEqualTo(BreakerState.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "NONE", "NONE x", "HELD 1", "NONE 1 2", "NONE 1 a:b", "NONE 1 1:"})
  void parse_foreignText_isRefused(String text) {
    assertThatThrownBy(() -> BreakerState.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
