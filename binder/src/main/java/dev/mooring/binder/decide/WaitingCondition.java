package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides about the claim condition {@code mooring.dev/Waiting}, which repeats the reason of the
 * claim's last event. It is written once for each reason, and removed when the claim is bound.
 * Other conditions stay as they are.
 */
public final class WaitingCondition {
  public static final String TYPE = "mooring.dev/Waiting";

  private static final String TRUE = "True";

  public sealed interface ConditionChange {
    record Leave() implements ConditionChange {}

    record Say(List<Condition> conditions) implements ConditionChange {
      public Say {
        conditions = List.copyOf(conditions);
      }
    }
  }

  private static final ConditionChange LEAVE = new ConditionChange.Leave();

  private WaitingCondition() {}

  public static ConditionChange decide(Claim claim, Reason why, String text, Instant at) {
    if (claim.meta().isBeingDeleted()) {
      return LEAVE;
    }
    Optional<Condition> present = of(claim);
    if (why == Reason.SILENT) {
      return claim.phase() == ClaimPhase.BOUND && present.isPresent()
          ? new ConditionChange.Say(without(claim))
          : LEAVE;
    }
    boolean isTrue = present.filter(c -> c.status().equals(TRUE)).isPresent();
    if (text.isEmpty() || isTrue && present.orElseThrow().reason().equals(why.code())) {
      return LEAVE;
    }
    long changed = isTrue ? present.orElseThrow().changed() : at.getEpochSecond();
    List<Condition> conditions = new ArrayList<>(without(claim));
    conditions.add(new Condition(TYPE, TRUE, why.code(), text, 0, changed));
    return new ConditionChange.Say(conditions);
  }

  public static boolean isIn(Claim claim) {
    return of(claim).isPresent();
  }

  public static List<Condition> without(Claim claim) {
    return claim.status().conditions().stream().filter(c -> !c.type().equals(TYPE)).toList();
  }

  private static Optional<Condition> of(Claim claim) {
    return claim.status().conditions().stream().filter(c -> c.type().equals(TYPE)).findFirst();
  }
}
