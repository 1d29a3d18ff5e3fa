package dev.mooring.forecast;

import dev.mooring.model.Meta;
import dev.mooring.model.Volume;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationVerdict;
import java.time.Instant;
import java.util.Optional;

/** Forecasts the destruction of a volume after all checks have confirmed it. */
public final class DestructionForecast {
  private DestructionForecast() {}

  /**
   * Returns the destruction, or the condemnation if it is delayed. Empty while a delay lasts.
   *
   * @param actor the controller or plugin
   * @param text what the actor does to the volume if there is no delay
   */
  public static Optional<ForecastStep> of(
      String actor, String text, Volume volume, ClusterSlice slice, ForecastTerms terms) {
    CondemnationVerdict verdict =
        CondemnationDecider.decide(
            volume,
            DeletionDelay.terms(
                volume, slice.storageClass(volume.storageClass()), terms.deletionDelay()),
            terms.now());
    return switch (verdict) {
      case CondemnationVerdict.Due() ->
          Optional.of(new ForecastStep(actor, text, slice.without(volume), Optional.of(volume)));
      case CondemnationVerdict.Condemn(Instant until) ->
          Optional.of(
              ForecastStep.change(
                  actor,
                  "condemns volume %s until %s".formatted(volume.meta().name(), until),
                  slice.with(ObjectEdits.withMeta(volume, condemn(volume, until)))));
      case CondemnationVerdict.Wait _, CondemnationVerdict.Keep _ -> Optional.empty();
    };
  }

  private static Meta condemn(Volume volume, Instant until) {
    return ObjectEdits.withAnnotation(
        ObjectEdits.withAnnotation(volume.meta(), Condemnation.UNTIL, until.toString()),
        Condemnation.CLAIM_UID,
        Condemnation.claimUid(volume).toString());
  }
}
