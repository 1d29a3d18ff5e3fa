package dev.mooring.snapshots.state;

import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that a group needs before its content names them. After a restart claims may be released
 * and held again. Thread-safe.
 */
public final class ReservedClaims {
  private final Map<ObjectKey, Set<ObjectKey>> byGroup = new ConcurrentHashMap<>();

  public boolean reserve(ObjectKey group, List<ObjectKey> claims) {
    Set<ObjectKey> newClaims = Set.copyOf(claims);
    Set<ObjectKey> oldClaims = byGroup.put(group, newClaims);
    return oldClaims != null && !newClaims.containsAll(oldClaims);
  }

  public boolean release(ObjectKey group) {
    return byGroup.remove(group) != null;
  }

  public boolean isReserved(ObjectKey claim) {
    return byGroup.values().stream().anyMatch(claims -> claims.contains(claim));
  }
}
