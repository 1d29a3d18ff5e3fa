package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A catalogue by the letter of its contract: a list, searched. */
record ListCatalogue(List<Volume> volumes) implements VolumeCatalogue {
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
  public Iterator<Volume> free(Shelf shelf, Quantity atLeast) {
    return volumes.stream()
        .filter(v ->
            v.claimRef() == null
                && v.phase() == VolumePhase.AVAILABLE
                && !v.meta().isBeingDeleted())
        .filter(v ->
            new Shelf(v.storageClass(), v.volumeMode(), v.attributesClass(), v.accessModes().mask())
                    .equals(shelf)
                && v.storage().covers(atLeast))
        .sorted(ORDER)
        .iterator();
  }

  @Override
  public boolean isContested(Claim claim) {
    return false;
  }

  @Override
  public Optional<Volume> spared(Claim claim) {
    throw new IllegalStateException("nobody else is there");
  }

  @Override
  public Iterable<Volume> sample() {
    return volumes;
  }
}
