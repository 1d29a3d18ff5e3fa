package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays seeded schedules of all workloads in all their modes. {@link SchedulePlayer} lists the
 * system properties.
 */
@ExtendWith(SilencedLogs.class)
class SimulationTest {
  /**
   * Minimum number of schedules for a check of the counts; in fewer, a rare situation may not
   * occur.
   */
  private static final int MIN_SCHEDULES = 20;

  private static Stream<Arguments> workloadsAndModes() {
    return Arrays.stream(WorkloadType.values())
        .filter(type -> type.name().matches(System.getProperty("mooring.sim.only", ".*")))
        .flatMap(type ->
            Arrays.stream(FaultMode.values())
                .filter(type.shares()::containsKey)
                .map(mode -> Arguments.of(type, mode)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  @MethodSource("workloadsAndModes")
  void schedules_inEveryMode_breakNoInvariant(WorkloadType type, FaultMode mode) {
    Map<String, Long> eventCounts = new ConcurrentHashMap<>();
    Map<String, Double> minimumRates = new ConcurrentHashMap<>();
    long count =
        new SchedulePlayer(type)
            .play(
                mode,
                (simulation, seed) -> {
                  Workload workload = simulation.workload();
                  workload
                      .occurrences()
                      .forEach((what, often) -> eventCounts.merge(what, often, Long::sum));
                  minimumRates.putAll(workload.minimumOccurrences());
                });
    System.out.println(type + " " + mode + ": " + count + " schedules, " + eventCounts);
    // schedules in which the interesting situations never occur prove nothing
    if (count >= MIN_SCHEDULES) {
      minimumRates.forEach((what, often) ->
          assertThat((double) eventCounts.get(what) / count)
              .describedAs(what)
              .isGreaterThanOrEqualTo(often));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "mooring.sim.replay", matches = "[A-Z]+:[0-9]+")
  void schedule_ofGivenSeed_isReplayed() {
    List<String> typeAndSeed = List.of(System.getProperty("mooring.sim.replay").split(":"));
    new SchedulePlayer(WorkloadType.valueOf(typeAndSeed.getFirst()))
        .play(Long.parseLong(typeAndSeed.getLast()));
  }
}
