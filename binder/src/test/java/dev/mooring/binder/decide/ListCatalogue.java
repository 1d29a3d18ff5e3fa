package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Literal implementation of the catalogue's contract over a list. */
record ListCatalogue(List<Volume> volumes, BinderPolicy policy) implements VolumeCatalogue {
  private static final Comparator<Volume> ORDER =
      Comparator.comparing(Volume::storage)
          .thenComparing(v -> v.meta().created())
          .thenComparing(v -> v.meta().name());

  @Override
  public Optional<Volume> find(String name) {
    return volumes.stream().filter(v -> v.meta().name().equals(name)).findFirst();
  }

  @Override
  public Iterable<Volume> reservedFor(ObjectKey claim) {
    return volumes.stream()
        .filter(v -> v.claimRef() != null && v.claimRef().claim().equals(claim))
        .sorted(ORDER)
        .toList();
  }

  @Override
  public SearchResult search(Claim claim, List<List<Integer>> tiers) {
    MatchKey key = MatchKey.of(new MatchSubject(claim, policy));
    for (List<Integer> tier : tiers) {
      Optional<Volume> first =
          volumes.stream()
              .filter(policy.availability()::isFree)
              .filter(v ->
                  v.storageClass().equals(claim.className())
                      && v.volumeMode() == claim.volumeMode()
                      && v.attributesClass().equals(claim.attributesClass())
                      && tier.contains(v.accessModes().mask())
                      && key.suits(v))
              .min(ORDER);
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
    throw new IllegalStateException("no other claim exists");
  }
}
