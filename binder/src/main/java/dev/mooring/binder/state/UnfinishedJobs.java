package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Provisioning jobs with an unknown outcome, by claim. A job stays when its claim is deleted: its
 * volume must be found and saved, or the storage would keep it forever. Thread-safe.
 */
public final class UnfinishedJobs {
  private final Map<ObjectKey, ProvisionJob> byClaim = new ConcurrentHashMap<>();

  public void update(ProvisionJob job, boolean isUnfinished) {
    if (isUnfinished) {
      byClaim.put(job.key(), job);
    } else {
      byClaim.remove(job.key());
    }
  }

  public @Nullable ProvisionJob jobOf(ObjectKey claim) {
    return byClaim.get(claim);
  }

  public boolean contains(ObjectKey claim) {
    return byClaim.containsKey(claim);
  }
}
