package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.soak.Replica.ReplicaSample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Schedules the incidents of a soak and records the resource usage of the replicas. */
final class SoakSchedule {
  static final int RESTARTS = 5;

  /** The kills come early, so that the last run of a replica is long enough to show growth. */
  static final int KILLS = 2;

  private static final Duration SAMPLE_INTERVAL = Duration.ofSeconds(10);

  /** The part of the soak between two restarts of the server, and between two kills of a leader. */
  private static final double INCIDENT_INTERVAL = 1.0 / 6;

  /** The part of the soak before the first restart of the server. */
  private static final double FIRST_RESTART = INCIDENT_INTERVAL / 2;

  /** Downtime of the first restart. Each later downtime is longer by the same duration. */
  private static final Duration DOWNTIME_STEP = Duration.ofSeconds(5);

  private static final double RELOAD_INTERVAL_SECONDS = 60;

  /** Shorter phases may consist of warm-up only. */
  private static final double MIN_PHASE_SECONDS = 600;

  private final RestartingServer server;
  private final ReplicaSupervisor replicas;
  private final ChangingPlugin plugin;
  private final SimulatedUsers users;
  private final List<ReplicaSample> samples = new ArrayList<>();
  private final List<SampleChart.Mark> marks = new ArrayList<>();
  private int restarts;
  private int kills;

  SoakSchedule(
      RestartingServer server,
      ReplicaSupervisor replicas,
      ChangingPlugin plugin,
      SimulatedUsers users) {
    this.server = server;
    this.replicas = replicas;
    this.plugin = plugin;
    this.users = users;
  }

  void run(double totalSeconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (double elapsed = 0; elapsed < totalSeconds; elapsed = (System.nanoTime() - start) / 1e9) {
      LockSupport.parkNanos(SAMPLE_INTERVAL.toNanos());
      causeIncidents(elapsed, elapsed / totalSeconds);
      double seconds = (System.nanoTime() - start) / 1e9;
      List<ReplicaSample> newSamples = replicas.measure(seconds);
      samples.addAll(newSamples);
      newSamples.forEach(sample -> System.err.println(sample.phase() + ": " + sample.sample()));
      System.err.println(
          users.completedCycles()
              + " cycles, failures of users: "
              + users.failures()
              + ", exits: "
              + replicas.exits()
              + ", failures of replicas: "
              + replicas.failures());
    }
  }

  private void causeIncidents(double seconds, double progress)
      throws IOException, InterruptedException {
    if (seconds >= plugin.versionCount() * RELOAD_INTERVAL_SECONDS) {
      plugin.replace();
    }
    if (restarts < RESTARTS && progress >= FIRST_RESTART + restarts * INCIDENT_INTERVAL) {
      restarts++;
      marks.add(new SampleChart.Mark(seconds, "#7bd"));
      server.restart(DOWNTIME_STEP.multipliedBy(restarts));
    }
    if (kills < KILLS && progress >= (kills + 1) * INCIDENT_INTERVAL) {
      Optional<Replica> leader = replicas.leader();
      if (leader.isPresent()) {
        kills++;
        marks.add(new SampleChart.Mark(seconds, "#d55"));
        leader.get().kill();
      }
    }
  }

  int restarts() {
    return restarts;
  }

  int kills() {
    return kills;
  }

  /** Returns the samples in order of time. */
  List<ReplicaSample> samples() {
    return List.copyOf(samples);
  }

  /** Groups samples by the replica's run and by leadership. */
  private Map<String, List<ResourceSample>> phases() {
    Map<String, List<ResourceSample>> phases = new LinkedHashMap<>();
    for (ReplicaSample sample : samples) {
      phases.computeIfAbsent(sample.phase(), key -> new ArrayList<>()).add(sample.sample());
    }
    return phases;
  }

  String chart(String title) {
    List<SampleChart.Line> lines = new ArrayList<>();
    phases()
        .forEach((phase, phaseSamples) ->
            lines.add(
                new SampleChart.Line(phase.endsWith("leading") ? "#2a7" : "#999", phaseSamples)));
    return new SampleChart(
            title,
            "green: leader, grey: standby; red: leader killed, blue: server restarted; a plugin is replaced every minute",
            lines,
            marks)
        .addRow("resident memory, MiB", ResourceSample::residentMib)
        .addRow("heap after a collection, MiB", ResourceSample::heapMib)
        .addRow("threads", ResourceSample::threads)
        .addRow("open files", ResourceSample::files)
        .toSvg();
  }

  /** Checks that no value grows after the warm-up. */
  void verify() {
    int verified = 0;
    for (Map.Entry<String, List<ResourceSample>> phase : phases().entrySet()) {
      List<ResourceSample> phaseSamples = phase.getValue();
      double phaseSeconds = phaseSamples.getLast().seconds() - phaseSamples.getFirst().seconds();
      if (phaseSeconds < MIN_PHASE_SECONDS) {
        continue;
      }
      List<ResourceSample> warmSamples =
          phaseSamples.subList(phaseSamples.size() / 3, phaseSamples.size());
      verify(
          phase.getKey() + ", resident memory",
          Trend.of(warmSamples, ResourceSample::residentMib),
          0.1,
          2);
      verify(phase.getKey() + ", heap", Trend.of(warmSamples, ResourceSample::heapMib), 0.1, 1);
      verify(phase.getKey() + ", threads", Trend.of(warmSamples, ResourceSample::threads), 0.1, 3);
      verify(phase.getKey() + ", open files", Trend.of(warmSamples, ResourceSample::files), 0.1, 5);
      verified++;
    }
    if (verified == 0) {
      System.err.printf(
          "no phase lasted %d minutes: growth is not checked%n",
          TimeUnit.SECONDS.toMinutes((long) MIN_PHASE_SECONDS));
    }
  }

  private static void verify(String name, Trend trend, double relativeLimit, double absoluteLimit) {
    System.err.println(name + ": " + trend);
    assertThat(trend.growth())
        .as(name + " " + trend)
        .isLessThan(trend.mean() * relativeLimit + absoluteLimit);
  }
}
