package dev.mooring.protection.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.reconcile.Outcome;
import java.util.List;

/** Writes finalizers. Thread-safe. */
public record FinalizerExecutor(ClusterWriter writer) {
  public <T extends Resource> Outcome execute(Kind<T> kind, T object, FinalizerDecision decision)
      throws InterruptedException {
    return switch (decision) {
      case FinalizerDecision.Unchanged() -> Outcome.SETTLED;
      case FinalizerDecision.Hold _ ->
          Outcome.SETTLED; // the event that ends the use requeues the key
      case FinalizerDecision.Unknown(_, _, String message) ->
          new Outcome.Unanswered(
              "%s %s keeps its finalizer; whether it is used is unknown: %s"
                  .formatted(kind, object.key(), message));
      case FinalizerDecision.Protect(List<String> finalizers) ->
          writeFinalizers(kind, object, finalizers);
      case FinalizerDecision.Release(List<String> finalizers) ->
          writeFinalizers(kind, object, finalizers);
    };
  }

  private <T extends Resource> Outcome writeFinalizers(
      Kind<T> kind, T object, List<String> finalizers) throws InterruptedException {
    return Outcome.ofWrite(
        "writing the finalizers of " + kind + " " + object.key(),
        writer.patch(
            kind,
            object.key(),
            Document.patchOf(object.meta())
                .set(finalizers.isEmpty() ? null : finalizers, "metadata", "finalizers")));
  }
}
