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
  private final Set<String> reservedByClaims = new HashSet<>();
  private final Set<String> reservedBySyncs = new HashSet<>();
  private final Map<String, Set<ObjectKey>> waitingClaims = new HashMap<>();

  boolean isForClaim(String volume) {
    return reservedByClaims.contains(volume);
  }

  boolean reserveForClaim(String volume, ObjectKey claim) {
    if (reservedByClaims.contains(volume) || reservedBySyncs.contains(volume)) {
      waitingClaims.computeIfAbsent(volume, v -> new HashSet<>()).add(claim);
      return false;
    }
    return reservedByClaims.add(volume);
  }

  List<ObjectKey> endForClaim(String volume) {
    reservedByClaims.remove(volume);
    return takeWaitingClaims(volume);
  }

  boolean reserveForSync(String volume) {
    return !reservedByClaims.contains(volume) && reservedBySyncs.add(volume);
  }

  List<ObjectKey> endForSync(String volume) {
    return reservedBySyncs.remove(volume) ? takeWaitingClaims(volume) : List.of();
  }

  private List<ObjectKey> takeWaitingClaims(String volume) {
    Set<ObjectKey> claims = waitingClaims.remove(volume);
    return claims == null ? List.of() : List.copyOf(claims);
  }
}
