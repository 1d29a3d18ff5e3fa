package dev.mooring.protection.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import java.util.List;

/** What a claim's condition {@code Unused} has to say. */
public sealed interface UnusedDecision {
  /** It says already what it has to, or the claim is being deleted and says nothing any more. */
  record Leave() implements UnusedDecision {}

  /**
   * The claim is to say something else.
   *
   * @param conditions all its conditions, as they are to be
   */
  record Say(List<Claim.Condition> conditions) implements UnusedDecision {}

  /** No pod that is known uses it; only the server can say that none does. */
  record Ask(List<Question<?>> questions) implements UnusedDecision, NeedsLive {}

  /** Whether a pod uses it could not be found out. */
  record Unknown(String why) implements UnusedDecision {}
}
