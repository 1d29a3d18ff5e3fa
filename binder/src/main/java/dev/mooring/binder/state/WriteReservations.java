package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Volumes that are reserved for a write, by a claim's binding or a volume sync, and the claims that
 * wait for the end. Not thread-safe: the reservations' lock guards it.
 */
final class WriteReservations {
  private final Set<String> byClaim = new HashSet<>();
  private final Set<String> byVolume = new HashSet<>();
  private final Map<String, Set<ObjectKey>> waiting = new HashMap<>();

  boolean isForClaim(String volume) {
    return byClaim.contains(volume);
  }

  boolean reserveForClaim(String volume, ObjectKey claim) {
    if (byClaim.contains(volume) || byVolume.contains(volume)) {
      waiting.computeIfAbsent(volume, v -> new HashSet<>()).add(claim);
      return false;
    }
    return byClaim.add(volume);
  }

  List<ObjectKey> endForClaim(String volume) {
    byClaim.remove(volume);
    return waited(volume);
  }

  boolean reserve(String volume) {
    return !byClaim.contains(volume) && byVolume.add(volume);
  }

  List<ObjectKey> end(String volume) {
    return byVolume.remove(volume) ? waited(volume) : List.of();
  }

  private List<ObjectKey> waited(String volume) {
    Set<ObjectKey> claims = waiting.remove(volume);
    return claims == null ? List.of() : List.copyOf(claims);
  }
}
