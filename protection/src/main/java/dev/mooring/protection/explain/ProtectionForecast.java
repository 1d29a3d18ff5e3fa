package dev.mooring.protection.explain;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.model.Claim;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.decide.FinalizerRule;
import java.util.List;
import java.util.Optional;

/** Forecasts the next step of the protection controllers on a few objects. */
public final class ProtectionForecast {
  private static final String ACTOR = "the protection controller";

  private final ForecastTerms terms;

  public ProtectionForecast(ForecastTerms terms) {
    this.terms = terms;
  }

  public Optional<ForecastStep> next(ClusterSlice slice) {
    FinalizerRule<Claim> claimRule =
        FinalizerDecider.claimRule(slice::podsNaming, terms.compat(), 1);
    for (Claim claim : slice.claims().values()) {
      Optional<List<String>> finalizers = finalizers(claimRule, claim, slice);
      if (finalizers.isPresent()) {
        return step(
            "claim " + claim.key(),
            slice.with(claim.withMeta(claim.meta().withFinalizers(finalizers.get()))));
      }
    }
    for (Volume volume : slice.volumes().values()) {
      Optional<List<String>> finalizers = finalizers(FinalizerDecider.volumeRule(), volume, slice);
      if (finalizers.isPresent()) {
        return step(
            "volume " + volume.meta().name(),
            slice.with(
                ObjectEdits.withMeta(volume, volume.meta().withFinalizers(finalizers.get()))));
      }
    }
    return Optional.empty();
  }

  private static <T extends Resource> Optional<List<String>> finalizers(
      FinalizerRule<T> rule, T object, ClusterSlice slice) {
    return switch (slice.decide(facts -> rule.decide(object, facts))) {
      case FinalizerDecision.Release(List<String> finalizers) -> Optional.of(finalizers);
      case FinalizerDecision.Protect(List<String> finalizers) -> Optional.of(finalizers);
      case FinalizerDecision.Hold _, FinalizerDecision.Unchanged _, FinalizerDecision.Unknown _ ->
          Optional.empty();
    };
  }

  private static Optional<ForecastStep> step(String object, ClusterSlice after) {
    return Optional.of(ForecastStep.change(ACTOR, "changes the finalizers of " + object, after));
  }
}
