package dev.mooring.storage;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims whose volumes this process has made and saved, and for which it asks no storage any
 * more. They need not say any longer that a volume is being made ({@link
 * VolumeService#BEING_MADE}): whoever writes to them anyway takes that away with the same write. Of
 * a volume that another process has saved, this one may be asking still: it is not known here.
 * Thread-safe.
 */
public final class SavedVolumes {
  private final Set<Uid> claims = ConcurrentHashMap.newKeySet();

  /** No volume yet. */
  public SavedVolumes() {}

  /** The volume of the claim of that uid is saved, and whoever made it has come to an end. */
  public void add(Uid claim) {
    claims.add(claim);
  }

  /** The claim says no more that its volume is being made, is gone, or storage is asked again. */
  public void remove(Uid claim) {
    claims.remove(claim);
  }

  /** Whether it is one of them. */
  public boolean has(Uid claim) {
    return claims.contains(claim);
  }

  /** How many there are: those that were saved and are not bound yet. */
  public int size() {
    return claims.size();
  }
}
