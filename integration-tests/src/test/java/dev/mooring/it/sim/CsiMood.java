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

/** How a driver answers all calls for a while. */
sealed interface CsiMood {
  /** Each call has its own fate. */
  record Good() implements CsiMood {}

  /** The driver, or a proxy before it, answers that it is unavailable. */
  record Unavailable() implements CsiMood {}

  /** The driver refuses to create anything. */
  record Refusing(StatusCode code) implements CsiMood {}

  /** Codes that end a call without a statement about earlier calls. */
  List<StatusCode> ENDING =
      Arrays.stream(StatusCode.values())
          .filter(code -> code != StatusCode.OK && code != StatusCode.ALREADY_EXISTS)
          .filter(c -> Codes.of(Call.CREATE_VOLUME, c).begun() == Begun.NOT_BY_THIS_CALL)
          .toList();

  /** Returns a random mood that is not good. */
  static CsiMood bad(Random random) {
    return random.nextBoolean() ? new Unavailable() : refusing(random);
  }

  /** Returns a mood that creates nothing. */
  static CsiMood refusing(Random random) {
    return new Refusing(ENDING.get(random.nextInt(ENDING.size())));
  }

  /** Returns whether something may have been created in spite of the answer. */
  static boolean isOpen(Reply<?> reply) {
    return !(reply instanceof Reply.Refused<?> refused)
        || Codes.of(Call.CREATE_VOLUME, refused.code()).begun() == Begun.MAYBE;
  }

  default boolean isGood() {
    return this instanceof Good;
  }

  /** Returns the fate of a call; empty if the mood does not decide it. */
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
