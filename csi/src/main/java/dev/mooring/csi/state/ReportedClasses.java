package dev.mooring.csi.state;

import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Classes whose deprecated parameters were reported: once, because only their administrator can
 * change them. Thread-safe.
 */
public final class ReportedClasses {
  private final Set<Uid> reported = ConcurrentHashMap.newKeySet();

  // Records the class, and returns whether it was not reported before.
  public boolean recordIfNew(StorageClass storageClass) {
    return reported.add(storageClass.meta().uid());
  }
}
