package dev.mooring.it.sim;

import dev.mooring.spi.csi.StatusCode;
import java.util.List;
import java.util.Random;

/** The fate of one call to a driver, drawn by the schedule. */
sealed interface CsiFate {
  /** The call succeeds. */
  record Well() implements CsiFate {}

  /** The call has no effect. */
  record Refused(StatusCode code) implements CsiFate {}

  /** The call has its effect, and the caller gets an error. */
  record Lost(StatusCode code) implements CsiFate {}

  /** The call takes that long, whether or not its caller still waits. */
  record Slow(long nanos) implements CsiFate {}

  /** The answer is wrong: less capacity than requested, or a list with gaps. */
  record Lies() implements CsiFate {}

  /** Codes that leave the outcome of a call open. */
  List<StatusCode> OPEN =
      List.of(
          StatusCode.CANCELLED,
          StatusCode.DEADLINE_EXCEEDED,
          StatusCode.UNAVAILABLE,
          StatusCode.ABORTED);

  private static <T> T any(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Returns a random fate; three in five succeed. */
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
