package dev.mooring.csi.decide;

import dev.mooring.spi.csi.StatusCode;

/** What a driver's code says about whether it is still at it (spec/csi-bridge.md 2.2). */
public final class Codes {
  private Codes() {}

  /** Whether a CreateVolume that ended so is certainly not running any more. */
  public static boolean isFinalForCreate(StatusCode code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> false;
      default -> true;
    };
  }

  /** Whether any other call that ended so is certainly not running any more. */
  public static boolean isFinal(StatusCode code) {
    return isFinalForCreate(code) && code != StatusCode.RESOURCE_EXHAUSTED;
  }

  /**
   * Whether a driver that answers CreateVolume so can have made nothing at an earlier call with the
   * same arguments either. Any other refusal tells about its own call alone.
   */
  public static boolean isNeverMade(StatusCode code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED -> true;
      default -> false;
    };
  }

  /** Whether asking for this volume again is pointless until somebody changes something. */
  public static boolean isInfeasibleToCreate(StatusCode code) {
    return code == StatusCode.INVALID_ARGUMENT;
  }

  /** Whether growing to this size is impossible for good. */
  public static boolean isInfeasibleToExpand(StatusCode code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND -> true;
      default -> false;
    };
  }
}
