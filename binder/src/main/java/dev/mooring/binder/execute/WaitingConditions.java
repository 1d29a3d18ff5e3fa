package dev.mooring.binder.execute;

import dev.mooring.binder.decide.WaitingCondition;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import java.util.List;

/**
 * Writes the condition {@code mooring.dev/Waiting} of claims, with the text of their last event.
 * Thread-safe.
 */
record WaitingConditions(ClusterWriter writer, EventMemory events, Time time) {
  /**
   * Writes the condition if it differs. A rejected write is not repeated before the reason changes,
   * because nothing depends on the condition.
   *
   * @param claim the claim after all other writes
   */
  Outcome write(Claim claim) throws InterruptedException {
    return switch (WaitingCondition.decide(
        claim, events.reasonOf(claim.meta()), events.textOf(claim.meta()), time.now())) {
      case WaitingCondition.ConditionChange.Leave() -> {
        events.dropText(claim.meta());
        yield Outcome.SETTLED;
      }
      case WaitingCondition.ConditionChange.Write(List<Claim.Condition> conditions) ->
          finishWrite(
              claim,
              writer.patchStatus(
                  Kind.CLAIM,
                  claim.key(),
                  ClaimConditions.set(Document.patchOf(claim.meta()), conditions)));
    };
  }

  private Outcome finishWrite(Claim claim, WriteResult<Claim> result) {
    return switch (result) {
      case WriteResult.Written<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Rejected<Claim> _ -> {
        events.dropText(claim.meta());
        yield Outcome.SETTLED;
      }
      case WriteResult.Conflict<Claim> _, WriteResult.Unreachable<Claim> _ ->
          WriteOutcomes.outcome("writing the waiting condition of claim " + claim.key(), result);
    };
  }
}
