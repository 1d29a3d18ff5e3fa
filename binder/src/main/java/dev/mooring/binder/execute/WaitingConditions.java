package dev.mooring.binder.execute;

import dev.mooring.binder.decide.WaitingCondition;
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
 * Writes into claims for what they wait, in the words of their last events. Thread-safe.
 *
 * @param reporter knows what was told
 * @param time the clock
 */
public record WaitingConditions(ClusterWriter writer, BinderReporter reporter, Time time) {
  /**
   * Writes what the claim does not say yet. Whoever refuses that is not asked again before there is
   * another reason: nothing depends on it.
   *
   * @param claim as it is after whatever else was to be written
   */
  public Outcome write(Claim claim) throws InterruptedException {
    return switch (WaitingCondition.decide(
        claim, reporter.reasonOf(claim.meta()), reporter.textOf(claim.meta()), time.now())) {
      case WaitingCondition.Verdict.Leave() -> {
        reporter.written(claim.meta());
        yield Outcome.SETTLED;
      }
      case WaitingCondition.Verdict.Say(List<Claim.Condition> conditions) ->
          said(
              claim,
              writer.patchStatus(
                  Kind.CLAIM,
                  claim.key(),
                  ClaimConditions.set(Document.patchOf(claim.meta()), conditions)));
    };
  }

  private Outcome said(Claim claim, WriteResult<Claim> result) {
    return switch (result) {
      case WriteResult.Written<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Rejected<Claim> _ -> {
        reporter.written(claim.meta());
        yield Outcome.SETTLED;
      }
      case WriteResult.Conflict<Claim> _, WriteResult.Unreachable<Claim> _ ->
          Results.outcome("saying in claim " + claim.key() + " why it waits", result);
    };
  }
}
