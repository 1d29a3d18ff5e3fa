package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Index of unbound claims by their selected node. Thread-safe. */
public final class ChosenNodes {
  private final Map<ObjectKey, String> nodes = new HashMap<>();
  private final Map<String, Set<ObjectKey>> claims = new HashMap<>();

  public synchronized void observed(Change<Claim> change) {
    String before = nodes.remove(change.key());
    if (before != null) {
      claims.computeIfPresent(
          before,
          (node, same) -> {
            same.remove(change.key());
            return same.isEmpty() ? null : same;
          });
    }
    switch (change) {
      case Change.Added<Claim>(Claim now) -> note(now);
      case Change.Updated<Claim>(Claim _, Claim now) -> note(now);
      case Change.Deleted<Claim> _ -> {}
    }
  }

  private void note(Claim claim) {
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    if (!node.isEmpty() && claim.volumeName().isEmpty()) {
      nodes.put(claim.key(), node);
      claims.computeIfAbsent(node, n -> new HashSet<>()).add(claim.key());
    }
  }

  public synchronized List<ObjectKey> of(String node) {
    return List.copyOf(claims.getOrDefault(node, Set.of()));
  }
}
