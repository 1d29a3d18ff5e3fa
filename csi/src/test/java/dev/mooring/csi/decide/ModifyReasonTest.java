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
   * Driver of the volume, driver of the class, state, whether an error is recorded; expected
   * reason.
   */
  @ParameterizedTest
  @CsvSource({
    "d,  d,  InProgress, false, MODIFYING",
    "d,  d,  '',         false, MODIFYING",
    "d,  d,  InProgress, true,  MODIFY_FAILED",
    "d,  d,  Infeasible, true,  MODIFY_REFUSED",
    "d,  '', Pending,    false, MODIFY_CLASS_MISSING",
    "d,  e,  Pending,    false, MODIFY_CLASS_OF_ANOTHER",
    "'', d,  '',         false, MODIFY_UNSUPPORTED",
  })
  void of_claimState_returnsReason(
      String driver, String ofClass, String state, boolean failed, ModifyReason reason) {
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
                    failed ? List.of(DriverClaims.condition(ModifyRules.ERROR)) : List.of(),
                    List.of()))
            .build();
    assertThat(ModifyReason.of(claim, driver, ofClass)).isEqualTo(reason);
  }
}
