package dev.mooring.manager.explain;

import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Unseen;
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

/**
 * Scan for waiting objects in one view of a cluster. Skips classes, attachments and nodes if a kind
 * that their explanations need cannot be read. Otherwise each of them would report only that.
 */
public final class WaitingObjectScan {
  private final Sight sight;
  private final Explainers explainers;
  private final String namespace;
  private final List<Explanation> explanations = new ArrayList<>();
  private final Map<Kind<?>, Optional<Kind<?>>> unreadableKinds = new HashMap<>();
  private final Map<Kind<?>, Set<Kind<?>>> skipped = new LinkedHashMap<>();
  private int objects;

  public WaitingObjectScan(Sight sight, Explainers explainers, String namespace) {
    this.sight = sight;
    this.explainers = explainers;
    this.namespace = namespace;
  }

  public void scan(Kind<?> kind) throws InterruptedException {
    if (isSkipped(kind)) {
      return;
    }
    for (Resource each : sight.informer(kind).snapshot().all()) {
      ObjectKey key = each.key();
      if (namespace.isEmpty() || !kind.namespaced() || key.namespace().equals(namespace)) {
        explanations.addAll(evaluate(kind, key));
      }
    }
  }

  public List<Explanation> evaluate(Kind<?> kind, ObjectKey key) throws InterruptedException {
    if (isSkipped(kind)) {
      return List.of();
    }
    List<Explanation> all = explainers.explain(kind, key, Detail.SUMMARY);
    if (!Explainers.MAIN.contains(kind)
        && all.stream().anyMatch(e -> e.cause().rank() == Rank.UNKNOWN)) {
      return List.of();
    }
    objects++;
    return all.stream().filter(Explanation::waits).toList();
  }

  public boolean isSkipped(Kind<?> kind) {
    Optional<Kind<?>> unreadable =
        unreadableKinds.computeIfAbsent(
            kind, k -> Explainers.MAIN.contains(k) ? Optional.empty() : unreadableKind(k));
    unreadable.ifPresent(d -> skipped.computeIfAbsent(d, k -> new LinkedHashSet<>()).add(kind));
    return unreadable.isPresent();
  }

  /** Returns an unreadable kind that the explanations need. Leases are optional. */
  private Optional<Kind<?>> unreadableKind(Kind<?> kind) {
    return Kind.ALL.stream()
        .filter(Explainers.reads(List.of(kind))::contains)
        .filter(one -> !one.equals(Kind.LEASE) && sight.unseen(one).isPresent())
        .findFirst();
  }

  public List<Explanation> explanations() {
    return List.copyOf(explanations);
  }

  public int objects() {
    return objects;
  }

  public List<Unseen> unseen() {
    return skipped.entrySet().stream()
        .map(e ->
            new Unseen(
                e.getKey(),
                sight.unseen(e.getKey()).orElse(""),
                "whether "
                    + e.getValue().stream().map(Kind::plural).collect(Collectors.joining(", "))
                    + " wait"))
        .toList();
  }
}
