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
  private static final int MOST_CLAIMS = 10_000;

  private final Map<Uid, Boolean> hadNone =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Uid, Boolean> eldest) {
          return size() > MOST_CLAIMS;
        }
      };
  private final Map<ObjectKey, Long> kept = new ConcurrentHashMap<>(); // versions of the volumes
  private final Map<ObjectKey, Uid> destroyed = new ConcurrentHashMap<>();

  void claimGone(Claim last) {
    if (last.volumeName().isEmpty()) {
      synchronized (hadNone) {
        hadNone.put(last.meta().uid(), true);
      }
    }
  }

  public void kept(Volume volume) {
    kept.put(volume.key(), volume.meta().resourceVersion());
  }

  public void destroyed(Volume volume) {
    destroyed.put(volume.key(), volume.meta().uid());
  }

  public boolean isDestroyed(Volume volume) {
    return volume.meta().uid().equals(destroyed.get(volume.key()));
  }

  // forgets a destroyed volume whose object is gone, too: no later sync cleans this up
  public void removed(Volume volume) {
    destroyed.remove(volume.key(), volume.meta().uid());
  }

  void forget(ObjectKey volume) {
    kept.remove(volume);
    destroyed.remove(volume);
  }

  public VolumeHistory of(Volume volume) {
    ClaimRef ref = volume.claimRef();
    Long version = kept.get(volume.key());
    return new VolumeHistory(
        ref != null && hadNone(ref.uid()),
        version != null && version == volume.meta().resourceVersion());
  }

  private boolean hadNone(Uid claim) {
    synchronized (hadNone) {
      return hadNone.containsKey(claim);
    }
  }
}
