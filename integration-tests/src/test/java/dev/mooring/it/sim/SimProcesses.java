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
  private static final int MAX_STEPS = 1_000;

  private final Simulation simulation;
  private final List<SimProcess> processes = new ArrayList<>();
  private final Set<Object> crashed = new HashSet<>();
  private final Set<Object> stopped = new HashSet<>(); // those that finished all work
  private SimProcess standby; // null without a standby
  private SimProcess stopping; // null if no process is stopping
  private SimWatch<?> silentWatch; // the standby's watch without events; null if all have none

  SimProcesses(Simulation simulation) {
    this.simulation = simulation;
  }

  private SimProcess newProcess() {
    return new SimProcess(simulation, simulation.workload());
  }

  /** Starts the first process. */
  void startFirst() {
    processes.add(newProcess().activate());
  }

  /** Creates a standby in {@link FaultMode#TAKEOVERS}. */
  void createStandby() {
    standby = simulation.mode() == FaultMode.TAKEOVERS ? newProcess() : null;
    boolean isPartlySilent = standby != null && simulation.random().nextInt(4) > 0;
    silentWatch =
        isPartlySilent
            ? simulation.pick(
                standby.watches().stream()
                    .filter(watch -> simulation.workload().mayStandbyMiss(watch.kind()))
                    .<SimWatch<?>>map(watch -> watch)
                    .toList())
            : null;
  }

  /**
   * Returns whether the process may have left a volume in the storage that no object records. It
   * crashed, perhaps between the call and the write that records it.
   *
   * @param unacknowledged whether the process got no response to the call that created the volume
   */
  boolean mayLeaveVolume(Object process, boolean unacknowledged) {
    return crashed.contains(process) || unacknowledged && stopped.contains(process);
  }

  /** Returns one of the active processes. */
  SimProcess pick() {
    return simulation.pick(processes);
  }

  /**
   * Resumes held deletions in all processes.
   *
   * @return whether any were held
   */
  boolean resumeDeletions() {
    boolean wereHeld = false;
    for (SimProcess process : processes) {
      wereHeld |= process.resumeDeletions();
    }
    return wereHeld;
  }

  List<SimWatch<?>> watches() {
    return processes.stream().flatMap(process -> process.watches().stream()).toList();
  }

  /** Delivers one watch event to one process or to the standby. */
  void deliverOne() {
    boolean toStandby = silentWatch != null && simulation.random().nextInt(3) > 0;
    SimWatch<?> watch = simulation.pick((toStandby ? standby : pick()).watches());
    if (watch != silentWatch) {
      watch.deliver();
    }
  }

  /** Fault: kills a process at its current step. */
  void crash() {
    simulation.addToHistory("crash");
    simulation.workload().onProcessEnd();
    SimProcess process = pick();
    crashed.add(process);
    replace(process);
  }

  /** Starts an orderly stop of a process. Another starts when it has ended. */
  void stop() {
    simulation.addToHistory("stop");
    stopping = pick();
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
  void completeStop() {
    SimProcess process = stopping;
    if (process == null) {
      return;
    }
    if (!processes.contains(process)) {
      stopping = null; // it crashed meanwhile
    } else if (process.stopResult().isPresent()) {
      boolean clean = process.stopResult().get();
      simulation.addToHistory(clean ? "stopped" : "stopped with unfinished work");
      for (int i = 0; i < MAX_STEPS && !process.unfinishedThreads().isEmpty(); i++) {
        simulation.resumeOne(); // interrupted threads end without waiting
      }
      verify(
          process.unfinishedThreads().isEmpty(),
          "threads still run after the stop: " + process.unfinishedThreads());
      stopping = null;
      (clean ? stopped : crashed).add(process);
      simulation.workload().onProcessEnd();
      replace(process);
    }
  }

  /** Fault: starts a second process, or kills the older of two. */
  void startOrKillSecond() {
    if (processes.size() > 1) {
      crashed.add(processes.getFirst());
      replace(processes.getFirst());
    } else if (standby == null) {
      simulation.addToHistory("a second process");
      processes.add(newProcess().activate());
    }
  }

  /** Kills all processes but the newest. */
  void killAllButNewest() {
    while (processes.size() > 1) {
      crashed.add(processes.getFirst());
      replace(processes.getFirst());
    }
  }

  /** Kills all processes and the standby. */
  void killAll() {
    processes.forEach(SimProcess::kill);
    if (standby != null) {
      standby.kill();
    }
  }

  private void replace(SimProcess process) {
    process.kill();
    processes.remove(process);
    if (processes.isEmpty()) {
      processes.add(standby == null ? newProcess().activate() : standby.takeOver());
      createStandby();
    }
  }

  /** Returns the names of the running threads of the first process. */
  List<String> unfinishedThreads() {
    return processes.getFirst().unfinishedThreads();
  }

  /** Returns the names of controllers with a key that is queued or about to be. */
  List<String> busyControllers() {
    return processes.stream().flatMap(process -> process.busyControllers().stream()).toList();
  }
}
