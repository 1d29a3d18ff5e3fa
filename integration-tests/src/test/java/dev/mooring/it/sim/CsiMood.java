package dev.mooring.it.sim;

import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.Codes.Begun;
import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What a driver answers for a while to whatever it is asked to do. */
sealed interface CsiMood {
  /** As each call's fate is. */
  record Good() implements CsiMood {}

  /** That it is unavailable; it, or what stands between, is there all the same. */
  record Unavailable() implements CsiMood {}

  /** That it makes nothing. */
  record Refusing(StatusCode code) implements CsiMood {}

  /** Codes that end a call, and say nothing of what earlier ones came to, nor that it is there. */
  List<StatusCode> ENDING =
      Arrays.stream(StatusCode.values())
          .filter(code -> code != StatusCode.OK && code != StatusCode.ALREADY_EXISTS)
          .filter(c -> Codes.of(Call.CREATE_VOLUME, c).begun() == Begun.NOT_BY_THIS_CALL)
          .toList();

  /** Any but the good one. */
  static CsiMood bad(Random random) {
    return random.nextBoolean() ? new Unavailable() : refusing(random);
  }

  /** One that makes nothing. */
  static CsiMood refusing(Random random) {
    return new Refusing(ENDING.get(random.nextInt(ENDING.size())));
  }

  /** Whether that answer leaves it open whether something was made. */
  static boolean isOpen(Reply<?> reply) {
    return !(reply instanceof Reply.Refused<?> refused)
        || Codes.of(Call.CREATE_VOLUME, refused.code()).begun() == Begun.MAYBE;
  }

  /** Whether calls go as they would. */
  default boolean isGood() {
    return this instanceof Good;
  }

  /** How a call goes; empty if the mood does not say. */
  default Optional<CsiFate> of(Call call) {
    return switch (this) {
      case Good() -> Optional.empty();
      case Unavailable() -> Optional.of(new CsiFate.Refused(StatusCode.UNAVAILABLE));
      case Refusing(StatusCode code) ->
          call == Call.CREATE_VOLUME
                  || call == Call.CREATE_SNAPSHOT
                  || call == Call.CREATE_GROUP_SNAPSHOT
              ? Optional.of(new CsiFate.Refused(code))
              : Optional.empty();
    };
  }
}
