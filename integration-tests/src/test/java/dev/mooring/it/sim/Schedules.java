package dev.mooring.it.sim;

import dev.mooring.reconcile.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Plays seeded schedules: {@code -Dmooring.sim.schedules=N -Dmooring.sim.first=SEED} says which. A
 * seed that fails is named and replays alone, in a debugger too.
 *
 * @param of the schedule of a seed
 */
record Schedules<S extends Schedules.Schedule>(LongFunction<S> of) {
  /** From this seed on more happens in a world. */
  static final long WIDE = 1_000_000;

  /** From this seed on the server goes wrong in more ways too. */
  static final long FAULTY = 2_000_000;

  /** From this seed on a standby takes over whose watches have been silent. */
  static final long TAKEOVERS = 3_000_000;

  /** From this seed on the server answers nobody for ten minutes before all is well. */
  static final long OUTAGES = 4_000_000;

  /** From this seed on writes of processes that were killed arrive when others have taken over. */
  static final long LATE = 5_000_000;

  /** So long it is out. */
  static final long OUTAGE_NANOS = Duration.ofMinutes(10).toNanos();

  /** As soon after that everything is done: the longest pause, and what is done in many steps. */
  static final long RECOVERY_NANOS = Outcome.UNANSWERED_LONGEST.multipliedBy(2).toNanos();

  /** How many are played, unless a test says otherwise. */
  static final long COUNT = Long.getLong("mooring.sim.schedules", 300);

  private static final long FIRST = Long.getLong("mooring.sim.first", 1);
  private static final long REPLAYED = 50;

  /** What follows from a seed, with the world that it happens in. */
  interface Schedule {
    /** Runs the whole schedule. */
    void run();

    /** What happened last, for the report of a failure. */
    String history();
  }

  /** Plays one. */
  S play(long seed) {
    S schedule = of.apply(seed);
    try {
      schedule.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + ": " + e.getMessage() + "\nlast steps:\n" + schedule.history(), e);
    }
    return schedule;
  }

  /** Plays all, and hands over each after it has ended; on many threads. */
  void playAll(Consumer<S> after) {
    play(FIRST, COUNT, after);
  }

  /** Plays so many, and hands over each after it has ended. */
  void playMany(long count, Consumer<S> after) {
    play(FIRST, count, after);
  }

  /** Plays so many of the wider world, and hands over each after it has ended. */
  void playManyWide(long count, Consumer<S> after) {
    play(WIDE + FIRST, count, after);
  }

  /** Plays a quarter as many in the wider world. */
  void playWide() {
    play(WIDE + FIRST, COUNT / 4, schedule -> {});
  }

  /** Plays an eighth as many in a wider world in which more goes wrong. */
  void playFaulty() {
    play(FAULTY + FIRST, COUNT / 8, schedule -> {});
  }

  /** Plays half as many in which a standby takes over. */
  void playTakeovers() {
    play(TAKEOVERS + FIRST, COUNT / 2, schedule -> {});
  }

  /** Plays an eighth as many with an outage. */
  void playOutages() {
    play(OUTAGES + FIRST, COUNT / 8, schedule -> {});
  }

  /** Plays half as many in which writes of killed processes arrive late. */
  void playLate() {
    play(LATE + FIRST, COUNT / 2, schedule -> {});
  }

  private void play(long first, long count, Consumer<S> after) {
    LongStream.range(first, first + count).parallel().mapToObj(this::play).forEach(after);
  }

  /** What the histories of some come to. */
  List<String> histories() {
    return LongStream.rangeClosed(1, REPLAYED)
        .parallel()
        .mapToObj(seed -> seed + " " + play(seed).history().hashCode())
        .toList();
  }

  /**
   * The same, printed by another process: sets that are in another order there show a schedule that
   * depends on it, whose seed would be worth nothing to whom it is told.
   *
   * @param main the class whose main method prints them
   */
  static List<String> historiesElsewhere(Class<?> main) throws IOException, InterruptedException {
    java.lang.Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed.lines().toList();
  }
}
