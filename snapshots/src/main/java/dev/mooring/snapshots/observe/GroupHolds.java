package dev.mooring.snapshots.observe;

import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that are held for a group which has no content yet that says so. What a process forgets is
 * let go and held again. Thread-safe.
 */
public final class GroupHolds {
  private final Map<ObjectKey, Set<ObjectKey>> byGroup = new ConcurrentHashMap<>();

  /** None. */
  public GroupHolds() {}

  /** The group is to be made of these: whether others were held for it, which it lets go. */
  public boolean hold(ObjectKey group, List<ObjectKey> claims) {
    Set<ObjectKey> now = Set.copyOf(claims);
    Set<ObjectKey> before = byGroup.put(group, now);
    return before != null && !now.containsAll(before);
  }

  /** It has a content, or is not to be made: whether claims were held for it. */
  public boolean forget(ObjectKey group) {
    return byGroup.remove(group) != null;
  }

  /** Whether any group holds the claim. */
  public boolean has(ObjectKey claim) {
    return byGroup.values().stream().anyMatch(claims -> claims.contains(claim));
  }
}
