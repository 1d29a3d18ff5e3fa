package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.WaitingCondition.ConditionChange;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.testkit.ClaimBuilder;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Verdicts about the condition Waiting of claims. */
class WaitingVerdictTest {
  private static final Instant AT = Instant.ofEpochSecond(50);
  private static final ConditionChange LEAVE = new ConditionChange.Leave();

  private static Condition waiting(String status, Reason reason, long changed) {
    return new Condition(WaitingCondition.TYPE, status, reason.code(), "words", 0, changed);
  }

  private static Claim claimWith(
      UnaryOperator<ClaimBuilder> change, ClaimPhase phase, Condition... conditions) {
    return claim("1Gi", c -> change.apply(c).phase(phase).conditions(conditions));
  }

  private static Claim claimWith(ClaimPhase phase, Condition... conditions) {
    return claimWith(c -> c, phase, conditions);
  }

  private static ConditionChange verdict(Claim claim, Reason reason, String text) {
    return WaitingCondition.decide(claim, reason, text, AT);
  }

  @Test
  void decide_reportedReason_isWritten() {
    assertThat(verdict(claimWith(ClaimPhase.PENDING), Reason.NO_VOLUME, "words"))
        .isEqualTo(new ConditionChange.Write(List.of(waiting("True", Reason.NO_VOLUME, 50))));
  }

  @Test
  void decide_sameReasonInOtherWords_leavesTheCondition() {
    assertThat(
            verdict(
                claimWith(ClaimPhase.PENDING, waiting("True", Reason.NO_VOLUME, 3)),
                Reason.NO_VOLUME,
                "other words"))
        .isEqualTo(LEAVE);
  }

  @Test
  void decide_anotherReason_isWrittenWithItsTime() {
    assertThat(
            verdict(
                claimWith(ClaimPhase.PENDING, waiting("True", Reason.NO_VOLUME, 3)),
                Reason.TOO_SMALL,
                "words"))
        .isEqualTo(new ConditionChange.Write(List.of(waiting("True", Reason.TOO_SMALL, 3))));
  }

  @Test
  void decide_conditionSetToFalse_isWrittenAgain() {
    assertThat(
            verdict(
                claimWith(ClaimPhase.PENDING, waiting("False", Reason.NO_VOLUME, 3)),
                Reason.NO_VOLUME,
                "words"))
        .isEqualTo(new ConditionChange.Write(List.of(waiting("True", Reason.NO_VOLUME, 50))));
  }

  @Test
  void decide_noReasonYet_leavesTheCondition() {
    assertThat(
            verdict(
                claimWith(ClaimPhase.PENDING, waiting("True", Reason.NO_VOLUME, 3)),
                Reason.SILENT,
                ""))
        .isEqualTo(LEAVE);
  }

  @Test
  void decide_boundClaim_removesTheCondition() {
    Condition foreign = new Condition("other", "True", "", "", 0, 0);
    assertThat(
            verdict(
                claimWith(ClaimPhase.BOUND, foreign, waiting("True", Reason.NO_VOLUME, 3)),
                Reason.SILENT,
                ""))
        .isEqualTo(new ConditionChange.Write(List.of(foreign)));
    assertThat(verdict(claimWith(ClaimPhase.BOUND, foreign), Reason.SILENT, "")).isEqualTo(LEAVE);
  }

  @Test
  void decide_boundPhaseWithReason_keepsTheCondition() {
    assertThat(
            verdict(
                claimWith(ClaimPhase.BOUND, waiting("True", Reason.MISBOUND, 3)),
                Reason.MISBOUND,
                ""))
        .isEqualTo(LEAVE);
  }

  @Test
  void decide_deletedClaim_leavesTheCondition() {
    assertThat(
            verdict(
                claimWith(ClaimBuilder::deleting, ClaimPhase.PENDING), Reason.NO_VOLUME, "words"))
        .isEqualTo(LEAVE);
  }
}
