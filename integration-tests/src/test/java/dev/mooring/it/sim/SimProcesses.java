package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The processes of a simulation: they crash, stop and take over, and for a while there are two. */
final class SimProcesses {
  /** So many steps are taken at one moment. */
  private static final int AT_ONCE = 1_000;

  private final Simulation simulation;
  private final List<SimProcess> processes = new ArrayList<>();
  private final Set<Object> crashed = new HashSet<>();
  private final Set<Object> stopped = new HashSet<>(); // and had finished everything
  private SimProcess standby; // null where there is none
  private SimProcess stopping; // null if none is
  private SimWatch<?> deaf; // which of its watches says nothing; null if none says anything

  /** None yet. */
  SimProcesses(Simulation simulation) {
    this.simulation = simulation;
  }

  private SimProcess process() {
    return new SimProcess(simulation, simulation.workload());
  }

  /** The first begins. */
  void begin() {
    processes.add(process().begin());
  }

  /** Another one stands by, where there is one. */
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
   * Whether nobody may know of what a process had made: it is gone, perhaps between that and saying
   * so.
   *
   * @param untold whether it was not told that it was made
   */
  boolean isExcused(Object process, boolean untold) {
    return crashed.contains(process) || untold && stopped.contains(process);
  }

  /** Any of those that act. */
  SimProcess any() {
    return simulation.any(processes);
  }

  /** An administrator resumes deletions where they are held; returns whether they were. */
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

  /** Somebody hears something. */
  void deliverOne() {
    boolean toStandby = deaf != null && simulation.random().nextInt(3) > 0;
    SimWatch<?> watch = simulation.any((toStandby ? standby : any()).watches());
    if (watch != deaf) {
      watch.deliver();
    }
  }

  /** One is gone from one moment to the next. */
  void crash() {
    simulation.note("crash");
    simulation.workload().crashed();
    SimProcess process = any();
    crashed.add(process);
    end(process);
  }

  /** One is told to end; another begins when it has. */
  void stop() {
    simulation.note("stop");
    stopping = any();
    stopping.stop();
  }

  /** Whether one was told to end, and has not. */
  boolean isStopping() {
    return stopping != null;
  }

  /** Whoever was told to end, if anybody was, has ended, or ends by now. */
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
        simulation.resumeOne(); // whoever was interrupted ends without waiting for anything
      }
      verify(process.running().isEmpty(), "stopped, and there still run " + process.running());
      stopping = null;
      (clean ? stopped : crashed).add(process);
      simulation.workload().crashed();
      end(process);
    }
  }

  /** A second one, or the first of two goes. */
  void another() {
    if (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    } else if (standby == null) {
      simulation.note("a second process");
      processes.add(process().begin());
    }
  }

  /** All but the last are gone. */
  void leaveOne() {
    while (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    }
  }

  /** All are gone. */
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

  /** What still runs of the first. */
  List<String> running() {
    return processes.getFirst().running();
  }

  /** Which controllers have a key that is queued, or is about to be. */
  List<String> busy() {
    return processes.stream().flatMap(process -> process.busy().stream()).toList();
  }
}
