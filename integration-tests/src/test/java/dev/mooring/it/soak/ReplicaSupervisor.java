package dev.mooring.it.soak;

import dev.mooring.it.JavaProcess;
import dev.mooring.it.soak.Replica.End;
import dev.mooring.it.soak.Replica.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The replicas of a deployment with their memory limits, and their supervisor: it restarts ended
 * processes and probes live ones as the chart's probes do.
 */
final class ReplicaSupervisor implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final int POLLS_BETWEEN_PROBES = 30;

  /** A slot for a replica, which lives there repeatedly. */
  private static final class Place {
    private final String name;
    private final String endpoints;
    private final Optional<MemoryLimit> limit;
    private final List<String> command;
    private Replica now;
    private int lives;
    private int failedProbes;

    Place(String name, Optional<MemoryLimit> limit, List<String> arguments) throws IOException {
      this.name = name;
      this.endpoints = "--endpoints=127.0.0.1:" + FixedPorts.free();
      this.limit = limit;
      this.command = new ArrayList<>(arguments);
      this.command.add(endpoints);
      this.now = begun();
    }

    private JavaProcess process(String... arguments) throws IOException {
      return JavaProcess.launchedBy(limit.map(MemoryLimit::launcher).orElse(List.of()), arguments);
    }

    private Replica begun() throws IOException {
      failedProbes = 0;
      return new Replica(name, ++lives, process(command.toArray(String[]::new)));
    }

    /** Returns whether so many probes failed that a kubelet would kill the process. */
    private boolean failsProbes() throws IOException, InterruptedException {
      try (JavaProcess ready = process("health", endpoints);
          JavaProcess live = process("health", "--live", endpoints)) {
        ready.exitCode();
        failedProbes = live.exitCode() == 0 ? 0 : failedProbes + 1;
        return failedProbes >= 3;
      }
    }
  }

  private final List<Place> places = new ArrayList<>();
  private final Set<String> leaders = ConcurrentHashMap.newKeySet();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Map<End.Cause, Integer> ends = new EnumMap<>(End.Cause.class);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread keeper = Thread.ofVirtual().name("keeper").unstarted(this::keep);

  /** Starts one replica per limit with these arguments. */
  ReplicaSupervisor(List<Optional<MemoryLimit>> limits, List<String> arguments) throws IOException {
    char name = 'a';
    for (Optional<MemoryLimit> limit : limits) {
      places.add(new Place(String.valueOf(name++), limit, arguments));
    }
    keeper.start();
  }

  private void keep() {
    try {
      for (int n = 1; !stop.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS); n++) {
        for (Place place : places) {
          restartIfEnded(place);
        }
        if (n % POLLS_BETWEEN_PROBES == 0) {
          for (Place place : places) {
            probe(place);
          }
        }
      }
    } catch (IOException | RuntimeException | AssertionError bug) {
      failures.add("supervisor failed: " + bug);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void restartIfEnded(Place place) throws IOException, InterruptedException {
    if (place.now.leads()) {
      leaders.add(place.now.name());
    }
    if (!place.now.isAlive()) {
      End end = place.now.end();
      ends.merge(end.cause(), 1, Integer::sum);
      System.err.println(end.details());
      if (end.cause() == End.Cause.OTHER) {
        failures.add(end.details());
      }
      place.now = place.begun();
    }
  }

  /** Runs without the lock, because a probe takes time. */
  private void probe(Place place) throws IOException, InterruptedException {
    if (place.failsProbes()) {
      failures.add(place.name + " failed three probes in a row");
    }
  }

  synchronized Optional<Replica> leader() {
    return places.stream()
        .map(place -> place.now)
        .filter(replica -> replica.isAlive() && replica.leads())
        .findFirst();
  }

  /** Measures the live replicas. */
  synchronized List<Reading> read(double seconds) throws IOException, InterruptedException {
    List<Reading> readings = new ArrayList<>();
    for (Place place : places) {
      place.now.read(seconds).ifPresent(readings::add);
    }
    return readings;
  }

  /** Returns how many lives have led. */
  int leaders() {
    return leaders.size();
  }

  /** Returns how often lives ended, by cause. */
  synchronized Map<End.Cause, Integer> ends() {
    return Map.copyOf(ends);
  }

  /** Returns failures of the replicas. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns the output of the live replicas. */
  synchronized String output() {
    StringBuilder all = new StringBuilder();
    for (Place place : places) {
      all.append(place.now.name()).append(":\n");
      place.now.output().forEach(line -> all.append(line).append('\n'));
    }
    return all.toString();
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      keeper.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the replicas are stopped all the same
    }
    for (Place place : places) {
      place.now.close();
    }
  }
}
