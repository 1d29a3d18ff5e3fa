package dev.mooring.it.sim;

import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.csi.decide.StatusCodeMeanings.Effect;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Fault: behaviour of the CSI driver for a period, in place of a random outcome per call. */
sealed interface DriverBehaviour {
  /** Every call has a random outcome. */
  record Normal() implements DriverBehaviour {}

  /** Every changing call fails with UNAVAILABLE although the connection is up. */
  record Unavailable() implements DriverBehaviour {}

  /** Every call that creates a volume or snapshot is rejected. */
  record RejectingCreations(StatusCode code) implements DriverBehaviour {}

  /**
   * Codes that end this call, but show neither whether an earlier call succeeded nor that the
   * volume exists.
   */
  List<StatusCode> INCONCLUSIVE =
      Arrays.stream(StatusCode.values())
          .filter(code -> code != StatusCode.OK && code != StatusCode.ALREADY_EXISTS)
          .filter(
              c -> StatusCodeMeanings.of(Call.CREATE_VOLUME, c).effect() == Effect.NOT_BY_THIS_CALL)
          .toList();

  /** Returns a random behaviour other than {@link Normal}. */
  static DriverBehaviour random(Random random) {
    return random.nextBoolean() ? new Unavailable() : rejectingCreations(random);
  }

  /** Returns a behaviour that rejects every creation. */
  static DriverBehaviour rejectingCreations(Random random) {
    return new RejectingCreations(INCONCLUSIVE.get(random.nextInt(INCONCLUSIVE.size())));
  }

  /** Returns whether the reply leaves it open whether a volume was created. */
  static boolean mayHaveCreated(DriverReply<?> reply) {
    return !(reply instanceof DriverReply.Refused<?> refusal)
        || StatusCodeMeanings.of(Call.CREATE_VOLUME, refusal.code()).effect() == Effect.MAYBE;
  }

  default boolean isNormal() {
    return this instanceof Normal;
  }

  /** Returns the outcome of a call; empty if it is random. */
  default Optional<CsiCallOutcome> outcome(Call call) {
    return switch (this) {
      case Normal() -> Optional.empty();
      case Unavailable() -> Optional.of(new CsiCallOutcome.Rejected(StatusCode.UNAVAILABLE));
      case RejectingCreations(StatusCode code) ->
          call == Call.CREATE_VOLUME
                  || call == Call.CREATE_SNAPSHOT
                  || call == Call.CREATE_GROUP_SNAPSHOT
              ? Optional.of(new CsiCallOutcome.Rejected(code))
              : Optional.empty();
    };
  }
}
