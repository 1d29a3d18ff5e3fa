package dev.mooring.binder.state;

import dev.mooring.binder.decide.VolumeView.VolumeHistory;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers what the API server no longer shows: claims that were deleted without a volume, volumes
 * that the binder keeps, and volumes whose storage is destroyed. Thread-safe.
 */
public final class VolumeMemory {
  /**
   * Maximum number of remembered claims. The volume of a forgotten claim is kept, with an event.
   */
  private static final int MAX_CLAIMS = 10_000;

  private final Map<Uid, Boolean> claimsWithoutVolume =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Uid, Boolean> eldest) {
          return size() > MAX_CLAIMS;
        }
      };
  private final Map<ObjectKey, Long> keptVersions =
      new ConcurrentHashMap<>(); // versions of the volumes
  private final Map<ObjectKey, Uid> destroyedVolumes = new ConcurrentHashMap<>();

  void recordDeletedClaim(Claim last) {
    if (last.volumeName().isEmpty()) {
      synchronized (claimsWithoutVolume) {
        claimsWithoutVolume.put(last.meta().uid(), true);
      }
    }
  }

  public void recordKept(Volume volume) {
    keptVersions.put(volume.key(), volume.meta().resourceVersion());
  }

  public void recordDestroyed(Volume volume) {
    destroyedVolumes.put(volume.key(), volume.meta().uid());
  }

  public boolean isDestroyed(Volume volume) {
    return volume.meta().uid().equals(destroyedVolumes.get(volume.key()));
  }

  // forgets a destroyed volume whose object is gone, too: no later sync cleans this up
  public void forgetDestroyed(Volume volume) {
    destroyedVolumes.remove(volume.key(), volume.meta().uid());
  }

  void forget(ObjectKey volume) {
    keptVersions.remove(volume);
    destroyedVolumes.remove(volume);
  }

  public VolumeHistory historyOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    Long version = keptVersions.get(volume.key());
    return new VolumeHistory(
        ref != null && hadNoVolume(ref.uid()),
        version != null && version == volume.meta().resourceVersion());
  }

  private boolean hadNoVolume(Uid claim) {
    synchronized (claimsWithoutVolume) {
      return claimsWithoutVolume.containsKey(claim);
    }
  }
}
