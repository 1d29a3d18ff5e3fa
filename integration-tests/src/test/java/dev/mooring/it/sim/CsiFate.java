package dev.mooring.it.sim;

import dev.mooring.spi.csi.StatusCode;
import java.util.List;
import java.util.Random;

/** Fault: the outcome of one call to the CSI driver. */
sealed interface CsiFate {
  /** The call succeeds. */
  record Well() implements CsiFate {}

  /** The driver rejects the call without effect. */
  record Refused(StatusCode code) implements CsiFate {}

  /** The driver does the work, but the caller gets an error. */
  record Lost(StatusCode code) implements CsiFate {}

  /** The call takes that long. The driver finishes it even if the caller gives up. */
  record Slow(long nanos) implements CsiFate {}

  /** The driver returns wrong data: a smaller capacity than requested, or incomplete lists. */
  record Lies() implements CsiFate {}

  /** Codes that leave it open whether the driver did the work. */
  List<StatusCode> OPEN =
      List.of(
          StatusCode.CANCELLED,
          StatusCode.DEADLINE_EXCEEDED,
          StatusCode.UNAVAILABLE,
          StatusCode.ABORTED);

  private static <T> T any(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Returns a random outcome; 60 % succeed. */
  static CsiFate of(Random random) {
    int what = random.nextInt(100);
    if (what < 60) {
      return new Well();
    }
    if (what < 80) {
      return new Refused(StatusCode.of(1 + random.nextInt(16)));
    }
    if (what < 88) {
      return new Lost(any(random, OPEN));
    }
    if (what < 96) {
      return new Slow((1 + random.nextInt(random.nextBoolean() ? 5 : 60)) * 1_000_000_000L);
    }
    return new Lies();
  }
}
