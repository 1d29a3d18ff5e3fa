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
  private final Map<Object, Integer> granted = new HashMap<>();
  private final Map<VolumeNode, P> byPair = new HashMap<>();

  public void add(VolumeNode pair, P permit) {
    byPair.put(pair, permit);
  }

  public void remove(VolumeNode pair, P permit) {
    byPair.remove(pair, permit);
  }

  public @Nullable P find(VolumeNode pair) {
    return byPair.get(pair);
  }

  public void await(Object owner, P permit, boolean isUrgent) {
    (isUrgent ? urgent : idle).computeIfAbsent(owner, o -> new LinkedHashSet<>()).add(permit);
  }

  public void prioritize(Object owner, P permit) {
    idle.computeIfPresent(
        owner,
        (o, permits) -> {
          permits.remove(permit);
          return permits.isEmpty() ? null : permits;
        });
    await(owner, permit, true);
  }

  public boolean hasIdle(boolean onlyNewOwners) {
    return idle.keySet().stream().anyMatch(owner -> mayTake(owner, onlyNewOwners));
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
      if (mayTake(owner, onlyNewOwners)) {
        SequencedSet<P> permits = waiting.remove(owner);
        P next = permits.removeFirst();
        if (!permits.isEmpty()) {
          waiting.put(owner, permits); // behind the other owners
        }
        granted.merge(owner, 1, Integer::sum);
        return next;
      }
    }
    return null;
  }

  private boolean mayTake(Object owner, boolean onlyNewOwners) {
    return !onlyNewOwners || !granted.containsKey(owner);
  }

  public void returned(Object owner) {
    granted.computeIfPresent(owner, (o, count) -> count == 1 ? null : count - 1);
  }
}
