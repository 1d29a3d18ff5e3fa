package dev.mooring.manager.danger;

import dev.mooring.forecast.ForecastTerms;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.manager.danger.ClaimDanger.DangerRemedy;
import dev.mooring.manager.danger.DangerSearch.Found;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.model.Claim;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.Condemnation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Determines the danger of claims. Thread-safe. */
public final class DangerAnalysis {
  private static final String DELAY = "72h";

  private final ClusterIndex index;
  private final ForecastTerms terms;

  public DangerAnalysis(ClusterIndex index, ForecastTerms terms) {
    this.index = index;
    this.terms = terms;
  }

  public ClaimDanger of(Claim claim) {
    Optional<Volume> volume = index.volumeOf(claim);
    return new ClaimDanger(
        claim.key(),
        volume,
        volume
            .map(v -> new DangerSearch(index.searchInput(claim, v), terms).find())
            .orElse(new Found(Optional.empty(), Optional.empty())),
        List.of());
  }

  /** Also determines the remedies, each with a search of its own. */
  public ClaimDanger withRemedies(Claim claim) {
    ClaimDanger danger = of(claim);
    if (danger.volume().isEmpty() || danger.acts().isEmpty()) {
      return danger;
    }
    Volume volume = danger.volume().get();
    SearchInput input = index.searchInput(claim, volume);
    List<DangerRemedy> remedies = new ArrayList<>();
    if (volume.reclaimPolicy() != ReclaimPolicy.RETAIN) {
      tryRemedy(
              DangerAct.patchPolicy(volume.meta().name(), ReclaimPolicy.RETAIN),
              input,
              ObjectEdits.withPolicy(volume, ReclaimPolicy.RETAIN),
              danger)
          .ifPresent(remedies::add);
    }
    if (!terms.compat().isKubernetes()) {
      tryRemedy(
              "kubectl annotate pv %s %s=%s"
                  .formatted(volume.meta().name(), Condemnation.DELAY, DELAY),
              input,
              ObjectEdits.withMeta(
                  volume, ObjectEdits.withAnnotation(volume.meta(), Condemnation.DELAY, DELAY)),
              danger)
          .ifPresent(remedies::add);
    }
    return new ClaimDanger(danger.claim(), danger.volume(), danger.found(), remedies);
  }

  private Optional<DangerRemedy> tryRemedy(
      String command, SearchInput input, Volume changed, ClaimDanger danger) {
    Optional<List<TakenAct>> after =
        new DangerSearch(input.withObjects(input.objects().with(changed)), terms)
            .find()
            .destruction();
    boolean isBetter = after.isEmpty() || after.get().size() > danger.acts().orElseThrow();
    return isBetter
        ? Optional.of(
            new DangerRemedy(
                command,
                after.map(acts -> OptionalInt.of(acts.size())).orElseGet(OptionalInt::empty)))
        : Optional.empty();
  }
}
