package dev.mooring.provisioner.explain;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.DestructionForecast;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.DestroyVerdict;
import dev.mooring.provisioner.decide.ObservedClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.decide.VolumeIdentity;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Forecasts the next step of the provisioners and CSI drivers on a few volumes. Assumes that the
 * provisioner of every volume runs.
 */
public final class ProvisionerForecast {
  private static final String IN_TREE_PREFIX = "kubernetes.io/";

  private final ForecastTerms terms;

  public ProvisionerForecast(ForecastTerms terms) {
    this.terms = terms;
  }

  /**
   * Returns the next step.
   *
   * @param neverBound volumes that were never seen Bound
   */
  public Optional<ForecastStep> next(ClusterSlice slice, Set<Uid> neverBound) {
    for (Volume volume : slice.volumes().values()) {
      Optional<ForecastStep> step =
          provisioners(volume).isEmpty()
              ? Optional.empty()
              : next(volume, slice, neverBound.contains(volume.meta().uid()));
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }

  private Optional<ForecastStep> next(Volume volume, ClusterSlice slice, boolean isUnbound) {
    ObservedClaims claims = new ObservedClaims(_ -> false, slice::claim);
    boolean isKept =
        VolumeRules.isTaken(volume, false, slice.claimOf(volume))
            || VolumeRules.isNeverBound(volume, isUnbound, claims.neverHadVolume(volume));
    if (isKept && !terms.compat().isKubernetes() || VolumeRules.isFreedTooLate(volume)) {
      return Optional.empty();
    }
    String actor = provisioners(volume).iterator().next();
    Optional<List<String>> finalizers = VolumeRules.finalizers(volume);
    if (finalizers.isPresent()) {
      return Optional.of(
          ForecastStep.change(
              actor,
              "writes the finalizers of volume " + volume.meta().name(),
              slice.with(
                  ObjectEdits.withMeta(volume, volume.meta().withFinalizers(finalizers.get())))));
    }
    return VolumeRules.isToBeDestroyed(volume)
        ? destroy(volume, actor, claims, slice)
        : Optional.empty();
  }

  private Optional<ForecastStep> destroy(
      Volume volume, String actor, ObservedClaims claims, ClusterSlice slice) {
    Set<String> names = provisioners(volume);
    List<Volume> twins =
        terms.compat().isKubernetes()
            ? List.of()
            : slice.volumes().values().stream()
                .filter(other -> VolumeIdentity.areTwins(volume, other))
                .toList();
    DestroyVerdict verdict =
        slice.decide(facts ->
            VolumeRules.judgeDestruction(
                volume, new ClaimRules.Names(names, Set.of()), claims, twins, facts));
    return verdict instanceof DestroyVerdict.Confirmed
        ? DestructionForecast.of(
            actor, "deletes the storage of volume " + volume.meta().name(), volume, slice, terms)
        : Optional.empty();
  }

  // the binder deletes the volumes of in-tree plugins
  private static Set<String> provisioners(Volume volume) {
    Set<String> names = new LinkedHashSet<>();
    names.add(volume.meta().annotation(CsiMigration.MIGRATED_TO));
    if (volume.meta().hasAnnotation(VolumeOrigin.PROVISIONED_BY)) {
      names.add(volume.meta().annotation(VolumeOrigin.PROVISIONED_BY));
    } else if (volume.source().type().equals("csi")) {
      names.add(volume.source().attribute("driver"));
    }
    names.removeIf(name -> name.isEmpty() || name.startsWith(IN_TREE_PREFIX));
    return names;
  }
}
