package dev.mooring.benchmarks.pace;

import dev.mooring.csi.state.DriverPace;
import dev.mooring.csi.state.DriverPace.Lane;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.workqueue.LaneGate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Attachments that wait for calls, with back-off, a limited number of workers and a pace. */
final class SimulatedQueue {
  private static final double FIRST_BACKOFF_SECONDS = 1;
  private static final double LONGEST_BACKOFF_SECONDS = 300;

  private static final class Work {
    private final Lane lane;
    private final double added;
    private int failures;

    Work(Lane lane, double added) {
      this.lane = lane;
      this.added = added;
    }
  }

  /**
   * A completed call.
   *
   * @param end time in seconds
   * @param seconds time since its object was added
   */
  record Completion(Lane lane, double end, double seconds) {}

  private final EventClock clock;
  private final SimulatedCloud cloud;
  private final DriverPace pace;
  private final LaneGate<Lane> gate;
  private final Random random;
  private final int workers;
  private final List<ArrayDeque<Work>> ready =
      Lane.all().stream().map(lane -> new ArrayDeque<Work>()).toList();
  private final List<Completion> completions = new ArrayList<>();
  private int busyWorkers;

  SimulatedQueue(
      EventClock clock, SimulatedCloud cloud, PaceLimit limit, Random random, int workers) {
    this.clock = clock;
    this.cloud = cloud;
    this.pace = limit.pace();
    this.gate = limit.gate();
    this.random = random;
    this.workers = workers;
    gate.onRoom(this::startWork);
  }

  private ArrayDeque<Work> ready(Lane lane) {
    return ready.get(lane.ordinal());
  }

  void add(Lane lane, int count) {
    for (int i = 0; i < count; i++) {
      ready(lane).add(new Work(lane, clock.seconds()));
    }
    startWork();
  }

  private void startWork() {
    for (Lane lane : Lane.all()) {
      ArrayDeque<Work> waiting = ready(lane);
      while (busyWorkers < workers && !waiting.isEmpty() && gate.tryEnter(gate.laneOf(lane))) {
        start(waiting.remove());
      }
    }
  }

  private void start(Work work) {
    busyWorkers++;
    pace.startCall(work.lane);
    cloud.call(code -> end(work, code));
  }

  private void end(Work work, StatusCode code) {
    pace.endCall(work.lane, code);
    gate.leave(gate.laneOf(work.lane));
    busyWorkers--;
    if (code == StatusCode.OK) {
      completions.add(new Completion(work.lane, clock.seconds(), clock.seconds() - work.added));
    } else {
      double delay =
          Math.min(LONGEST_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * Math.pow(2, work.failures++));
      clock.schedule(
          delay * (1 + 0.1 * random.nextDouble()),
          () -> {
            ready(work.lane).add(work);
            startWork();
          });
    }
    startWork();
  }

  List<Completion> completions() {
    return completions;
  }
}
