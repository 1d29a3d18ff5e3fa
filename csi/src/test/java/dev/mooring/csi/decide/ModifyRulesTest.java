package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.decide.ModifyRules.ModifyPlan;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModifyRulesTest {
  /**
   * Requested class, current class, target and state in the status, condition present, uncertain;
   * expected step.
   */
  @ParameterizedTest
  @CsvSource({
    "gold, gold,   ,       ,           false, false, nothing",
    "'',   '',     ,       ,           false, false, nothing",
    "gold, silver, ,       ,           false, false, gold",
    "gold, silver, gold,   Pending,    false, false, gold",
    "gold, silver, gold,   Infeasible, false, false, gold",
    "gold, silver, bronze, Infeasible, false, false, gold",
    "gold, silver, bronze, InProgress, false, false, gold",
    "gold, silver, bronze, InProgress, false, true,  resume bronze",
    "gold, silver, gold,   InProgress, false, true,  resume gold",
    "'',   silver, bronze, InProgress, true,  false, resume bronze",
    "'',   silver, bronze, Infeasible, true,  false, cancel",
    "'',   silver, bronze, Pending,    false, false, nothing",
  })
  void plan_ofClaim_returnsStep(
      String requested,
      String current,
      String target,
      String state,
      boolean hasCondition,
      boolean uncertain,
      String step) {
    Claim claim =
        DriverClaims.claim()
            .attributesClass(requested)
            .status(
                new Claim.Status(
                    ClaimPhase.BOUND,
                    List.of(),
                    Map.of(),
                    current,
                    target == null
                        ? Claim.Modification.NONE
                        : new Claim.Modification(target, state),
                    Claim.Resize.NONE,
                    hasCondition
                        ? List.of(DriverClaims.condition(ModifyRules.MODIFYING))
                        : List.of(),
                    List.of()))
            .build();
    ModifyPlan expected =
        switch (step) {
          case "nothing" -> new ModifyPlan.Nothing();
          case "cancel" -> new ModifyPlan.Cancel();
          default -> new ModifyPlan.Change(step.replace("resume ", ""), step.startsWith("resume "));
        };
    assertThat(ModifyRules.plan(claim, uncertain)).isEqualTo(expected);
  }

  /** Earlier reason and transition time; new reason and expected transition time. */
  @ParameterizedTest
  @CsvSource({"Unavailable, 5, Unavailable, 5", "Unavailable, 5, Internal, 9"})
  void mergeConditions_existingType_keepsTransitionTimeOfSameReason(
      String oldReason, long oldChange, String reason, long expectedChange) {
    Condition other = new Condition("Resizing", "True", "", "", 1, 1);
    Condition old = new Condition(ModifyRules.ERROR, "True", oldReason, "old", 5, oldChange);
    Condition current = new Condition(ModifyRules.ERROR, "True", reason, "new", 9, 9);
    assertThat(ModifyRules.mergeConditions(List.of(old, other), List.of(current)))
        .containsExactly(
            other, new Condition(ModifyRules.ERROR, "True", reason, "new", 9, expectedChange));
  }
}
