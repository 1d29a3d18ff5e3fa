package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** spec/csi-bridge.md 7, and case 45. */
class PublicationsTest {
  @Test
  void whatTheDriverSaysOtherwiseIsAskedForAgain() {
    assertThat(Publications.differs(true, "n", List.of("n", "m"))).isFalse();
    assertThat(Publications.differs(true, "n", List.of("m"))).isTrue();
    assertThat(Publications.differs(false, "n", List.of("n"))).isTrue();
    assertThat(Publications.differs(false, "n", List.of())).isFalse();
  }

  @Test
  void aVolumeThatTheDriverDoesNotListIsPublishedNowhere() {
    assertThat(Publications.differs(true, "n", null)).isTrue();
    assertThat(Publications.differs(false, "n", null)).isFalse();
  }

  @Test
  void aNodeThatNobodyKnowsIsNotCompared() {
    assertThat(Publications.differs(true, "", null)).isFalse();
  }

  private static Attachment attachment(boolean attached, boolean leaving) {
    return Builders.attachment("a")
        .deleted(leaving ? 2 : 0)
        .attacher("d")
        .volumeName("v")
        .nodeName("n")
        .attached(attached)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, false, true",
    "true, true, false, false", // it is published
    "true, false, true, false", // it is taken back
    "false, false, false, false",
  })
  void whatIsBeingDeletedIsNotPublishedAnyMore(
      boolean deleted, boolean attached, boolean leaving, boolean over) {
    Volume volume = Builders.volume("v").deleted(deleted ? 1 : 0).build();
    assertThat(Publications.isOver(attachment(attached, leaving), volume)).isEqualTo(over);
  }

  private static Optional<Identity> able(Ability... abilities) {
    return Optional.of(new Identity("d", "1", Set.of(abilities)));
  }

  /** Abilities, attached, being deleted, held by our finalizer, forced; what is asked. */
  @ParameterizedTest
  @CsvSource({
    "unknown, false, false, false, true,  Rest",
    "none,    false, false, false, false, Attached",
    "none,    true,  false, false, true,  Rest",
    "none,    false, true,  true,  true,  Rest",
    "service, false, false, false, false, Attached",
    "publish, false, false, false, false, Publish",
    "publish, true,  false, true,  false, Rest",
    "publish, true,  false, true,  true,  Publish",
    "publish, true,  true,  true,  false, Unpublish",
    "publish, false, true,  true,  false, Unpublish",
    "publish, true,  true,  false, false, Rest",
    "publish, true,  true,  false, true,  Unpublish",
  })
  void whatTheDriverIsAsked(
      String can, boolean attached, boolean leaving, boolean held, boolean forced, String asked) {
    Optional<Identity> identity =
        switch (can) {
          case "none" -> able();
          case "service" -> able(Ability.CONTROLLER_SERVICE);
          case "publish" -> able(Ability.CONTROLLER_SERVICE, Ability.PUBLISH_UNPUBLISH_VOLUME);
          default -> Optional.empty();
        };
    assertThat(Publications.next(attachment(attached, leaving), identity, held, forced))
        .extracting(decision -> decision.getClass().getSimpleName())
        .isEqualTo(asked);
  }
}
