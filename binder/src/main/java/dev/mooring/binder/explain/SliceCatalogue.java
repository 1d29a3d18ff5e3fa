package dev.mooring.binder.explain;

import dev.mooring.binder.decide.AvailabilityRule;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.decide.VolumeTester;
import dev.mooring.forecast.ClusterSlice;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

final class SliceCatalogue implements VolumeCatalogue {
  private static final Comparator<Volume> SMALLEST_FIRST =
      Comparator.comparing(Volume::storage)
          .thenComparing(volume -> volume.meta().created())
          .thenComparing(volume -> volume.meta().name());

  private final ClusterSlice slice;
  private final ClaimView view;
  private final BinderPolicy policy;

  SliceCatalogue(ClusterSlice slice, ClaimView view, BinderPolicy policy) {
    this.slice = slice;
    this.view = view;
    this.policy = policy;
  }

  @Override
  public Optional<Volume> find(String name) {
    return slice.volume(name);
  }

  @Override
  public Iterable<Volume> reservedFor(ObjectKey claim) {
    return slice.volumes().values().stream()
        .filter(volume -> volume.claimRef() != null && volume.claimRef().claim().equals(claim))
        .toList();
  }

  @Override
  public SearchResult search(Claim claim, List<List<Integer>> tiers) {
    AvailabilityRule availability = policy.availability();
    VolumeTester tester = new VolumeTester(view, policy);
    for (List<Integer> modes : tiers) {
      Optional<Volume> first =
          slice.volumes().values().stream()
              .filter(availability::isFree)
              .filter(volume -> modes.contains(volume.accessModes().mask()))
              .filter(volume -> tester.countFailedTests(volume) == 0)
              .min(SMALLEST_FIRST);
      if (first.isPresent()) {
        return new SearchResult.Found(first.get());
      }
    }
    return new SearchResult.Nothing();
  }

  @Override
  public boolean isContested(Claim claim) {
    return false;
  }

  @Override
  public Volume findSparingVolume(Claim claim, Volume first) {
    return first;
  }
}
