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
import java.util.function.ObjLongConsumer;

/**
 * Plays seeded schedules: {@code -Dmooring.sim.schedules=N -Dmooring.sim.first=NUMBER} says how
 * many and which, {@code -Dmooring.sim.replay=WORKLOAD:SEED} plays one alone. A seed that fails is
 * named, and replays alone, in a debugger too. {@code -Dmooring.sim.only=REGEX} chooses workloads.
 *
 * @param workloads of which simulations
 */
record Schedules(Workloads workloads) {
  /** So long the server is out. */
  static final long OUTAGE_NANOS = Duration.ofMinutes(10).toNanos();

  /** As soon after that everything is done: the longest pause, and what is done in many steps. */
  static final long RECOVERY_NANOS = Outcome.UNANSWERED_LONGEST.multipliedBy(2).toNanos();

  /** How many are played, unless a test says otherwise. */
  private static final long COUNT = Long.getLong("mooring.sim.schedules", 300);

  private static final long FIRST = Long.getLong("mooring.sim.first", 1);
  private static final long REPLAYED = 4;

  /** Plays one. */
  Simulation play(long seed) {
    Simulation simulation = new Simulation(workloads, seed);
    try {
      simulation.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s:%d (%s): %s%nlast steps:%n%s"
              .formatted(workloads, seed, Mode.of(seed), e.getMessage(), simulation.history()),
          e);
    }
    return simulation;
  }

  /**
   * Plays the share of a mode, and hands over each after it has ended; on many threads.
   *
   * @return how many there were
   */
  long play(Mode mode, ObjLongConsumer<Simulation> after) {
    long count = Math.max(1, (long) (COUNT * workloads.shares().get(mode)));
    play(mode.seed(FIRST), count, after);
    return count;
  }

  /**
   * Several at once, on virtual threads: a schedule hands over to its threads, which are virtual
   * too, and back with every step, and between a thread of the system and a virtual one the kernel
   * does that.
   */
  private void play(long first, long count, ObjLongConsumer<Simulation> after) {
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

  private void playSome(AtomicLong seeds, long end, ObjLongConsumer<Simulation> after) {
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

  /** What the histories of some come to, of every mode. */
  List<String> histories() {
    List<String> histories = new ArrayList<>();
    for (Mode mode : workloads.shares().keySet().stream().sorted().toList()) {
      long first = mode.seed(1);
      String[] some = new String[(int) REPLAYED];
      play(
          first,
          REPLAYED,
          (simulation, seed) ->
              some[(int) (seed - first)] = seed + " " + simulation.history().hashCode());
      histories.addAll(List.of(some));
    }
    return histories;
  }

  /** Prints the histories of the simulations that it is given. */
  static void main(String... workloads) {
    for (String name : workloads) {
      new Schedules(Workloads.valueOf(name)).histories().forEach(System.out::println);
    }
  }

  /**
   * The same, printed by another process: sets that are in another order there show a schedule that
   * depends on it, whose seed would be worth nothing to whom it is told.
   */
  List<String> historiesElsewhere() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Schedules.class.getName(),
                workloads.name())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed.lines().toList();
  }
}
