package dev.mooring.provisioner.state;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.SharedStorageIndex;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers the cached volumes that, as far as this process saw, were never Bound. Thread-safe. */
public final class UnboundVolumes {
  private final Informer<Volume> volumes;
  private final Set<Uid> unbound = ConcurrentHashMap.newKeySet();

  public UnboundVolumes(Informer<Volume> volumes) {
    this.volumes = volumes;
  }

  public void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume current) -> record(current, hasBeenBound(current));
      case Change.Updated<Volume>(Volume old, Volume current) -> {
        if (!old.isReplacedBy(current)) {
          record(current, true);
        } else {
          unbound.remove(old.meta().uid());
          record(current, hasBeenBound(current));
        }
      }
      case Change.Deleted<Volume>(Volume last, _) -> unbound.remove(last.meta().uid());
    }
  }

  /**
   * @param wasBound whether a Released or Failed volume counts as Bound before, if {@link #unbound}
   *     does not contain it
   */
  private void record(Volume current, boolean wasBound) {
    switch (current.phase()) {
      case BOUND -> unbound.remove(current.meta().uid());
      case UNSET, PENDING, AVAILABLE -> unbound.add(current.meta().uid());
      case RELEASED, FAILED -> {
        if (current.reclaimPolicy() != ReclaimPolicy.DELETE) {
          unbound.remove(current.meta().uid()); // a later change to Delete is deliberate
        } else if (!wasBound) {
          unbound.add(current.meta().uid());
        }
      }
    }
  }

  // Provisioners put their finalizer only on volumes that they created or saw Bound.
  private static boolean hasBeenBound(Volume volume) {
    return volume.phase() == VolumePhase.BOUND
        || volume.finalizers().contains(VolumeRules.FINALIZER);
  }

  /**
   * Returns whether the volume was seen and nothing shows that it was ever Bound; false for a
   * volume that was not seen.
   */
  public boolean isSeenOnlyUnbound(Volume volume) {
    return unbound.contains(volume.meta().uid());
  }

  public List<Volume> volumesOfSameStorage(Volume volume) {
    return SharedStorageIndex.findTwins(volumes, volume);
  }

  public Volume latest(Volume volume) {
    return volumes
        .get(volume.key())
        .filter(current -> current.meta().uid().equals(volume.meta().uid()))
        .filter(current -> current.meta().resourceVersion() > volume.meta().resourceVersion())
        .orElse(volume);
  }
}
