package dev.mooring.it.sim;

import dev.mooring.manager.telemetry.LogSetup;
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
 * Plays seeded schedules of a workload. A failure names its seed, which replays alone, also in a
 * debugger.
 *
 * <p>System properties: {@code mooring.sim.schedules=N} sets the number of schedules, {@code
 * mooring.sim.first=NUMBER} the first one, {@code mooring.sim.only=REGEX} the workloads. {@code
 * mooring.sim.replay=WORKLOAD:SEED} plays a single schedule. {@code mooring.sim.compared=N} sets
 * the number of schedules that {@link SeedTest} compares in every second mode.
 *
 * @param type the workload
 */
record SchedulePlayer(WorkloadType type) {
  /** Duration of an outage of the API server. */
  static final long OUTAGE_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * Time within which one queue must finish the work that an outage delayed. It covers the longest
   * back-off after an unanswered call, twice, since some work takes several steps.
   */
  static final long RECOVERY_NANOS = Outcome.UNANSWERED_LONGEST.multipliedBy(2).toNanos();

  private static final long COUNT = Long.getLong("mooring.sim.schedules", 40);

  private static final long FIRST = Long.getLong("mooring.sim.first", 1);

  /** Number of schedules that two JVMs compare in every second mode. */
  private static final int COMPARED = Integer.getInteger("mooring.sim.compared", 1);

  Simulation play(long seed) {
    Simulation simulation = new Simulation(type, seed);
    try {
      simulation.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s:%d (%s): %s%nlast steps:%n%s"
              .formatted(type, seed, FaultMode.of(seed), e.getMessage(), simulation.history()),
          e);
    }
    return simulation;
  }

  /**
   * Plays the workload's share of a mode on several threads.
   *
   * @param observer receives each simulation after its end, with its seed
   * @return the number of schedules
   */
  long play(FaultMode mode, ObjLongConsumer<Simulation> observer) {
    long count = Math.max(1, (long) (COUNT * type.shares().get(mode)));
    play(mode.seed(FIRST), count, observer);
    return count;
  }

  /**
   * Plays schedules in parallel on virtual threads. A schedule switches to one of its virtual
   * threads and back in every step. From a platform thread, each switch would go through the
   * kernel.
   */
  private void play(long firstSeed, long count, ObjLongConsumer<Simulation> observer) {
    AtomicLong seeds = new AtomicLong(firstSeed);
    long endSeed = firstSeed + count;
    List<Future<?>> players = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        players.add(threads.submit(() -> playSome(seeds, endSeed, observer)));
      }
    }
    players.forEach(SchedulePlayer::requireSuccess);
  }

  private void playSome(AtomicLong seeds, long endSeed, ObjLongConsumer<Simulation> observer) {
    try {
      for (long seed = seeds.getAndIncrement(); seed < endSeed; seed = seeds.getAndIncrement()) {
        observer.accept(play(seed), seed);
      }
    } finally {
      seeds.set(endSeed); // a failure ends the other players too
    }
  }

  private static void requireSuccess(Future<?> result) {
    switch (result.state()) {
      case SUCCESS -> {}
      case FAILED ->
          throw new AssertionError(result.exceptionNow().getMessage(), result.exceptionNow());
      case RUNNING, CANCELLED -> throw new IllegalStateException("interrupted");
    }
  }

  /**
   * Returns one line for each of a few schedules of every second mode: its seed and hashed history.
   * The workloads together cover all modes.
   */
  List<String> histories() {
    List<String> histories = new ArrayList<>();
    List<FaultMode> modes =
        type.shares().keySet().stream()
            .filter(mode -> (mode.ordinal() + type.ordinal()) % 2 == 0)
            .sorted()
            .toList();
    for (FaultMode mode : modes) {
      long firstSeed = mode.seed(1);
      String[] lines = new String[COMPARED];
      play(
          firstSeed,
          COMPARED,
          (simulation, seed) ->
              lines[(int) (seed - firstSeed)] =
                  type + ":" + seed + " " + simulation.history().hashCode());
      histories.addAll(List.of(lines));
    }
    return histories;
  }

  /** Prints the histories of all workloads. */
  static void main() {
    LogSetup.configure(false, false, true);
    for (WorkloadType type : WorkloadType.values()) {
      new SchedulePlayer(type).histories().forEach(System.out::println);
    }
  }

  /** Returns the histories of all workloads from another JVM. */
  static List<String> historiesOfOtherJvm() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dmooring.sim.compared=" + COMPARED,
                "-cp",
                System.getProperty("java.class.path"),
                SchedulePlayer.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().toList();
  }
}
