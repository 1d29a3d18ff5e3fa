package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvailabilityRuleTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  /**
   * A volume that is reserved by name, when a plugin may have destroyed it, would never be bound.
   */
  @ParameterizedTest
  @CsvSource({"'', '', true", "BeingDestroyed, '', false", "BeingDestroyed, u, true"})
  void isReserved_volumeThatMayBeDestroyed_onlyForTheClaimThatHasIt(
      String reason, String uid, boolean reserved) {
    Claim claim = TestObjects.claim(CLAIM).uid("u").build();
    Volume volume =
        TestObjects.volume("v")
            .claimRef(CLAIM, uid)
            .status(new Volume.Status(VolumePhase.RELEASED, "", reason))
            .build();
    assertThat(AvailabilityRule.isReserved(claim, volume)).isEqualTo(reserved);
  }
}
