package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Permits of detaches, waiting and granted. First come, first served within an owner, and owners
 * take turns. The caller synchronizes.
 *
 * @param <P> type of the permits
 */
public final class DetachPermits<P> {
  private final SequencedMap<Object, SequencedSet<P>> urgent = new LinkedHashMap<>();
  private final SequencedMap<Object, SequencedSet<P>> idle = new LinkedHashMap<>();
  private final Map<Object, Integer> grantedCounts = new HashMap<>();
  private final Map<VolumeNode, P> permitsByVolumeNode = new HashMap<>();

  public void add(VolumeNode volumeNode, P permit) {
    permitsByVolumeNode.put(volumeNode, permit);
  }

  public void remove(VolumeNode volumeNode, P permit) {
    permitsByVolumeNode.remove(volumeNode, permit);
  }

  public @Nullable P find(VolumeNode volumeNode) {
    return permitsByVolumeNode.get(volumeNode);
  }

  public void enqueue(Object owner, P permit, boolean isUrgent) {
    (isUrgent ? urgent : idle).computeIfAbsent(owner, o -> new LinkedHashSet<>()).add(permit);
  }

  public void prioritize(Object owner, P permit) {
    idle.computeIfPresent(
        owner,
        (o, permits) -> {
          permits.remove(permit);
          return permits.isEmpty() ? null : permits;
        });
    enqueue(owner, permit, true);
  }

  public boolean hasIdle(boolean onlyNewOwners) {
    return idle.keySet().stream().anyMatch(owner -> canTake(owner, onlyNewOwners));
  }

  /**
   * Grants the next permit.
   *
   * @param onlyNewOwners whether an owner with a granted permit must wait
   * @return null if none may be granted
   */
  public @Nullable P grantUrgent(boolean onlyNewOwners) {
    return grant(urgent, onlyNewOwners);
  }

  public @Nullable P grantIdle(boolean onlyNewOwners) {
    return grant(idle, onlyNewOwners);
  }

  private @Nullable P grant(SequencedMap<Object, SequencedSet<P>> waiting, boolean onlyNewOwners) {
    for (Object owner : waiting.keySet()) {
      if (canTake(owner, onlyNewOwners)) {
        SequencedSet<P> permits = waiting.remove(owner);
        P permit = permits.removeFirst();
        if (!permits.isEmpty()) {
          waiting.put(owner, permits); // behind the other owners
        }
        grantedCounts.merge(owner, 1, Integer::sum);
        return permit;
      }
    }
    return null;
  }

  private boolean canTake(Object owner, boolean onlyNewOwners) {
    return !onlyNewOwners || !grantedCounts.containsKey(owner);
  }

  public void removeGranted(Object owner) {
    grantedCounts.computeIfPresent(owner, (o, count) -> count == 1 ? null : count - 1);
  }
}
