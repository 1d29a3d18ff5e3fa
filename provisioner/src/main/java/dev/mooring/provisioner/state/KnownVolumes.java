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

/** Remembers which cached volumes were ever seen Bound. Thread-safe. */
public final class KnownVolumes {
  private final Informer<Volume> volumes;
  private final Set<Uid> neverBound = ConcurrentHashMap.newKeySet();

  public KnownVolumes(Informer<Volume> volumes) {
    this.volumes = volumes;
  }

  public void saw(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume now) -> saw(now, isHeld(now));
      case Change.Updated<Volume>(Volume before, Volume now) -> {
        if (before.meta().uid().equals(now.meta().uid())) {
          saw(now, true);
        } else {
          neverBound.remove(before.meta().uid());
          saw(now, isHeld(now));
        }
      }
      case Change.Deleted<Volume>(Volume last) -> neverBound.remove(last.meta().uid());
    }
  }

  /**
   * @param known whether a Released volume without a record was Bound before
   */
  private void saw(Volume now, boolean known) {
    switch (now.phase()) {
      case BOUND -> neverBound.remove(now.meta().uid());
      case UNSET, PENDING, AVAILABLE -> neverBound.add(now.meta().uid());
      case RELEASED, FAILED -> {
        if (now.reclaimPolicy() != ReclaimPolicy.DELETE) {
          neverBound.remove(now.meta().uid()); // a later change to Delete is deliberate
        } else if (!known) {
          neverBound.add(now.meta().uid());
        }
      }
    }
  }

  // Provisioners put their finalizer only on volumes that they created or saw Bound.
  private static boolean isHeld(Volume volume) {
    return volume.phase() == VolumePhase.BOUND
        || volume.finalizers().contains(VolumeRules.FINALIZER);
  }

  /** Returns whether no record shows that the volume was ever Bound. */
  public boolean isNeverBound(Volume volume) {
    return neverBound.contains(volume.meta().uid());
  }

  public List<Volume> twins(Volume volume) {
    return SharedStorageIndex.of(volumes, volume);
  }

  public Volume latest(Volume volume) {
    return volumes
        .get(volume.key())
        .filter(now -> now.meta().uid().equals(volume.meta().uid()))
        .filter(now -> now.meta().resourceVersion() > volume.meta().resourceVersion())
        .orElse(volume);
  }
}
