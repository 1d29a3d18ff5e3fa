package dev.mooring.manager.explain;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Scan for waiting objects in one view of a cluster. Skips classes, attachments and nodes if a kind
 * that their explanations need cannot be read. Otherwise each of them would report only that.
 */
public final class WaitingObjectScan {
  private final ClusterView clusterView;
  private final ClusterExplainers explainers;
  private final String namespace;
  private final List<Explanation> explanations = new ArrayList<>();
  private final Map<Kind<?>, Optional<Kind<?>>> unreadableKinds = new HashMap<>();
  private final Map<Kind<?>, Set<Kind<?>>> skipped = new LinkedHashMap<>();
  private int objectCount;

  public WaitingObjectScan(
      ClusterView clusterView, ClusterExplainers explainers, String namespace) {
    this.clusterView = clusterView;
    this.explainers = explainers;
    this.namespace = namespace;
  }

  public void scan(Kind<?> kind) throws InterruptedException {
    if (isSkipped(kind)) {
      return;
    }
    for (Resource object : clusterView.informer(kind).snapshot().objects()) {
      ObjectKey key = object.key();
      if (namespace.isEmpty() || !kind.namespaced() || key.namespace().equals(namespace)) {
        explanations.addAll(evaluate(kind, key));
      }
    }
  }

  public List<Explanation> evaluate(Kind<?> kind, ObjectKey key) throws InterruptedException {
    if (isSkipped(kind)) {
      return List.of();
    }
    List<Explanation> objectExplanations = explainers.explain(kind, key, Detail.SUMMARY);
    if (!ClusterExplainers.MAIN_KINDS.contains(kind)
        && objectExplanations.stream().anyMatch(e -> e.cause().rank() == CauseRank.UNKNOWN)) {
      return List.of();
    }
    objectCount++;
    return objectExplanations.stream().filter(Explanation::isWaiting).toList();
  }

  public boolean isSkipped(Kind<?> kind) {
    Optional<Kind<?>> unreadable =
        unreadableKinds.computeIfAbsent(
            kind,
            k -> ClusterExplainers.MAIN_KINDS.contains(k) ? Optional.empty() : unreadableKind(k));
    unreadable.ifPresent(d -> skipped.computeIfAbsent(d, k -> new LinkedHashSet<>()).add(kind));
    return unreadable.isPresent();
  }

  // Returns an unreadable kind that the explanations need. Leases are optional.
  private Optional<Kind<?>> unreadableKind(Kind<?> kind) {
    return Stream.concat(Kind.ALL.stream(), Kind.SNAPSHOT_KINDS.stream())
        .<Kind<?>>map(k -> k)
        .filter(ClusterExplainers.readKinds(List.of(kind))::contains)
        .filter(k -> !k.equals(Kind.LEASE) && clusterView.readError(k).isPresent())
        .findFirst();
  }

  public List<Explanation> explanations() {
    return List.copyOf(explanations);
  }

  public int objectCount() {
    return objectCount;
  }

  public List<UnreadableKind> unseen() {
    return skipped.entrySet().stream()
        .map(e ->
            new UnreadableKind(
                e.getKey(),
                clusterView.readError(e.getKey()).orElse(""),
                "whether "
                    + e.getValue().stream().map(Kind::plural).collect(Collectors.joining(", "))
                    + " wait"))
        .toList();
  }
}
