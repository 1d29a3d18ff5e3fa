package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Uid;
import dev.mooring.storage.BreakerState.DeletionCount;
import dev.mooring.storage.BreakerState.Hold;
import dev.mooring.storage.DeletionBreaker.Admission;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredBreakerTest {
  private static final Duration WINDOW = Duration.ofMinutes(10);

  // Stores the text, as an annotation does.
  private static final class Store implements BreakerStore {
    private String text = BreakerState.EMPTY.toText();
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
        text = state.toText();
      }
      return problem;
    }

    @Override
    public String update(UnaryOperator<BreakerState> change) {
      return problem.isEmpty() ? save(change.apply(state())) : problem;
    }

    BreakerState state() {
      return BreakerState.parse(text);
    }

    int storedCount() {
      return state().counts().stream().mapToInt(DeletionCount::deletions).sum();
    }
  }

  private final SimTime time = new SimTime();
  private final Store store = new Store();
  private int last;

  private DeletionBreaker startProcess(int limit) {
    DeletionBreaker breaker = new DeletionBreaker(limit, WINDOW, time);
    breaker.setStore(store);
    return breaker;
  }

  private Uid nextVolume() {
    return Uid.of("v" + ++last);
  }

  private void destroyVolumes(DeletionBreaker breaker, int volumes) throws InterruptedException {
    for (int i = 0; i < volumes; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).as("volume %s", volume).isEqualTo(Admission.GRANTED);
      breaker.recordDestroyed(volume);
    }
  }

  @Test
  void nextProcess_countBelowLimit_continuesCount() throws InterruptedException {
    destroyVolumes(startProcess(3), 2);
    time.advance(Duration.ofMinutes(5));
    DeletionBreaker nextProcess = startProcess(3);
    destroyVolumes(nextProcess, 1);
    assertThat(nextProcess.admit(nextVolume())).isEqualTo(Admission.HELD);
  }

  @Test
  void nextProcess_countOlderThanWindow_startsAtZero() throws InterruptedException {
    destroyVolumes(startProcess(3), 2);
    time.advance(WINDOW);
    destroyVolumes(startProcess(3), 3);
  }

  @Test
  void nextProcess_deletionsHeldDaysAgo_holdsDeletions() throws InterruptedException {
    DeletionBreaker firstProcess = startProcess(3);
    destroyVolumes(firstProcess, 3);
    assertThat(firstProcess.admit(nextVolume())).isEqualTo(Admission.HELD);
    time.advance(Duration.ofDays(3));
    DeletionBreaker nextProcess = startProcess(3);
    nextProcess.syncHold();
    assertThat(nextProcess.isHolding()).isTrue();
    assertThat(nextProcess.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(nextProcess.describeHold()).contains("3 volumes", "mooring resume-deletions");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 1000})
  void admit_anyLimit_storesEachDeletionFirstInFewWrites(int limit) throws InterruptedException {
    DeletionBreaker breaker = startProcess(limit);
    for (int i = 1; i <= limit; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      assertThat(store.storedCount()).as("stored count").isBetween(i, i + limit / 20);
      breaker.recordDestroyed(volume);
    }
    assertThat(store.writes).isLessThanOrEqualTo(Math.min(limit, 20));
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(store.state().hold()).isEqualTo(Hold.LIMIT);
  }

  @Test
  void admit_unreadableStore_deniesDeletion() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    store.problem = "unavailable";
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.FULL);
    store.problem = "";
    destroyVolumes(breaker, 1);
  }

  @Test
  void admit_unwritableStore_deniesUntilWritable() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
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
  void failedDeletion_manyTimes_reusesStoredCount() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    for (int i = 0; i < 50; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.recordNotDestroyed(volume);
    }
    assertThat(store.writes).as("writes; the stored deletion is reused").isOne();
    destroyVolumes(startProcess(3), 2);
  }

  @Test
  void resume_duringHold_alsoEndsHoldOfNextProcess() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    destroyVolumes(breaker, 3);
    breaker.admit(nextVolume());
    store.problem = "unavailable";
    assertThat(breaker.resume()).isEqualTo("unavailable");
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    store.problem = "";
    assertThat(breaker.resume()).isEmpty();
    destroyVolumes(startProcess(3), 3);
  }

  @Test
  void holdAfterRestore_reportedTwice_isStoredForNextProcess() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    breaker.holdAfterRestore();
    breaker.holdAfterRestore();
    assertThat(breaker.tripCount()).as("each informer reports the same restore").isOne();
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(breaker.describeHold()).contains("restore", "mooring resume-deletions");
    DeletionBreaker nextProcess = startProcess(3);
    assertThat(nextProcess.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(nextProcess.describeHold()).contains("restore");
  }

  // The callers request no deletion during a hold.
  @Test
  void syncHold_holdBeforeAnyRequest_isStoredForNextProcess() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    breaker.syncHold();
    breaker.holdAfterRestore();
    breaker.syncHold();
    DeletionBreaker nextProcess = startProcess(3);
    nextProcess.syncHold();
    assertThat(nextProcess.isHolding()).isTrue();
    assertThat(nextProcess.describeHold()).contains("restore");
  }

  @Test
  void syncHold_storeFailedDuringTrip_storesLimit() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    destroyVolumes(breaker, 3);
    store.problem = "unavailable";
    breaker.admit(nextVolume());
    store.problem = "";
    breaker.syncHold();
    assertThat(store.state().hold()).isEqualTo(Hold.LIMIT);
  }

  @Test
  void syncHold_nothingChanged_writesNothing() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    destroyVolumes(breaker, 1);
    breaker.syncHold();
    assertThat(store.writes).isOne();
    breaker.holdAfterRestore();
    breaker.syncHold();
    breaker.syncHold();
    assertThat(store.writes).isEqualTo(2);
  }

  @Test
  void syncHold_administratorHolds_holdsUntilResumed() throws InterruptedException {
    DeletionBreaker breaker = startProcess(1000);
    destroyVolumes(breaker, 1);
    store.text = "RESTORE 0";
    breaker.syncHold();
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(breaker.resume()).isEmpty();
    destroyVolumes(breaker, 1);
  }

  @Test
  void admit_administratorHolds_keepsStoredHold() throws InterruptedException {
    DeletionBreaker breaker = startProcess(3);
    destroyVolumes(breaker, 1);
    store.text = "RESTORE 0";
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(store.state().hold()).isEqualTo(Hold.RESTORE);
  }

  @Test
  void standby_leaderResumedAfterRestore_doesNotHold() throws InterruptedException {
    DeletionBreaker leader = startProcess(3);
    DeletionBreaker standby = startProcess(3);
    leader.holdAfterRestore();
    standby.holdAfterRestore();
    time.advance(Duration.ofMinutes(1));
    assertThat(leader.resume()).isEmpty();
    destroyVolumes(standby, 3);
  }

  @Test
  void holdAfterRestore_noLimit_holdsNothing() throws InterruptedException {
    DeletionBreaker unlimited = startProcess(0);
    unlimited.holdAfterRestore();
    destroyVolumes(unlimited, 10);
    assertThat(store.writes).isZero();
  }

  @Test
  void text_manyDeletions_isBounded() throws InterruptedException {
    DeletionBreaker breaker = startProcess(1_000_000);
    for (int i = 0; i < 5_000; i++) {
      destroyVolumes(breaker, 20);
      time.advance(Duration.ofMillis(117));
    }
    assertThat(store.text.length()).isLessThan(600);
  }

  @Test
  void text_anyState_parsesToEqualState() {
    BreakerState state =
        new BreakerState(
            Hold.RESTORE,
            Instant.ofEpochSecond(1_700_000_000),
            List.of(new DeletionCount(Instant.ofEpochSecond(1_700_000_100), 7)));
    assertThat(BreakerState.parse(state.toText())).isEqualTo(state);
    assertThat(BreakerState.parse(BreakerState.EMPTY.toText())).isEqualTo(BreakerState.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "NONE", "NONE x", "HELD 1", "NONE 1 2", "NONE 1 a:b", "NONE 1 1:"})
  void parse_foreignText_isRefused(String text) {
    assertThatThrownBy(() -> BreakerState.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
