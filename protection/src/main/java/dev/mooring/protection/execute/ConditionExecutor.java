package dev.mooring.protection.execute;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.protection.decide.UnusedDecision;
import java.util.List;

/** Writes the condition {@code Unused} of claims. Thread-safe. */
public record ConditionExecutor(ClusterWriter writer) {
  public WriteResult<Claim> execute(Claim claim, UnusedDecision decision)
      throws InterruptedException {
    return switch (decision) {
      case UnusedDecision.Unchanged() -> new WriteResult.Written<>(claim);
      case UnusedDecision.SetCondition(List<Claim.Condition> conditions) ->
          writer.patchStatus(
              Kind.CLAIM,
              claim.key(),
              ClaimConditions.set(Document.patchOf(claim.meta()), conditions));
      case UnusedDecision.Unknown(String message) ->
          new WriteResult.Unreachable<>("whether pods use it is unknown: " + message);
    };
  }
}
