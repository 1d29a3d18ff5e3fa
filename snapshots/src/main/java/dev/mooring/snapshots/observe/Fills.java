package dev.mooring.snapshots.observe;

import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Claims that wait for a volume which is to be filled from something. Thread-safe. */
public final class Fills {
  private final Map<String, Set<ObjectKey>> byNamespace = new HashMap<>();

  /** Nothing is known yet. */
  public Fills() {}

  /** Whether with that change a claim has ceased to wait. */
  public synchronized boolean ended(Change<Claim> change) {
    Claim claim = change.object();
    boolean waits =
        !(change instanceof Change.Deleted<Claim>)
            && claim.hasDataSource()
            && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
    String namespace = claim.key().namespace();
    if (waits) {
      byNamespace.computeIfAbsent(namespace, n -> new TreeSet<>()).add(claim.key());
      return false;
    }
    Set<ObjectKey> all = byNamespace.get(namespace);
    boolean ended = all != null && all.remove(claim.key());
    if (all != null && all.isEmpty()) {
      byNamespace.remove(namespace);
    }
    return ended;
  }

  /** Those of a namespace. */
  public synchronized List<ObjectKey> in(String namespace) {
    return List.copyOf(byNamespace.getOrDefault(namespace, Set.of()));
  }
}
