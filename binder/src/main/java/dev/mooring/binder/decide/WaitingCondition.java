package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides about the condition {@code mooring.dev/Waiting} of claims: for what a claim waits, as its
 * last event says it. It is written once for each reason, and goes when the claim is bound. Other
 * conditions stay as they are.
 */
public final class WaitingCondition {
  /** The condition's type. */
  public static final String TYPE = "mooring.dev/Waiting";

  private static final String TRUE = "True";

  /** What becomes of it. */
  public sealed interface Verdict {
    /** It stays as it is. */
    record Leave() implements Verdict {}

    /**
     * It is written.
     *
     * @param conditions all conditions of the claim as they are to be
     */
    record Say(List<Condition> conditions) implements Verdict {
      /** Copies the list. */
      public Say {
        conditions = List.copyOf(conditions);
      }
    }
  }

  private static final Verdict LEAVE = new Verdict.Leave();

  private WaitingCondition() {}

  /**
   * A claim.
   *
   * @param why for what it was told last that it waits; SILENT for nothing, or nothing yet
   * @param text in which words; "" if these are not known any more
   * @param at the time of the transition, if there is one
   */
  public static Verdict decide(Claim claim, Reason why, String text, Instant at) {
    if (claim.meta().isBeingDeleted()) {
      return LEAVE;
    }
    Optional<Condition> said = of(claim);
    if (why == Reason.SILENT) {
      return claim.phase() == ClaimPhase.BOUND && said.isPresent()
          ? new Verdict.Say(without(claim))
          : LEAVE;
    }
    boolean stands = said.filter(c -> c.status().equals(TRUE)).isPresent();
    if (text.isEmpty() || stands && said.orElseThrow().reason().equals(why.code())) {
      return LEAVE;
    }
    long changed = stands ? said.orElseThrow().changed() : at.getEpochSecond();
    List<Condition> conditions = new ArrayList<>(without(claim));
    conditions.add(new Condition(TYPE, TRUE, why.code(), text, 0, changed));
    return new Verdict.Say(conditions);
  }

  /** Whether the claim has it. */
  public static boolean isIn(Claim claim) {
    return of(claim).isPresent();
  }

  /** The claim's other conditions. */
  public static List<Condition> without(Claim claim) {
    return claim.status().conditions().stream().filter(c -> !c.type().equals(TYPE)).toList();
  }

  private static Optional<Condition> of(Claim claim) {
    return claim.status().conditions().stream().filter(c -> c.type().equals(TYPE)).findFirst();
  }
}
