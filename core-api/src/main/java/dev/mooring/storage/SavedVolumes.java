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

  /** Adds a claim: its volume is saved and its job has ended. */
  public void add(Uid claim) {
    claims.add(claim);
  }

  /** Removes a claim: its finalizer or the claim has gone, or the storage is called again. */
  public void remove(Uid claim) {
    claims.remove(claim);
  }

  public boolean has(Uid claim) {
    return claims.contains(claim);
  }

  /** Returns the number of claims with saved volumes that are not yet bound. */
  public int size() {
    return claims.size();
  }
}
