package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.DeleterDecider;
import dev.mooring.binder.decide.DeleterDecider.LoadedPlugin;
import dev.mooring.binder.decide.DeleterDecider.PluginCandidates;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.DestructionForecast;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.List;
import java.util.Optional;

// Forecasts what the binder does to a released volume. Assumes that the plugin of every in-tree
// volume is loaded, so that a forecast never misses a deletion.
final class ReclaimForecast {
  private static final String HOST_PATH = "kubernetes.io/host-path";

  private final BinderPolicy policy;
  private final ForecastTerms terms;

  ReclaimForecast(BinderPolicy policy, ForecastTerms terms) {
    this.policy = policy;
    this.terms = terms;
  }

  Optional<ForecastStep> next(Volume volume, ClusterSlice slice) {
    return switch (ReclaimDecider.decideReclaim(volume, false)) {
      case ReclaimDecision.Others _, ReclaimDecision.Retain _, ReclaimDecision.Destroyed _ ->
          Optional.empty();
      case ReclaimDecision.UnknownPolicy _ ->
          BinderForecast.setPhase(volume, VolumePhase.FAILED, slice);
      case ReclaimDecision.Recycle _ -> recycle(volume, slice);
      case ReclaimDecision.Delete _ -> delete(volume, slice);
    };
  }

  private Optional<ForecastStep> delete(Volume volume, ClusterSlice slice) {
    return switch (DeleterDecider.decide(volume, assumePlugins(volume), policy)) {
      case DeleterVerdict.Others() -> Optional.empty();
      case DeleterVerdict.NoDeleter _ -> BinderForecast.setPhase(volume, VolumePhase.FAILED, slice);
      case DeleterVerdict.Plugin(String plugin) ->
          slice.decide(facts -> ReclaimDecider.decideDeletion(volume, twins(volume, slice), facts))
                  instanceof ReclaimVerdict.Confirmed
              ? DestructionForecast.of(
                  "plugin " + plugin,
                  "deletes the storage of volume " + volume.meta().name(),
                  volume,
                  slice,
                  terms)
              : Optional.empty();
    };
  }

  private static PluginCandidates assumePlugins(Volume volume) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    boolean isFoundBySource =
        DeleterDecider.isFoundBySource(volume) && volume.source().type().equals("hostPath");
    return new PluginCandidates(
        provisioner.startsWith(BinderMarks.IN_TREE_PREFIX)
            ? Optional.of(new LoadedPlugin(provisioner, true))
            : Optional.empty(),
        isFoundBySource ? List.of(new LoadedPlugin(HOST_PATH, true)) : List.of());
  }

  private Optional<ForecastStep> recycle(Volume volume, ClusterSlice slice) {
    RecycleView view = new RecycleView(volume, users(volume, slice), null, PodRelation.NONE);
    return switch (RecycleDecider.decide(view)) {
      case RecycleDecision.NoRecycler _ ->
          BinderForecast.setPhase(volume, VolumePhase.FAILED, slice);
      case RecycleDecision.Start _ ->
          slice.decide(facts -> ReclaimDecider.decideRecycling(volume, twins(volume, slice), facts))
                  instanceof ReclaimVerdict.Confirmed
              ? DestructionForecast.of(
                  BinderForecast.ACTOR,
                  "has a pod scrub volume " + volume.meta().name(),
                  volume,
                  slice,
                  terms)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static List<ObjectKey> users(Volume volume, ClusterSlice slice) {
    return volume.claimRef() == null || slice.claimOf(volume).isPresent()
        ? List.of()
        : slice.podsNaming(volume.claimRef().claim()).stream()
            .filter(pod -> !pod.isTerminated())
            .map(Pod::key)
            .toList();
  }

  private List<Volume> twins(Volume volume, ClusterSlice slice) {
    return policy.compat().isKubernetes()
        ? List.of()
        : slice.volumes().values().stream()
            .filter(other -> VolumeIdentity.areTwins(volume, other))
            .toList();
  }
}
