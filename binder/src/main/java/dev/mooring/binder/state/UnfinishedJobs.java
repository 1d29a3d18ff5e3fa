package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Provisioning jobs by claim whose volume may or may not have been made. A job stays when its claim
 * is deleted: its volume must be found and saved, or it would be left behind in the storage.
 * Thread-safe.
 */
public final class UnfinishedJobs {
  private final Map<ObjectKey, ProvisionJob> byClaim = new ConcurrentHashMap<>();

  public void note(ProvisionJob job, boolean isUnfinished) {
    if (isUnfinished) {
      byClaim.put(job.key(), job);
    } else {
      byClaim.remove(job.key());
    }
  }

  public @Nullable ProvisionJob of(ObjectKey claim) {
    return byClaim.get(claim);
  }

  public boolean contains(ObjectKey claim) {
    return byClaim.containsKey(claim);
  }
}
