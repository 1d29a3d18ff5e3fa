package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The processes of a simulation: they crash, stop and take over, and sometimes two run at once. */
final class SimProcesses {
  /** Steps taken at one moment. */
  private static final int AT_ONCE = 1_000;

  private final Simulation simulation;
  private final List<SimProcess> processes = new ArrayList<>();
  private final Set<Object> crashed = new HashSet<>();
  private final Set<Object> stopped = new HashSet<>(); // with all work finished
  private SimProcess standby; // null if none
  private SimProcess stopping; // null if none
  private SimWatch<?> deaf; // the standby's watch that delivers nothing; null if none delivers

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

  /** Adds a standby in modes with takeovers. */
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
   * Returns whether a volume of the process may be unknown: the process ended, perhaps between
   * creating the volume and saving it.
   *
   * @param untold whether the process got no answer to the creation
   */
  boolean isExcused(Object process, boolean untold) {
    return crashed.contains(process) || untold && stopped.contains(process);
  }

  /** Returns one of the acting processes. */
  SimProcess any() {
    return simulation.any(processes);
  }

  /** Resumes deletions as an administrator does; returns whether any were held. */
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

  /** Delivers one watch event. */
  void deliverOne() {
    boolean toStandby = deaf != null && simulation.random().nextInt(3) > 0;
    SimWatch<?> watch = simulation.any((toStandby ? standby : any()).watches());
    if (watch != deaf) {
      watch.deliver();
    }
  }

  /** Ends a process without warning. */
  void crash() {
    simulation.note("crash");
    simulation.workload().crashed();
    SimProcess process = any();
    crashed.add(process);
    end(process);
  }

  /** Asks a process to stop; another one starts afterwards. */
  void stop() {
    simulation.note("stop");
    stopping = any();
    stopping.stop();
  }

  /** Returns whether a process is stopping. */
  boolean isStopping() {
    return stopping != null;
  }

  /** Replaces a process that has stopped. */
  void ended() {
    SimProcess process = stopping;
    if (process == null) {
      return;
    }
    if (!processes.contains(process)) {
      stopping = null; // it crashed
    } else if (process.stopped().isPresent()) {
      boolean clean = process.stopped().get();
      simulation.note(clean ? "stopped" : "stopped, and did not finish");
      for (int i = 0; i < AT_ONCE && !process.running().isEmpty(); i++) {
        simulation.resumeOne(); // interrupted threads end without waiting
      }
      verify(process.running().isEmpty(), "stopped, and there still run " + process.running());
      stopping = null;
      (clean ? stopped : crashed).add(process);
      simulation.workload().crashed();
      end(process);
    }
  }

  /** Starts a second process, or ends the first of two. */
  void another() {
    if (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    } else if (standby == null) {
      simulation.note("a second process");
      processes.add(process().begin());
    }
  }

  /** Ends all processes but the last. */
  void leaveOne() {
    while (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    }
  }

  /** Ends all processes. */
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

  /** Returns the threads of the first process that still run. */
  List<String> running() {
    return processes.getFirst().running();
  }

  /** Returns the controllers that have work queued or about to be queued. */
  List<String> busy() {
    return processes.stream().flatMap(process -> process.busy().stream()).toList();
  }
}
