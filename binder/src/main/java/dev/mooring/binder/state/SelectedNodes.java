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
public final class SelectedNodes {
  private final Map<ObjectKey, String> nodeByClaim = new HashMap<>();
  private final Map<String, Set<ObjectKey>> claimsByNode = new HashMap<>();

  public synchronized void claimChanged(Change<Claim> change) {
    String previousNode = nodeByClaim.remove(change.key());
    if (previousNode != null) {
      claimsByNode.computeIfPresent(
          previousNode,
          (node, claimsOfNode) -> {
            claimsOfNode.remove(change.key());
            return claimsOfNode.isEmpty() ? null : claimsOfNode;
          });
    }
    switch (change) {
      case Change.Added<Claim>(Claim current) -> add(current);
      case Change.Updated<Claim>(Claim _, Claim current) -> add(current);
      case Change.Deleted<Claim> _ -> {}
    }
  }

  private void add(Claim claim) {
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    if (!node.isEmpty() && claim.volumeName().isEmpty()) {
      nodeByClaim.put(claim.key(), node);
      claimsByNode.computeIfAbsent(node, n -> new HashSet<>()).add(claim.key());
    }
  }

  public synchronized List<ObjectKey> of(String node) {
    return List.copyOf(claimsByNode.getOrDefault(node, Set.of()));
  }
}
