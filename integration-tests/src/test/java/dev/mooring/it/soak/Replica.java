package dev.mooring.it.soak;

import dev.mooring.it.JavaProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One life of one of the replicas: a process, from its start to its end. */
final class Replica implements AutoCloseable {
  /**
   * What a replica held at a moment.
   *
   * @param name whose it was
   * @param life which of its lives, from 1
   * @param leads whether it led
   */
  record Reading(String name, int life, boolean leads, Sample sample) {
    /** Lines of a table begin like this. */
    static final String HEADER =
        "seconds,replica,life,leads,resident_mib,heap_mib,threads,open_files";

    /** Of what this is one of many: a life as leader, or as one that stands by. */
    String phase() {
      return name + life + (leads ? ", leading" : ", standing by");
    }

    /** A line of a table. */
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

  private static final int TOLD = 40; // lines

  private final String name;
  private final int life;
  private final JavaProcess process;
  private Optional<Sample> last = Optional.empty();
  private boolean leads;
  private boolean killed;

  Replica(String name, int life, JavaProcess process) {
    this.name = name;
    this.life = life;
    this.process = process;
  }

  /** Its name and which life of it this is. */
  String name() {
    return name + life;
  }

  /** Whether it has the lead, or had it to its end. */
  synchronized boolean leads() {
    leads =
        leads
            || process.said().stream()
                .anyMatch(line -> line.contains(" leads by lease kube-system/"));
    return leads;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it as nobody can who wants it to do anything before its end. */
  synchronized void kill() throws InterruptedException {
    killed = true;
    process.kill();
  }

  /** Why it has ended. */
  synchronized End end() throws InterruptedException {
    if (killed) {
      return new End(End.Cause.KILLED, name() + " was killed");
    }
    int code = process.exitCode();
    List<String> said = process.said();
    boolean lost = code == 1 && said.stream().anyMatch(line -> line.contains("leadership is lost"));
    List<String> last = said.subList(Math.max(0, said.size() - TOLD), said.size());
    return new End(
        lost ? End.Cause.LOST_THE_LEAD : End.Cause.OTHER,
        "%s ended with %d: %s".formatted(name(), code, String.join("\n", last)));
  }

  /**
   * How a life has ended.
   *
   * @param told what is known of it
   */
  record End(Cause cause, String told) {
    enum Cause {
      KILLED,
      LOST_THE_LEAD,
      OTHER
    }
  }

  /** What it holds; nothing if it ends while it is looked at. */
  synchronized Optional<Reading> read(double seconds) throws IOException, InterruptedException {
    try {
      Sample sample = Sample.of(process.pid(), seconds, last);
      last = Optional.of(sample);
      return Optional.of(new Reading(name, life, leads(), sample));
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** What it has said. */
  List<String> said() {
    return process.said();
  }

  @Override
  public void close() {
    process.close();
  }
}
