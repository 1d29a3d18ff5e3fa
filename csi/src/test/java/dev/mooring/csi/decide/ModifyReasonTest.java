package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModifyReasonTest {
  /**
   * Driver of the volume, driver of the class, state, type of the claim's condition; expected
   * reason.
   */
  @ParameterizedTest
  @CsvSource({
    "d,  d,  InProgress, '',                MODIFYING",
    "d,  d,  '',         ModifyingVolume,   MODIFYING",
    "d,  d,  '',         '',                MODIFY_NOT_STARTED",
    "d,  d,  InProgress, ModifyVolumeError, MODIFY_FAILED",
    "d,  d,  Infeasible, ModifyVolumeError, MODIFY_REFUSED",
    "d,  '', Pending,    '',                MODIFY_CLASS_MISSING",
    "d,  e,  Pending,    '',                MODIFY_CLASS_OF_ANOTHER",
    "'', d,  '',         '',                MODIFY_UNSUPPORTED",
  })
  void of_claimState_returnsReason(
      String driver, String ofClass, String state, String condition, ModifyReason reason) {
    Claim claim =
        DriverClaims.claim()
            .attributesClass("gold")
            .status(
                new Claim.Status(
                    ClaimPhase.BOUND,
                    List.of(),
                    Map.of(),
                    "",
                    new Claim.Modification("gold", state),
                    Claim.Resize.NONE,
                    condition.isEmpty() ? List.of() : List.of(DriverClaims.condition(condition)),
                    List.of()))
            .build();
    assertThat(ModifyReason.of(claim, driver, ofClass)).isEqualTo(reason);
  }
}
