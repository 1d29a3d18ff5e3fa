package dev.mooring.it.soak;

import dev.mooring.it.JavaProcess;
import dev.mooring.it.soak.Replica.Exit;
import dev.mooring.it.soak.Replica.ReplicaSample;
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
 * The replicas of a deployment with their memory limits. The supervisor starts another process when
 * one exits, and probes the processes as the chart's probes do.
 */
final class ReplicaSupervisor implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final int POLLS_BETWEEN_PROBES = 30;

  /** A replica of the deployment with its current process. */
  private static final class Slot {
    private final String name;
    private final String endpoints;
    private final Optional<MemoryLimit> limit;
    private final List<String> command;
    private Replica replica;
    private int runs;
    private int failedProbes;

    Slot(String name, Optional<MemoryLimit> limit, List<String> arguments) throws IOException {
      this.name = name;
      this.endpoints = "--endpoints=127.0.0.1:" + FixedPorts.findFree();
      this.limit = limit;
      this.command = new ArrayList<>(arguments);
      this.command.add(endpoints);
      this.replica = startReplica();
    }

    private JavaProcess startProcess(String... arguments) throws IOException {
      return JavaProcess.startWithPrefix(
          limit.map(MemoryLimit::commandPrefix).orElse(List.of()), arguments);
    }

    private Replica startReplica() throws IOException {
      failedProbes = 0;
      return new Replica(name, ++runs, startProcess(command.toArray(String[]::new)));
    }

    /**
     * Probes the process; returns whether so many probes have failed that a kubelet would kill it.
     */
    private boolean hasFailedProbes() throws IOException, InterruptedException {
      try (JavaProcess readiness = startProcess("health", endpoints);
          JavaProcess liveness = startProcess("health", "--live", endpoints)) {
        readiness.exitCode();
        failedProbes = liveness.exitCode() == 0 ? 0 : failedProbes + 1;
        return failedProbes >= 3;
      }
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private final Set<String> leaders = ConcurrentHashMap.newKeySet();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Map<Exit.Cause, Integer> exits = new EnumMap<>(Exit.Cause.class);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread supervisor =
      Thread.ofVirtual().name("supervisor").unstarted(this::superviseReplicas);

  /** Starts one replica per limit with these arguments. */
  ReplicaSupervisor(List<Optional<MemoryLimit>> limits, List<String> arguments) throws IOException {
    char name = 'a';
    for (Optional<MemoryLimit> limit : limits) {
      slots.add(new Slot(String.valueOf(name++), limit, arguments));
    }
    supervisor.start();
  }

  private void superviseReplicas() {
    try {
      for (int poll = 1; !stop.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS); poll++) {
        for (Slot slot : slots) {
          restartIfExited(slot);
        }
        if (poll % POLLS_BETWEEN_PROBES == 0) {
          for (Slot slot : slots) {
            probe(slot);
          }
        }
      }
    } catch (IOException | RuntimeException | AssertionError bug) {
      failures.add("supervisor failed: " + bug);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void restartIfExited(Slot slot) throws IOException, InterruptedException {
    if (slot.replica.isLeader()) {
      leaders.add(slot.replica.name());
    }
    if (!slot.replica.isAlive()) {
      Exit exit = slot.replica.awaitExit();
      exits.merge(exit.cause(), 1, Integer::sum);
      System.err.println(exit.details());
      if (exit.cause() == Exit.Cause.OTHER) {
        failures.add(exit.details());
      }
      slot.replica = slot.startReplica();
    }
  }

  /** Runs without the lock, because a probe takes time. */
  private void probe(Slot slot) throws IOException, InterruptedException {
    if (slot.hasFailedProbes()) {
      failures.add(slot.name + " failed three probes in a row");
    }
  }

  synchronized Optional<Replica> leader() {
    return slots.stream()
        .map(slot -> slot.replica)
        .filter(replica -> replica.isAlive() && replica.isLeader())
        .findFirst();
  }

  /** Measures the running replicas. */
  synchronized List<ReplicaSample> measure(double seconds)
      throws IOException, InterruptedException {
    List<ReplicaSample> samples = new ArrayList<>();
    for (Slot slot : slots) {
      slot.replica.measure(seconds).ifPresent(samples::add);
    }
    return samples;
  }

  /** Returns how many runs have been leader. */
  int leaderCount() {
    return leaders.size();
  }

  /** Returns how many processes have exited, by cause. */
  synchronized Map<Exit.Cause, Integer> exits() {
    return Map.copyOf(exits);
  }

  /** Returns failures of the replicas. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns the output of the current processes. */
  synchronized String output() {
    StringBuilder text = new StringBuilder();
    for (Slot slot : slots) {
      text.append(slot.replica.name()).append(":\n");
      slot.replica.output().forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      supervisor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the replicas must stop nevertheless
    }
    for (Slot slot : slots) {
      slot.replica.close();
    }
  }
}
