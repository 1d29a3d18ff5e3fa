package dev.mooring.benchmarks.pace;

import dev.mooring.benchmarks.SvgChart.ChartPoint;
import dev.mooring.benchmarks.pace.SimulatedQueue.Completion;
import dev.mooring.csi.state.DriverPace.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Runs simulated clouds.
 *
 * @param seed repeats a run
 */
record PaceSimulation(long seed) {
  static final List<Double> RATES = List.of(10.0, 100.0, 5.0);

  static final double PHASE_SECONDS = 180;

  static final int DEFAULT_WORKERS = 100;

  private static final List<Integer> TUNED_WORKERS = List.of(1, 2, 4, 8, 16, 32, 64, 100, 200);
  private static final List<Double> TUNED_MULTIPLES = List.of(0.9, 0.95, 1.0, 1.05, 1.2);
  private static final int BACKLOG = 30_000;
  private static final double STORM_MEAN_SECONDS = 1.5;
  private static final double STORM_RATE = 10;
  private static final double ATTACH_RATE = 2;
  private static final double STORM_SECONDS = 300;
  static final int STORM_DETACHES = 1000;
  private static final double PERCENTILE = 0.99;

  /**
   * One phase of a cloud.
   *
   * @param rate calls per second that the cloud accepts
   * @param adaptive completed calls per second with the adaptive pace
   * @param tuned completed calls per second with the best constant for this phase
   * @param untuned completed calls per second with {@link #DEFAULT_WORKERS} workers and no limit
   */
  record Phase(double rate, double adaptive, double tuned, double untuned) {
    double share() {
      return adaptive / tuned;
    }
  }

  /**
   * Time until attachments are attached, in seconds.
   *
   * @param alone without detachments
   * @param adaptive beside a storm of detachments
   * @param untuned beside the storm, without the adaptive pace
   */
  record AttachTimes(double alone, double adaptive, double untuned) {
    double ratio() {
      return adaptive / alone;
    }
  }

  private interface LimitChoice extends Function<EventClock, PaceLimit> {}

  List<Phase> runPhases() {
    List<Completion> adaptive = runPhases(RATES, PaceLimit::adaptive, DEFAULT_WORKERS);
    List<Completion> untuned = runPhases(RATES, PaceLimit::none, DEFAULT_WORKERS);
    List<Phase> phases = new ArrayList<>();
    for (int i = 0; i < RATES.size(); i++) {
      double rate = RATES.get(i);
      phases.add(new Phase(rate, computeRate(adaptive, i), tune(rate), computeRate(untuned, i)));
    }
    return phases;
  }

  // An operator tunes the workers or the rate; each constant is tried on the phase alone.
  private double tune(double rate) {
    Stream<List<Completion>> byWorkers =
        TUNED_WORKERS.stream().map(workers -> runPhases(List.of(rate), PaceLimit::none, workers));
    Stream<List<Completion>> byRate =
        TUNED_MULTIPLES.stream()
            .map(multiple ->
                runPhases(
                    List.of(rate),
                    clock -> PaceLimit.constant(clock, rate * multiple),
                    2 * DEFAULT_WORKERS));
    return Stream.concat(byWorkers, byRate)
        .mapToDouble(completions -> computeRate(completions, 0))
        .max()
        .orElseThrow();
  }

  private List<Completion> runPhases(List<Double> rates, LimitChoice limit, int workers) {
    EventClock clock = new EventClock();
    Random random = new Random(seed);
    SimulatedCloud cloud = new SimulatedCloud(clock, random, 0.3, rates.getFirst());
    SimulatedQueue queue = new SimulatedQueue(clock, cloud, limit.apply(clock), random, workers);
    queue.add(Lane.ATTACH, BACKLOG);
    for (int i = 0; i < rates.size(); i++) {
      cloud.setRate(rates.get(i));
      clock.runUntil((i + 1) * PHASE_SECONDS);
    }
    return queue.completions();
  }

  private static double computeRate(List<Completion> completions, int phase) {
    return completions.stream()
            .mapToDouble(Completion::end)
            .filter(end -> (int) (end / PHASE_SECONDS) == phase)
            .count()
        / PHASE_SECONDS;
  }

  List<ChartPoint> plotPhases() {
    List<Completion> completions = runPhases(RATES, PaceLimit::adaptive, DEFAULT_WORKERS);
    int seconds = (int) (RATES.size() * PHASE_SECONDS);
    double[] counts = new double[seconds / 5];
    completions.forEach(
        completion -> counts[Math.min(counts.length - 1, (int) (completion.end() / 5))] += 0.2);
    List<ChartPoint> points = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      points.add(new ChartPoint(5.0 * i, counts[i]));
    }
    return points;
  }

  AttachTimes measureAttachTimes() {
    return new AttachTimes(
        measureAttachTime(PaceLimit::adaptive, 0),
        measureAttachTime(PaceLimit::adaptive, STORM_DETACHES),
        measureAttachTime(PaceLimit::none, STORM_DETACHES));
  }

  private double measureAttachTime(LimitChoice limit, int detaches) {
    EventClock clock = new EventClock();
    Random latencies = new Random(seed);
    SimulatedCloud cloud = new SimulatedCloud(clock, latencies, STORM_MEAN_SECONDS, STORM_RATE);
    SimulatedQueue queue =
        new SimulatedQueue(clock, cloud, limit.apply(clock), new Random(seed + 1), DEFAULT_WORKERS);
    Random arrivals = new Random(seed + 2);
    double arrival = 0;
    while (arrival < STORM_SECONDS) {
      arrival += -Math.log(1 - arrivals.nextDouble()) / ATTACH_RATE;
      clock.schedule(arrival, () -> queue.add(Lane.ATTACH, 1));
    }
    clock.schedule(STORM_SECONDS / 10, () -> queue.add(Lane.DETACH, detaches));
    clock.runUntil(STORM_SECONDS * 2);
    return percentile(
        queue.completions().stream()
            .filter(completion -> completion.lane() == Lane.ATTACH)
            .mapToDouble(Completion::seconds));
  }

  private static double percentile(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[(int) (PERCENTILE * (sorted.length - 1))];
  }
}
