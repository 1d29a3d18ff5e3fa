package dev.mooring.it.soak;

import dev.mooring.it.JavaProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One life of a replica: a process from start to exit. */
final class Replica implements AutoCloseable {
  /**
   * Resource usage of a replica at a moment.
   *
   * @param name the replica
   * @param life the number of its life, from 1
   * @param leads whether it was the leader
   */
  record Reading(String name, int life, boolean leads, ResourceSample sample) {
    static final String HEADER =
        "seconds,replica,life,leads,resident_mib,heap_mib,threads,open_files";

    /** The group of comparable measurements: a life as leader or as standby. */
    String phase() {
      return name + life + (leads ? ", leading" : ", standing by");
    }

    String line() {
      return String.join(
          ",",
          List.of(
              "%.0f".formatted(sample.seconds()),
              name,
              Integer.toString(life),
              Boolean.toString(leads),
              "%.1f".formatted(sample.residentMib()),
              "%.1f".formatted(sample.heapMib()),
              "%.0f".formatted(sample.threads()),
              "%.0f".formatted(sample.files())));
    }
  }

  private static final int KEPT_LINES = 40; // lines

  private final String name;
  private final int life;
  private final JavaProcess process;
  private Optional<ResourceSample> last = Optional.empty();
  private boolean leads;
  private boolean killedCount;

  Replica(String name, int life, JavaProcess process) {
    this.name = name;
    this.life = life;
    this.process = process;
  }

  /** Returns the replica's name and the number of its life. */
  String name() {
    return name + life;
  }

  /** Returns whether it is the leader, or was when it ended. */
  synchronized boolean leads() {
    leads =
        leads
            || process.output().stream()
                .anyMatch(line -> line.contains(" leads by lease kube-system/"));
    return leads;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGKILL. */
  synchronized void kill() throws InterruptedException {
    killedCount = true;
    process.kill();
  }

  synchronized End end() throws InterruptedException {
    if (killedCount) {
      return new End(End.Cause.KILLED, name() + " was killed");
    }
    int code = process.exitCode();
    List<String> output = process.output();
    boolean lost =
        code == 1 && output.stream().anyMatch(line -> line.contains("leadership is lost"));
    List<String> last = output.subList(Math.max(0, output.size() - KEPT_LINES), output.size());
    return new End(
        lost ? End.Cause.LOST_THE_LEAD : End.Cause.OTHER,
        "%s ended with %d: %s".formatted(name(), code, String.join("\n", last)));
  }

  /**
   * The end of a life.
   *
   * @param details known details
   */
  record End(Cause cause, String details) {
    enum Cause {
      KILLED,
      LOST_THE_LEAD,
      OTHER
    }
  }

  /** Measures the process; empty if it exits meanwhile. */
  synchronized Optional<Reading> read(double seconds) throws IOException, InterruptedException {
    try {
      ResourceSample sample = ResourceSample.of(process.pid(), seconds, last);
      last = Optional.of(sample);
      return Optional.of(new Reading(name, life, leads(), sample));
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** Returns its output. */
  List<String> output() {
    return process.output();
  }

  @Override
  public void close() {
    process.close();
  }
}
