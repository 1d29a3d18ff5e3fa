package dev.mooring.it.sim;

import dev.mooring.spi.csi.StatusCode;
import java.util.List;
import java.util.Random;

/** Fault: the outcome of one call to the CSI driver. */
sealed interface CsiCallOutcome {
  /** The call succeeds. */
  record Success() implements CsiCallOutcome {}

  /** The driver rejects the call without effect. */
  record Rejected(StatusCode code) implements CsiCallOutcome {}

  /** The driver does the work, but the caller gets an error. */
  record ResponseLost(StatusCode code) implements CsiCallOutcome {}

  /** The call takes that long. The driver finishes it even if the caller gives up. */
  record SlowCall(long nanos) implements CsiCallOutcome {}

  /** The driver returns wrong data: a smaller capacity than requested, or incomplete lists. */
  record WrongData() implements CsiCallOutcome {}

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
  static CsiCallOutcome ofRandom(Random random) {
    int draw = random.nextInt(100);
    if (draw < 60) {
      return new Success();
    }
    if (draw < 80) {
      return new Rejected(StatusCode.of(1 + random.nextInt(16)));
    }
    if (draw < 88) {
      return new ResponseLost(any(random, OPEN));
    }
    if (draw < 96) {
      return new SlowCall((1 + random.nextInt(random.nextBoolean() ? 5 : 60)) * 1_000_000_000L);
    }
    return new WrongData();
  }
}
