package dev.mooring.it.sim;

import dev.mooring.reconcile.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;

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

  /** From this seed on attachments are removed by users as well. */
  static final long LATE_AND_REMOVED = 6_000_000;

  /** From this seed on what a process has given up may arrive while it goes on, too. */
  static final long GIVEN_UP = 7_000_000;

  /** From this seed on the controllers do just what Kubernetes' do. */
  static final long KUBERNETES = 8_000_000;

  /**
   * From this seed on a CSI driver makes and attaches volumes as well; the rest of the seed says
   * what else happens, as it does below.
   */
  static final long DRIVEN = 10_000_000;

  /** So long it is out. */
  static final long OUTAGE_NANOS = Duration.ofMinutes(10).toNanos();

  /** As soon after that everything is done: the longest pause, and what is done in many steps. */
  static final long RECOVERY_NANOS = Outcome.UNANSWERED_LONGEST.multipliedBy(2).toNanos();

  /** How many are played, unless a test says otherwise. */
  static final long COUNT = Long.getLong("mooring.sim.schedules", 300);

  private static final long FIRST = Long.getLong("mooring.sim.first", 1);
  private static final long REPLAYED = 25;

  /** What follows from a seed, with the world that it happens in. */
  interface Schedule {
    /** Runs the whole schedule. */
    void run();

    /** What happened last, for the report of a failure. */
    String history();
  }

  /** What else happens in a schedule, whether or not it has a CSI driver. */
  static long mode(long seed) {
    return seed % DRIVEN;
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
    play(FIRST, COUNT, (schedule, seed) -> after.accept(schedule));
  }

  /** Plays so many, and hands over each after it has ended. */
  void playMany(long count, Consumer<S> after) {
    play(FIRST, count, (schedule, seed) -> after.accept(schedule));
  }

  /** Plays so many of the wider world, and hands over each after it has ended. */
  void playManyWide(long count, Consumer<S> after) {
    play(WIDE + FIRST, count, (schedule, seed) -> after.accept(schedule));
  }

  /** Plays a quarter as many in the wider world. */
  void playWide() {
    play(WIDE + FIRST, share(4), (schedule, seed) -> {});
  }

  /** Plays an eighth as many in a wider world in which more goes wrong. */
  void playFaulty() {
    play(FAULTY + FIRST, share(8), (schedule, seed) -> {});
  }

  /** Plays half as many in which a standby takes over. */
  void playTakeovers() {
    play(TAKEOVERS + FIRST, share(2), (schedule, seed) -> {});
  }

  /** Plays an eighth as many with an outage. */
  void playOutages() {
    play(OUTAGES + FIRST, share(8), (schedule, seed) -> {});
  }

  /** Plays half as many in which writes of killed processes arrive late. */
  void playLate() {
    play(LATE + FIRST, share(2), (schedule, seed) -> {});
  }

  /** Plays half as many, and hands over each after it has ended. */
  void playHalf(Consumer<S> after) {
    play(FIRST, share(2), (schedule, seed) -> after.accept(schedule));
  }

  /** Plays an eighth as many in which a standby takes over. */
  void playSomeTakeovers() {
    play(TAKEOVERS + FIRST, share(8), (schedule, seed) -> {});
  }

  /** Plays an eighth as many in which writes of killed processes arrive late. */
  void playSomeLate() {
    play(LATE + FIRST, share(8), (schedule, seed) -> {});
  }

  /** Plays a quarter as many of those in which attachments are removed as well. */
  void playLateAndRemoved() {
    play(LATE_AND_REMOVED + FIRST, share(4), (schedule, seed) -> {});
  }

  /** Plays a quarter as many in which also what was given up arrives late. */
  void playGivenUp() {
    play(GIVEN_UP + FIRST, share(4), (schedule, seed) -> {});
  }

  /** Plays an eighth as many of them. */
  void playSomeGivenUp() {
    play(GIVEN_UP + FIRST, share(8), (schedule, seed) -> {});
  }

  /** Plays a quarter as many with controllers that do what Kubernetes' do. */
  void playKubernetes() {
    play(KUBERNETES + FIRST, share(4), (schedule, seed) -> {});
  }

  /** Such a part of all, and at least one: who replays a seed is not told that all went well. */
  private static long share(long part) {
    return Math.max(1, COUNT / part);
  }

  /**
   * Plays a tenth as many with a CSI driver, and hands over each after it has ended.
   *
   * @param mode what else happens
   */
  void playDriven(long mode, Consumer<S> after) {
    play(DRIVEN + mode + FIRST, share(10), (schedule, seed) -> after.accept(schedule));
  }

  /**
   * Several at once, on virtual threads: a schedule hands over to its threads, which are virtual
   * too, and back with every step, and between a thread of the system and a virtual one the kernel
   * does that.
   */
  private void play(long first, long count, ObjLongConsumer<S> after) {
    AtomicLong seeds = new AtomicLong(first);
    long end = first + count;
    List<Future<?>> players = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        players.add(threads.submit(() -> playSome(seeds, end, after)));
      }
    }
    players.forEach(Schedules::ended);
  }

  private void playSome(AtomicLong seeds, long end, ObjLongConsumer<S> after) {
    try {
      for (long seed = seeds.getAndIncrement(); seed < end; seed = seeds.getAndIncrement()) {
        after.accept(play(seed), seed);
      }
    } finally {
      seeds.set(end); // after a failure the others play no more
    }
  }

  private static void ended(Future<?> player) {
    switch (player.state()) {
      case SUCCESS -> {}
      case FAILED ->
          throw new AssertionError(player.exceptionNow().getMessage(), player.exceptionNow());
      case RUNNING, CANCELLED -> throw new IllegalStateException("broken off");
    }
  }

  /** What the histories of some come to. */
  List<String> histories() {
    return histories(1);
  }

  /** The same, from another seed on. */
  List<String> histories(long first) {
    String[] histories = new String[(int) REPLAYED];
    play(
        first,
        REPLAYED,
        (schedule, seed) ->
            histories[(int) (seed - first)] = seed + " " + schedule.history().hashCode());
    return List.of(histories);
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
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
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
