package dev.mooring.it.sim;

import dev.mooring.informer.ListWatchException.Why;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What goes wrong with the watches of a process: errors in their streams, lists that break off in
 * their middle, silence that is noticed after a while, and versions that go back.
 */
final class Trouble {
  /** A silent watch is noticed within that time. */
  private static final long NOTICED_NANOS = 15_000_000_000L;

  private static final List<Why> ERRORS =
      List.of(
          Why.EXPIRED,
          Why.FUTURE_VERSION,
          Why.THROTTLED,
          Why.FAILED,
          Why.UNAUTHENTICATED,
          Why.FORBIDDEN);

  private final Random random;
  private final SimClock clock;
  private final Supplier<List<SimWatch<?>>> watches;
  private final Consumer<String> note;

  /**
   * For whoever has those watches at the time.
   *
   * @param note takes what happens, for people
   */
  Trouble(
      Random random, SimClock clock, Supplier<List<SimWatch<?>>> watches, Consumer<String> note) {
    this.random = random;
    this.clock = clock;
    this.watches = watches;
    this.note = note;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Something happens to some watch, or to all of them. */
  void happen() {
    int what = random.nextInt(10);
    if (what < 4) {
      mute(any(watches.get()));
    } else if (what == 4) {
      watches.get().forEach(this::mute);
    } else if (what < 9) {
      error(any(watches.get()));
    } else {
      watches.get().forEach(this::error);
    }
  }

  private void mute(SimWatch<?> watch) {
    note.accept("watch of " + watch.kind() + " goes silent");
    watch.mute(clock.now());
  }

  private void error(SimWatch<?> watch) {
    Why why = any(ERRORS);
    int broken = random.nextInt(3);
    note.accept("watch of " + watch.kind() + ": " + why + ", then " + broken + " broken lists");
    watch.fail(why, broken);
  }

  /** The server has another past than before: every watch finds out when it next says something. */
  void restored() {
    watches.get().forEach(watch -> watch.expect(Why.FUTURE_VERSION));
  }

  /** Silence that has lasted long enough is noticed. */
  void notice() {
    for (SimWatch<?> watch : watches.get()) {
      if (watch.isSilentSince(clock.now() - NOTICED_NANOS)) {
        note.accept("watch of " + watch.kind() + " has been silent for too long");
        watch.fail(Why.SILENT, 0);
      }
    }
  }

  /** All is well again. */
  void end() {
    for (SimWatch<?> watch : watches.get()) {
      if (watch.isSilentSince(clock.now())) {
        watch.fail(Why.SILENT, 0);
      }
    }
  }
}
