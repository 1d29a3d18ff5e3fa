package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.binder.decide.VolumeView.KnownClaim;
import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.Condemnation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Forecasts the binder's next step on a few objects, with the decisions of the binder. */
public final class BinderForecast {
  static final String ACTOR = "the binder";

  private final BinderPolicy policy;
  private final ReclaimForecast reclaim;

  public BinderForecast(ForecastTerms terms) {
    this.policy = new BinderPolicy(terms.compat(), true);
    this.reclaim = new ReclaimForecast(policy, terms);
  }

  public Optional<ForecastStep> next(ClusterSlice slice) {
    for (Volume volume : slice.volumes().values()) {
      Optional<ForecastStep> step = ofVolume(volume, slice);
      if (step.isPresent()) {
        return step;
      }
    }
    for (Claim claim : slice.claims().values()) {
      Optional<ForecastStep> step = ofClaim(claim, slice);
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }

  private Optional<ForecastStep> ofVolume(Volume volume, ClusterSlice slice) {
    VolumeView view =
        new VolumeView(
            volume,
            slice
                .claimOf(volume)
                .<KnownClaim>map(KnownClaim.Cached::new)
                .orElseGet(KnownClaim.NotCached::new));
    VolumeDecision decision = slice.decide(facts -> VolumeDecider.decide(view.with(facts), policy));
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) -> setPhase(volume, phase, slice);
      case VolumeDecision.Reclaim(boolean setReleased, boolean _) ->
          setReleased && volume.phase() != VolumePhase.RELEASED
              ? setPhase(volume, VolumePhase.RELEASED, slice)
              : reclaim.next(volume, slice);
      case VolumeDecision.Unbind() -> unbind(volume, slice);
      case VolumeDecision.ModeMismatch(Claim _, boolean unbind) ->
          unbind ? unbind(volume, slice) : Optional.empty();
      case VolumeDecision.WakeClaim _, VolumeDecision.Keep _, VolumeDecision.Unknown _ ->
          Optional.empty();
    };
  }

  static Optional<ForecastStep> setPhase(Volume volume, VolumePhase phase, ClusterSlice slice) {
    return volume.phase() == phase
        ? Optional.empty()
        : Optional.of(
            ForecastStep.change(
                ACTOR,
                "sets volume %s %s".formatted(volume.meta().name(), phase),
                slice.with(ObjectEdits.withPhase(volume, phase))));
  }

  private static Optional<ForecastStep> unbind(Volume volume, ClusterSlice slice) {
    Map<String, String> annotations = new HashMap<>(volume.meta().annotations());
    boolean isOwnBinding = annotations.remove(BinderMarks.BOUND_BY_CONTROLLER) != null;
    Condemnation.ANNOTATIONS.forEach(annotations::remove);
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    Volume freed =
        ObjectEdits.withClaimRef(
            ObjectEdits.withMeta(volume, ObjectEdits.withAnnotations(volume.meta(), annotations)),
            isOwnBinding ? null : new ClaimRef(ref.claim(), Uid.NONE));
    return Optional.of(
        ForecastStep.change(
            ACTOR,
            "unbinds volume %s".formatted(volume.meta().name()),
            slice.with(ObjectEdits.withPhase(freed, VolumePhase.AVAILABLE))));
  }

  private Optional<ForecastStep> ofClaim(Claim claim, ClusterSlice slice) {
    ClaimView view = view(claim, slice);
    SliceCatalogue volumes = new SliceCatalogue(slice, view, policy);
    ClaimDecision decision =
        slice.decide(facts -> ClaimDecider.decide(view.with(facts), volumes, policy));
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> bind(claim, volume, slice);
      case ClaimDecision.MarkLost _ when claim.phase() != ClaimPhase.LOST ->
          Optional.of(
              ForecastStep.change(
                  ACTOR,
                  "sets claim %s Lost".formatted(claim.key()),
                  slice.with(ObjectEdits.withPhase(claim, ClaimPhase.LOST))));
      default -> Optional.empty(); // a volume that is provisioned has other data
    };
  }

  private static ClaimView view(Claim claim, ClusterSlice slice) {
    Optional<StorageClass> storageClass = slice.storageClass(claim.className());
    return new ClaimView(
        claim,
        storageClass,
        "",
        List.of(),
        new ClaimView.Provisioning.ByOthers(storageClass.map(StorageClass::provisioner).orElse("")),
        false);
  }

  private static Optional<ForecastStep> bind(Claim claim, Volume volume, ClusterSlice slice) {
    Volume boundVolume = boundTo(claim, volume);
    Claim boundClaim = boundTo(volume, claim);
    return boundVolume.equals(volume) && boundClaim.equals(claim)
        ? Optional.empty()
        : Optional.of(
            ForecastStep.change(
                ACTOR,
                "binds claim %s to volume %s".formatted(claim.key(), volume.meta().name()),
                slice.with(boundVolume).with(boundClaim)));
  }

  private static Volume boundTo(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    boolean isReserved = ref != null && ref.isFor(claim.key(), claim.meta().uid());
    Meta meta =
        isReserved
            ? volume.meta()
            : ObjectEdits.withAnnotation(volume.meta(), BinderMarks.BOUND_BY_CONTROLLER, "yes");
    Volume referring =
        ObjectEdits.withClaimRef(
            ObjectEdits.withMeta(volume, meta), new ClaimRef(claim.key(), claim.meta().uid()));
    return volume.phase() == VolumePhase.BOUND
        ? referring
        : ObjectEdits.withPhase(referring, VolumePhase.BOUND);
  }

  private static Claim boundTo(Volume volume, Claim claim) {
    Meta meta = claim.meta();
    if (!claim.volumeName().equals(volume.meta().name())) {
      meta = ObjectEdits.withAnnotation(meta, BinderMarks.BOUND_BY_CONTROLLER, "yes");
    }
    if (!meta.hasAnnotation(BinderMarks.BIND_COMPLETED)) {
      meta = ObjectEdits.withAnnotation(meta, BinderMarks.BIND_COMPLETED, "yes");
    }
    return ObjectEdits.withPhase(
        ObjectEdits.withVolume(claim.withMeta(meta), volume.meta().name()), ClaimPhase.BOUND);
  }
}
