package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishRulesTest {
  @Test
  void differsFromList_driverListsOtherState_isTrue() {
    assertThat(PublishRules.differsFromList(true, "n", List.of("n", "m"))).isFalse();
    assertThat(PublishRules.differsFromList(true, "n", List.of("m"))).isTrue();
    assertThat(PublishRules.differsFromList(false, "n", List.of("n"))).isTrue();
    assertThat(PublishRules.differsFromList(false, "n", List.of())).isFalse();
  }

  @Test
  void differsFromList_unlistedVolume_countsAsUnpublished() {
    assertThat(PublishRules.differsFromList(true, "n", null)).isTrue();
    assertThat(PublishRules.differsFromList(false, "n", null)).isFalse();
  }

  @Test
  void differsFromList_unknownNodeId_isFalse() {
    assertThat(PublishRules.differsFromList(true, "", null)).isFalse();
  }

  private static Attachment attachment(boolean attached, boolean attachmentDeleted) {
    return TestObjects.attachment("a")
        .deleted(attachmentDeleted ? 2 : 0)
        .attacher("d")
        .volumeName("v")
        .nodeName("n")
        .attached(attached)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, false, true",
    "true, true, false, false", // already published
    "true, false, true, false", // it will be unpublished
    "false, false, false, false",
  })
  void canNeverComplete_deletedVolume_isTrueUnlessAttached(
      boolean deleted, boolean attached, boolean attachmentDeleted, boolean expected) {
    Volume volume = TestObjects.volume("v").deleted(deleted ? 1 : 0).build();
    assertThat(PublishRules.canNeverComplete(attachment(attached, attachmentDeleted), volume))
        .isEqualTo(expected);
  }

  private static Optional<DriverIdentity> identityWith(DriverCapability... abilities) {
    return Optional.of(new DriverIdentity("d", "1", Set.of(abilities)));
  }

  /** Capabilities, attached, being deleted, has our finalizer, forced; expected step. */
  @ParameterizedTest
  @CsvSource({
    "unknown, false, false, false, true, NoAction",
    "none,    false, false, false, false, Attached",
    "none,    true,  false, false, true, NoAction",
    "none,    false, true,  true,  true, NoAction",
    "service, false, false, false, false, Attached",
    "publish, false, false, false, false, Publish",
    "publish, true,  false, true,  false, NoAction",
    "publish, true,  false, true,  true,  Publish",
    "publish, true,  true,  true,  false, Unpublish",
    "publish, false, true,  true,  false, Unpublish",
    "publish, true,  true,  false, false, NoAction",
    "publish, true,  true,  false, true,  Unpublish",
  })
  void decideStep_ofAttachment_returnsStep(
      String abilities,
      boolean attached,
      boolean attachmentDeleted,
      boolean hasFinalizer,
      boolean forced,
      String step) {
    Optional<DriverIdentity> identity =
        switch (abilities) {
          case "none" -> identityWith();
          case "service" -> identityWith(DriverCapability.CONTROLLER_SERVICE);
          case "publish" ->
              identityWith(
                  DriverCapability.CONTROLLER_SERVICE, DriverCapability.PUBLISH_UNPUBLISH_VOLUME);
          default -> Optional.empty();
        };
    assertThat(
            PublishRules.decideStep(
                attachment(attached, attachmentDeleted), identity, hasFinalizer, forced))
        .extracting(decision -> decision.getClass().getSimpleName())
        .isEqualTo(step);
  }
}
