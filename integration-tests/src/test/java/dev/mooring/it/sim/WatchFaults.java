package dev.mooring.it.sim;

import dev.mooring.informer.ListWatchException.Reason;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Fault: broken watches. A watch stream ends with an error, a list breaks off in the middle, a
 * watch goes silent, or resource versions go back after a restore.
 */
final class WatchFaults {
  /** Time until a process notices a silent watch. */
  private static final long NOTICED_NANOS = 15_000_000_000L;

  private static final List<Reason> ERRORS =
      List.of(
          Reason.EXPIRED,
          Reason.FUTURE_VERSION,
          Reason.THROTTLED,
          Reason.FAILED,
          Reason.UNAUTHENTICATED,
          Reason.FORBIDDEN);

  private final Random random;
  private final SimClock clock;
  private final Supplier<List<SimWatch<?>>> watches;
  private final Consumer<String> history;

  /**
   * Creates the fault for the watches of all running processes.
   *
   * @param watches supplies the watches at the time of the fault
   * @param history receives a line for the history
   */
  WatchFaults(
      Random random,
      SimClock clock,
      Supplier<List<SimWatch<?>>> watches,
      Consumer<String> history) {
    this.random = random;
    this.clock = clock;
    this.watches = watches;
    this.history = history;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** Breaks one watch, or all of them. */
  void breakWatches() {
    int draw = random.nextInt(10);
    if (draw < 4) {
      mute(pick(watches.get()));
    } else if (draw == 4) {
      watches.get().forEach(this::mute);
    } else if (draw < 9) {
      error(pick(watches.get()));
    } else {
      watches.get().forEach(this::error);
    }
  }

  private void mute(SimWatch<?> watch) {
    history.accept("watch of " + watch.kind() + " goes silent");
    watch.silence(clock.now());
  }

  private void error(SimWatch<?> watch) {
    Reason reason = pick(ERRORS);
    int broken = random.nextInt(3);
    history.accept(
        "watch of " + watch.kind() + ": " + reason + ", then " + broken + " broken lists");
    watch.fail(reason, broken);
  }

  /**
   * Makes the next event of every watch an error, because the API server was restored to older
   * versions.
   */
  void onRestore() {
    watches.get().forEach(watch -> watch.failNext(Reason.FUTURE_VERSION));
  }

  /** Ends watches that have been silent for too long. */
  void endSilentWatches() {
    for (SimWatch<?> watch : watches.get()) {
      if (watch.isSilentSince(clock.now() - NOTICED_NANOS)) {
        history.accept("watch of " + watch.kind() + " has been silent for too long");
        watch.fail(Reason.SILENT, 0);
      }
    }
  }

  /** Ends all silent watches, so that they list again. */
  void endAllSilentWatches() {
    for (SimWatch<?> watch : watches.get()) {
      if (watch.isSilentSince(clock.now())) {
        watch.fail(Reason.SILENT, 0);
      }
    }
  }
}
