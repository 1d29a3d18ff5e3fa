package dev.mooring.benchmarks.pace;

import dev.mooring.spi.csi.StatusCode;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Driver of a cloud with one token bucket for all calls. It refuses a call without a token quickly,
 * with {@code RESOURCE_EXHAUSTED}; other calls take the time of a cloud's operation.
 */
final class SimulatedCloud {
  private static final double REFUSAL_SECONDS = 0.03;
  private static final double BURST_SECONDS = 1;

  private final EventClock clock;
  private final Random random;
  private final double meanSeconds;
  private double rate;
  private double tokens;
  private double refilled;
  private int refusals;

  SimulatedCloud(EventClock clock, Random random, double meanSeconds, double rate) {
    this.clock = clock;
    this.random = random;
    this.meanSeconds = meanSeconds;
    this.rate = rate;
    this.tokens = rate * BURST_SECONDS;
  }

  void setRate(double newRate) {
    refill();
    rate = newRate;
  }

  private void refill() {
    double now = clock.seconds();
    tokens = Math.min(rate * BURST_SECONDS, tokens + (now - refilled) * rate);
    refilled = now;
  }

  void call(Consumer<StatusCode> reply) {
    refill();
    if (tokens < 1) {
      refusals++;
      clock.schedule(REFUSAL_SECONDS, () -> reply.accept(StatusCode.RESOURCE_EXHAUSTED));
    } else {
      tokens--;
      double seconds = meanSeconds * Math.exp(0.4 * random.nextGaussian());
      clock.schedule(seconds, () -> reply.accept(StatusCode.OK));
    }
  }

  int refusals() {
    return refusals;
  }
}
