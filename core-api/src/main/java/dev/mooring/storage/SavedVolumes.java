package dev.mooring.storage;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims whose volumes this process has provisioned and saved, without a running call to the
 * storage. Their finalizer {@link VolumeService#BEING_MADE} is obsolete; the next write to the
 * claim removes it. Volumes that another process saved are not included, because this process may
 * still have a running call for them. Thread-safe.
 */
public final class SavedVolumes {
  private final Set<Uid> claims = ConcurrentHashMap.newKeySet();

  public SavedVolumes() {}

  public void add(Uid claim) {
    claims.add(claim);
  }

  public void remove(Uid claim) {
    claims.remove(claim);
  }

  public boolean contains(Uid claim) {
    return claims.contains(claim);
  }
}
