package dev.mooring.kube;

import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * Reading of both clocks. The monotonic clock stops while a virtual machine is suspended; the wall
 * clock may be set forward or back.
 */
record ClockReading(long nanos, Instant wall) {
  record Elapsed(Duration monotonic, Duration wall) {
    Duration getLongest() {
      return monotonic.compareTo(wall) < 0 ? wall : monotonic;
    }
  }

  static ClockReading readClocks(Time time) {
    return new ClockReading(time.nanos(), time.now());
  }

  Elapsed getElapsed(Time time) {
    return new Elapsed(Duration.ofNanos(time.nanos() - nanos), Duration.between(wall, time.now()));
  }
}
