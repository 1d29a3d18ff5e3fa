package dev.mooring.binder.observe;

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
 * Remembers what the API server no longer shows: claims that were deleted without a volume, and
 * volumes that the binder keeps. Thread-safe.
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

  public void claimGone(Claim last) {
    if (last.volumeName().isEmpty()) {
      synchronized (hadNone) {
        hadNone.put(last.meta().uid(), true);
      }
    }
  }

  public void kept(Volume volume) {
    kept.put(volume.key(), volume.meta().resourceVersion());
  }

  public void forget(ObjectKey volume) {
    kept.remove(volume);
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
