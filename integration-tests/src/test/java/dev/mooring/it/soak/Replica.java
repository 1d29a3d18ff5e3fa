package dev.mooring.it.soak;

import dev.mooring.it.JavaProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A run of a replica: a process from start to exit. */
final class Replica implements AutoCloseable {
  /**
   * Resource usage of a replica at a moment.
   *
   * @param name the replica
   * @param run the number of the replica's run, from 1
   * @param isLeader whether the replica is or was the leader
   */
  record ReplicaSample(String name, int run, boolean isLeader, ResourceSample sample) {
    static final String HEADER =
        "seconds,replica,run,leader,resident_mib,heap_mib,threads,open_files";

    /** Returns the phase whose samples are comparable: a run as leader or as standby. */
    String phase() {
      return name + run + (isLeader ? ", leading" : ", standing by");
    }

    String csvLine() {
      return String.join(
          ",",
          List.of(
              "%.0f".formatted(sample.seconds()),
              name,
              Integer.toString(run),
              Boolean.toString(isLeader),
              "%.1f".formatted(sample.residentMib()),
              "%.1f".formatted(sample.heapMib()),
              "%.0f".formatted(sample.threads()),
              "%.0f".formatted(sample.files())));
    }
  }

  private static final int REPORTED_LINES = 40;

  private final String name;
  private final int run;
  private final JavaProcess process;
  private Optional<ResourceSample> previousSample = Optional.empty();
  private boolean isLeader;
  private boolean isKilled;

  Replica(String name, int run, JavaProcess process) {
    this.name = name;
    this.run = run;
    this.process = process;
  }

  /** Returns the replica's name and the number of the run. */
  String name() {
    return name + run;
  }

  /** Returns whether the replica is the leader, or was until it exited. */
  synchronized boolean isLeader() {
    isLeader =
        isLeader
            || process.output().stream()
                .anyMatch(line -> line.contains(" leads by lease kube-system/"));
    return isLeader;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGKILL. */
  synchronized void kill() throws InterruptedException {
    isKilled = true;
    process.kill();
  }

  synchronized Exit awaitExit() throws InterruptedException {
    if (isKilled) {
      return new Exit(Exit.Cause.KILLED, name() + " was killed");
    }
    int code = process.exitCode();
    List<String> output = process.output();
    boolean hasLostLease =
        code == 1 && output.stream().anyMatch(line -> line.contains("leadership is lost"));
    List<String> lastLines =
        output.subList(Math.max(0, output.size() - REPORTED_LINES), output.size());
    return new Exit(
        hasLostLease ? Exit.Cause.LOST_LEASE : Exit.Cause.OTHER,
        "%s exited with %d: %s".formatted(name(), code, String.join("\n", lastLines)));
  }

  /**
   * The exit of the process.
   *
   * @param details for a person: the exit code and the last lines
   */
  record Exit(Cause cause, String details) {
    enum Cause {
      KILLED,
      LOST_LEASE,
      OTHER
    }
  }

  /** Measures the process; empty if the process has exited. */
  synchronized Optional<ReplicaSample> measure(double seconds)
      throws IOException, InterruptedException {
    try {
      ResourceSample sample = ResourceSample.of(process.pid(), seconds, previousSample);
      previousSample = Optional.of(sample);
      return Optional.of(new ReplicaSample(name, run, isLeader(), sample));
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** Returns the output of the process. */
  List<String> output() {
    return process.output();
  }

  @Override
  public void close() {
    process.close();
  }
}
