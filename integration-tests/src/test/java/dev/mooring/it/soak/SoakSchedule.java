package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.soak.Replica.Reading;
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

  /** The kills come early, so that the last life runs long enough to show growth. */
  static final int KILLS = 2;

  private static final Duration EVERY = Duration.ofSeconds(10);

  /**
   * The server restarts in the middle of each part; the leader is killed at the ends of the first
   * parts.
   */
  private static final double PART = 1.0 / 6;

  private static final double FIRST_PART_OF_RESTARTS = PART / 2;
  private static final Duration AWAY = Duration.ofSeconds(5); // increases with each restart
  private static final double RELOAD_SECONDS = 60;

  /** A process with less uptime may still be warming up. */
  private static final double LONG_ENOUGH_SECONDS = 600;

  private final RestartingServer server;
  private final ReplicaSupervisor fleet;
  private final ChangingPlugin plugin;
  private final SimulatedUsers lives;
  private final List<Reading> readings = new ArrayList<>();
  private final List<SampleChart.Mark> marks = new ArrayList<>();
  private int restarts;
  private int kills;

  SoakSchedule(
      RestartingServer server,
      ReplicaSupervisor fleet,
      ChangingPlugin plugin,
      SimulatedUsers lives) {
    this.server = server;
    this.fleet = fleet;
    this.plugin = plugin;
    this.lives = lives;
  }

  void run(double length) throws IOException, InterruptedException {
    long began = System.nanoTime();
    for (double now = 0; now < length; now = (System.nanoTime() - began) / 1e9) {
      LockSupport.parkNanos(EVERY.toNanos());
      act(now, now / length);
      double seconds = (System.nanoTime() - began) / 1e9;
      List<Reading> read = fleet.read(seconds);
      readings.addAll(read);
      read.forEach(reading -> System.err.println(reading.phase() + ": " + reading.sample()));
      System.err.println(
          lives.completedLives()
              + " lives, stuck: "
              + lives.stuck()
              + ", ends: "
              + fleet.ends()
              + ", troubles: "
              + fleet.failures());
    }
  }

  private void act(double seconds, double part) throws IOException, InterruptedException {
    if (seconds >= plugin.versions() * RELOAD_SECONDS) {
      plugin.replace();
    }
    if (restarts < RESTARTS && part >= FIRST_PART_OF_RESTARTS + restarts * PART) {
      restarts++;
      marks.add(new SampleChart.Mark(seconds, "#7bd"));
      server.restart(AWAY.multipliedBy(restarts));
    }
    if (kills < KILLS && part >= (kills + 1) * PART) {
      Optional<Replica> leader = fleet.leader();
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

  /** Returns the measurements in order of time. */
  List<Reading> readings() {
    return List.copyOf(readings);
  }

  /** Groups measurements by life and by leadership. */
  private Map<String, List<ResourceSample>> phases() {
    Map<String, List<ResourceSample>> phases = new LinkedHashMap<>();
    for (Reading reading : readings) {
      phases.computeIfAbsent(reading.phase(), p -> new ArrayList<>()).add(reading.sample());
    }
    return phases;
  }

  String chart(String title) {
    List<SampleChart.Line> lines = new ArrayList<>();
    phases()
        .forEach((phase, samples) ->
            lines.add(new SampleChart.Line(phase.endsWith("leading") ? "#2a7" : "#999", samples)));
    return new SampleChart(
            title,
            "green: leader, grey: standby; red: leader killed, blue: server restarted; a plugin is replaced every minute",
            lines,
            marks)
        .row("resident memory, MiB", ResourceSample::residentMib)
        .row("heap after a collection, MiB", ResourceSample::heapMib)
        .row("threads", ResourceSample::threads)
        .row("open files", ResourceSample::files)
        .svg();
  }

  /** Checks that no value grows after the warm-up. */
  void verify() {
    int verified = 0;
    for (Map.Entry<String, List<ResourceSample>> phase : phases().entrySet()) {
      List<ResourceSample> all = phase.getValue();
      double length = all.getLast().seconds() - all.getFirst().seconds();
      if (length < LONG_ENOUGH_SECONDS) {
        continue;
      }
      List<ResourceSample> samples = all.subList(all.size() / 3, all.size());
      verify(
          phase.getKey() + ", resident memory",
          Trend.of(samples, ResourceSample::residentMib),
          0.1,
          2);
      verify(phase.getKey() + ", heap", Trend.of(samples, ResourceSample::heapMib), 0.1, 1);
      verify(phase.getKey() + ", threads", Trend.of(samples, ResourceSample::threads), 0.1, 3);
      verify(phase.getKey() + ", open files", Trend.of(samples, ResourceSample::files), 0.1, 5);
      verified++;
    }
    if (verified == 0) {
      System.err.printf(
          "no life lasted %d minutes: growth was not checked%n",
          TimeUnit.SECONDS.toMinutes((long) LONG_ENOUGH_SECONDS));
    }
  }

  private static void verify(String name, Trend trend, double part, double more) {
    System.err.println(name + ": " + trend);
    assertThat(trend.growth()).as(name + " " + trend).isLessThan(trend.mean() * part + more);
  }
}
