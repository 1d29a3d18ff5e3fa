package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.execute.DetachLimiter.Permit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Waiting permits: first come, first served within an owner, and owners take turns. */
final class WaitingPermits {
  private final SequencedMap<Object, SequencedSet<Permit>> byOwner = new LinkedHashMap<>();

  void add(Permit permit) {
    byOwner.computeIfAbsent(permit.owner(), o -> new LinkedHashSet<>()).add(permit);
  }

  void remove(Permit permit) {
    byOwner.computeIfPresent(
        permit.owner(),
        (owner, permits) -> {
          permits.remove(permit);
          return permits.isEmpty() ? null : permits;
        });
  }

  boolean has(Predicate<Object> mayTake) {
    return byOwner.keySet().stream().anyMatch(mayTake);
  }

  // removes and returns the next permit of an owner that may take one; null if there is none
  @Nullable Permit poll(Predicate<Object> mayTake) {
    for (Object owner : byOwner.keySet()) {
      if (mayTake.test(owner)) {
        SequencedSet<Permit> permits = byOwner.remove(owner);
        Permit next = permits.removeFirst();
        if (!permits.isEmpty()) {
          byOwner.put(owner, permits); // behind the other owners
        }
        return next;
      }
    }
    return null;
  }
}
