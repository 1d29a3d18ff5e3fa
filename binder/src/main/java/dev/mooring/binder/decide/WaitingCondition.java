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

    record Write(List<Condition> conditions) implements ConditionChange {
      public Write {
        conditions = List.copyOf(conditions);
      }
    }
  }

  private static final ConditionChange LEAVE = new ConditionChange.Leave();

  private WaitingCondition() {}

  public static ConditionChange decide(Claim claim, Reason reason, String text, Instant now) {
    if (claim.meta().isBeingDeleted()) {
      return LEAVE;
    }
    Optional<Condition> condition = find(claim);
    if (reason == Reason.SILENT) {
      return claim.phase() == ClaimPhase.BOUND && condition.isPresent()
          ? new ConditionChange.Write(otherConditions(claim))
          : LEAVE;
    }
    boolean isTrue = condition.filter(c -> c.status().equals(TRUE)).isPresent();
    if (text.isEmpty() || isTrue && condition.orElseThrow().reason().equals(reason.code())) {
      return LEAVE;
    }
    long changed = isTrue ? condition.orElseThrow().changed() : now.getEpochSecond();
    List<Condition> conditions = new ArrayList<>(otherConditions(claim));
    conditions.add(new Condition(TYPE, TRUE, reason.code(), text, 0, changed));
    return new ConditionChange.Write(conditions);
  }

  public static boolean hasCondition(Claim claim) {
    return find(claim).isPresent();
  }

  public static List<Condition> otherConditions(Claim claim) {
    return claim.status().conditions().stream().filter(c -> !c.type().equals(TYPE)).toList();
  }

  private static Optional<Condition> find(Claim claim) {
    return claim.status().conditions().stream().filter(c -> c.type().equals(TYPE)).findFirst();
  }
}
