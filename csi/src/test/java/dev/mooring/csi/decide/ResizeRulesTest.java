package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Quantity;
import dev.mooring.storage.decide.ResizeConditions;
import dev.mooring.testkit.TestObjects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizeRulesTest {
  /**
   * Requested, current, allocated, state, volume size, finally refused, controller expands; target.
   */
  @ParameterizedTest
  @CsvSource({
    "2Gi,  1Gi, ,     NONE,                   1Gi,  false, true,  2Gi",
    "1Gi,  1Gi, ,     NONE,                   1Gi,  false, true,  1Gi",
    "5Gi,  3Gi, 10Gi, CONTROLLER_INFEASIBLE,  3Gi,  false, true,  5Gi",
    "5Gi,  3Gi, 10Gi, CONTROLLER_IN_PROGRESS, 3Gi,  true,  true,  5Gi",
    "5Gi,  3Gi, 10Gi, CONTROLLER_IN_PROGRESS, 3Gi,  false, true,  10Gi",
    "5Gi,  3Gi, ,     CONTROLLER_IN_PROGRESS, 3Gi,  false, true,  5Gi",
    "5Gi,  3Gi, 10Gi, NODE_INFEASIBLE,        10Gi, false, false, 5Gi",
    "5Gi,  3Gi, 10Gi, NODE_INFEASIBLE,        10Gi, false, true,  10Gi",
    "5Gi,  3Gi, 4Gi,  NODE_INFEASIBLE,        4Gi,  false, true,  4Gi",
    "1Gi,  1Gi, 1Gi,  NODE_PENDING,           1Gi,  false, true,  ",
    "2Gi,  1Gi, 2Gi,  NODE_INFEASIBLE,        2Gi,  false, true,  2Gi",
    "10Gi, 1Gi, 3Gi,  NODE_PENDING,           3Gi,  false, true,  ",
    "10Gi, 1Gi, 3Gi,  NODE_IN_PROGRESS,       3Gi,  false, true,  ",
    "10Gi, 1Gi, 5Gi,  NODE_PENDING,           3Gi,  false, true,  5Gi",
    "4Gi,  3Gi, 3Gi,  NODE_PENDING,           3Gi,  false, true,  4Gi",
    "4Gi,  3Gi, 3Gi,  NODE_IN_PROGRESS,       3Gi,  false, false, 4Gi",
    "6Gi,  3Gi, 3Gi,  NODE_PENDING,           4Gi,  false, true,  ",
    "6Gi,  3Gi, 5Gi,  NODE_PENDING,           3Gi,  false, true,  5Gi",
    "2Gi,  1Gi, 3Gi,  CONTROLLER_IN_PROGRESS, 2Gi,  false, true,  3Gi",
    "2Gi,  1Gi, 3Gi,  CONTROLLER_INFEASIBLE,  2Gi,  false, true,  3Gi",
    "2Gi,  1Gi, 3Gi,  NONE,                   2Gi,  false, true,  3Gi",
  })
  void chooseTarget_ofClaim_returnsSize(
      String requested,
      String current,
      String allocated,
      ResizeState state,
      String size,
      boolean isFinallyRefused,
      boolean atDriver,
      String target) {
    assertThat(
            ResizeRules.chooseTarget(
                DriverClaims.growing(requested, current, allocated, state),
                Quantity.of(size),
                isFinallyRefused,
                atDriver))
        .isEqualTo(Optional.ofNullable(target).map(Quantity::of));
  }

  @Test
  void chooseTarget_oldConditionWithoutState_isEmpty() {
    assertThat(
            ResizeRules.chooseTarget(
                DriverClaims.claim()
                    .request("2Gi")
                    .conditions(DriverClaims.condition(ResizeConditions.NODE_PENDING))
                    .build(),
                Quantity.of("2Gi"),
                false,
                true))
        .isEmpty();
  }

  /** A class that was requested during another change must not be ignored. */
  @Test
  void isRelevantChange_finishedModification_isTrue() {
    Claim silver = changed("silver");
    assertThat(ResizeRules.isRelevantChange(silver, changed("gold"))).isTrue();
    assertThat(ResizeRules.isRelevantChange(silver, changed("silver"))).isFalse();
  }

  @Test
  void isRelevantChange_replacedClaim_isTrue() {
    Claim claim = changed("gold");
    Claim later = TestObjects.like(claim).uid("later").build();
    assertThat(ResizeRules.isRelevantChange(claim, later)).isTrue();
  }

  private static Claim changed(String current) {
    Claim.Status status = DriverClaims.claim().build().status();
    return DriverClaims.claim()
        .attributesClass("gold")
        .status(new Claim.Status(status.phase(), status.accessModes(), status.capacity(), current))
        .build();
  }
}
