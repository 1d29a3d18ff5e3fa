package dev.mooring.csi.state;

import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Volumes that this cluster deleted and whose absence a list of the driver has to confirm. Lives as
 * long as the process. Thread-safe.
 */
public final class OrphanMemory {
  private final boolean isOn;
  private final Map<String, AbandonedVolume> volumes = new ConcurrentHashMap<>();
  private final LongAdder failures = new LongAdder();

  public OrphanMemory(boolean isOn) {
    this.isOn = isOn;
  }

  public void recordDeleted(AbandonedVolume volume) {
    if (isOn) {
      volumes.put(volume.handle(), volume);
    }
  }

  // keeps the record of a confirmed deletion
  public void recordVanished(AbandonedVolume volume) {
    if (isOn) {
      volumes.merge(
          volume.handle(),
          volume,
          (known, vanished) -> known.uid().equals(vanished.uid()) ? known : vanished);
    }
  }

  // the driver created or found it again for a claim
  public void forget(String handle) {
    volumes.remove(handle);
  }

  // Forgets the volume if another PersistentVolume than its last one has its handle now.
  public void forgetOther(String handle, Uid object) {
    volumes.computeIfPresent(handle, (h, volume) -> volume.uid().equals(object) ? volume : null);
  }

  public void clear() {
    volumes.clear();
  }

  public List<AbandonedVolume> snapshot() {
    return List.copyOf(volumes.values());
  }

  // false if something changed since the review began
  public boolean replace(AbandonedVolume reviewed, AbandonedVolume current) {
    return volumes.replace(reviewed.handle(), reviewed, current);
  }

  // unless something changed since the review began
  public void forget(AbandonedVolume reviewed) {
    volumes.remove(reviewed.handle(), reviewed);
  }

  public List<AbandonedVolume> orphans() {
    return volumes.values().stream().filter(AbandonedVolume::isOrphaned).toList();
  }

  public void countFailure() {
    failures.increment();
  }

  public long failures() {
    return failures.sum();
  }
}
