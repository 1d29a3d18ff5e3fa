package dev.mooring.benchmarks.pace;

import dev.mooring.csi.state.DriverPace;
import dev.mooring.csi.state.DriverPace.Lane;
import dev.mooring.workqueue.LaneGate;

/**
 * Limit of the calls in a simulation.
 *
 * @param pace receives the results of the calls
 * @param gate admits the calls
 */
record PaceLimit(DriverPace pace, LaneGate<Lane> gate) {
  static PaceLimit adaptive(EventClock clock) {
    DriverPace pace = new DriverPace(clock);
    return new PaceLimit(pace, pace.gate(Lane.all(), lane -> lane));
  }

  static PaceLimit none(EventClock clock) {
    return constant(clock, Double.POSITIVE_INFINITY);
  }

  static PaceLimit constant(EventClock clock, double callsPerSecond) {
    return new PaceLimit(new DriverPace(clock), new ConstantGate(clock, callsPerSecond));
  }

  private static final class ConstantGate implements LaneGate<Lane> {
    private final EventClock clock;
    private final double callsPerSecond;
    private Runnable callback = () -> {};
    private double next;
    private boolean isScheduled;

    ConstantGate(EventClock clock, double callsPerSecond) {
      this.clock = clock;
      this.callsPerSecond = callsPerSecond;
    }

    @Override
    public int laneCount() {
      return Lane.all().size();
    }

    @Override
    public int laneOf(Lane lane) {
      return lane.ordinal();
    }

    @Override
    public boolean tryEnter(int lane) {
      double now = clock.seconds();
      if (now < next) {
        scheduleCallback(next - now);
        return false;
      }
      next = Math.max(now, next) + 1 / callsPerSecond;
      return true;
    }

    private void scheduleCallback(double seconds) {
      if (!isScheduled) {
        isScheduled = true;
        clock.schedule(
            seconds + 1e-6,
            () -> {
              isScheduled = false;
              callback.run();
            });
      }
    }

    @Override
    public void leave(int lane) {}

    @Override
    public void onRoom(Runnable action) {
      callback = action;
    }
  }
}
