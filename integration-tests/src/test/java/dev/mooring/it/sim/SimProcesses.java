package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Processes of a simulation. They crash, stop and take over.
 *
 * <p>Fault: two processes run at once, as if leader election had failed.
 */
final class SimProcesses {
  /** Maximum steps until the threads of a stopped process end. */
  private static final int AT_ONCE = 1_000;

  private final Simulation simulation;
  private final List<SimProcess> processes = new ArrayList<>();
  private final Set<Object> crashed = new HashSet<>();
  private final Set<Object> stopped = new HashSet<>(); // those that finished all work
  private SimProcess standby; // null without a standby
  private SimProcess stopping; // null if no process is stopping
  private SimWatch<?> deaf; // the standby's watch without events; null if all have none

  SimProcesses(Simulation simulation) {
    this.simulation = simulation;
  }

  private SimProcess process() {
    return new SimProcess(simulation, simulation.workload());
  }

  /** Starts the first process. */
  void begin() {
    processes.add(process().begin());
  }

  /** Creates a standby in {@link Mode#TAKEOVERS}. */
  void standBy() {
    standby = simulation.mode() == Mode.TAKEOVERS ? process() : null;
    boolean hears = standby != null && simulation.random().nextInt(4) > 0;
    deaf =
        hears
            ? simulation.any(
                standby.watches().stream()
                    .filter(watch -> simulation.workload().matters(watch.kind()))
                    .<SimWatch<?>>map(watch -> watch)
                    .toList())
            : null;
  }

  /**
   * Returns whether the process may have left a volume in the storage that no object records. It
   * crashed, perhaps between the call and the write that records it.
   *
   * @param untold whether the process got no response to the call that created the volume
   */
  boolean isExcused(Object process, boolean untold) {
    return crashed.contains(process) || untold && stopped.contains(process);
  }

  /** Returns one of the active processes. */
  SimProcess any() {
    return simulation.any(processes);
  }

  /**
   * Resumes held deletions in all processes.
   *
   * @return whether any were held
   */
  boolean resumeDeletions() {
    boolean held = false;
    for (SimProcess process : processes) {
      held |= process.resumeDeletions();
    }
    return held;
  }

  List<SimWatch<?>> watches() {
    return processes.stream().flatMap(process -> process.watches().stream()).toList();
  }

  /** Delivers one watch event to one process or to the standby. */
  void deliverOne() {
    boolean toStandby = deaf != null && simulation.random().nextInt(3) > 0;
    SimWatch<?> watch = simulation.any((toStandby ? standby : any()).watches());
    if (watch != deaf) {
      watch.deliver();
    }
  }

  /** Fault: kills a process at its current step. */
  void crash() {
    simulation.note("crash");
    simulation.workload().crashed();
    SimProcess process = any();
    crashed.add(process);
    end(process);
  }

  /** Starts an orderly stop of a process. Another starts when it has ended. */
  void stop() {
    simulation.note("stop");
    stopping = any();
    stopping.stop();
  }

  /** Returns whether a process is stopping. */
  boolean isStopping() {
    return stopping != null;
  }

  /**
   * Completes the orderly stop of a process: verifies that its threads have ended, and starts the
   * next process.
   */
  void ended() {
    SimProcess process = stopping;
    if (process == null) {
      return;
    }
    if (!processes.contains(process)) {
      stopping = null; // it crashed meanwhile
    } else if (process.stopped().isPresent()) {
      boolean clean = process.stopped().get();
      simulation.note(clean ? "stopped" : "stopped with unfinished work");
      for (int i = 0; i < AT_ONCE && !process.running().isEmpty(); i++) {
        simulation.resumeOne(); // interrupted threads end without waiting
      }
      verify(process.running().isEmpty(), "threads still run after the stop: " + process.running());
      stopping = null;
      (clean ? stopped : crashed).add(process);
      simulation.workload().crashed();
      end(process);
    }
  }

  /** Fault: starts a second process, or kills the older of two. */
  void another() {
    if (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    } else if (standby == null) {
      simulation.note("a second process");
      processes.add(process().begin());
    }
  }

  /** Kills all processes but the newest. */
  void leaveOne() {
    while (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    }
  }

  /** Kills all processes and the standby. */
  void endAll() {
    processes.forEach(SimProcess::end);
    if (standby != null) {
      standby.end();
    }
  }

  private void end(SimProcess process) {
    process.end();
    processes.remove(process);
    if (processes.isEmpty()) {
      processes.add(standby == null ? process().begin() : standby.takeOver());
      standBy();
    }
  }

  /** Returns the names of the running threads of the first process. */
  List<String> running() {
    return processes.getFirst().running();
  }

  /** Returns the names of controllers with a key that is queued or about to be. */
  List<String> busy() {
    return processes.stream().flatMap(process -> process.busy().stream()).toList();
  }
}
