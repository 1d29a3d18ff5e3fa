package dev.mooring.it.sim;

import dev.mooring.spi.csi.StatusCode;
import java.util.List;
import java.util.Random;

/** How a call to a driver goes; which way, the schedule says. */
sealed interface CsiFate {
  /** As it should. */
  record Well() implements CsiFate {}

  /** Nothing is done. */
  record Refused(StatusCode code) implements CsiFate {}

  /** It is done, and the answer is another. */
  record Lost(StatusCode code) implements CsiFate {}

  /** It takes that long, whether or not somebody still waits for it. */
  record Slow(long nanos) implements CsiFate {}

  /** It answers what is not so: less room than was asked for, lists with gaps. */
  record Lies() implements CsiFate {}

  /** What a caller hears who does not know what became of it. */
  List<StatusCode> OPEN =
      List.of(
          StatusCode.CANCELLED,
          StatusCode.DEADLINE_EXCEEDED,
          StatusCode.UNAVAILABLE,
          StatusCode.ABORTED);

  private static <T> T any(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Any one; three in five go well. */
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
