package dev.mooring.kube;

import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;

/** Token bucket for a fixed cap ({@code --kube-api-qps}, {@code --kube-api-burst}). Thread-safe. */
public final class RateCap {
  public static final RateCap NONE = new RateCap();

  private final double nanosPerToken;
  private final long depthNanos;
  private final Time time;
  private long nextTokenNanos;

  private RateCap() {
    this.nanosPerToken = 0;
    this.depthNanos = 0;
    this.time = new SystemTime();
  }

  public RateCap(double perSecond, int burst, Time time) {
    if (perSecond <= 0 || burst < 1) {
      throw new IllegalArgumentException(
          "a rate cap needs a positive rate and a burst of at least 1, was %s and %s"
              .formatted(perSecond, burst));
    }
    this.nanosPerToken = 1e9 / perSecond;
    this.depthNanos = (long) (nanosPerToken * (burst - 1));
    this.time = time;
    this.nextTokenNanos = time.nanos() - depthNanos;
  }

  public void take() throws InterruptedException {
    if (nanosPerToken == 0) {
      return;
    }
    long waitNanos;
    synchronized (this) {
      long now = time.nanos();
      nextTokenNanos = Math.max(nextTokenNanos, now - depthNanos) + (long) nanosPerToken;
      waitNanos = nextTokenNanos - (long) nanosPerToken - now;
    }
    if (waitNanos > 0) {
      time.sleep(Duration.ofNanos(waitNanos));
    }
  }
}
