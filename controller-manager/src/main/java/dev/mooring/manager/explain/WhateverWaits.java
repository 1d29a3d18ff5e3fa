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
 * Everything that waits in one sight of a cluster. Classes, attachments and nodes are passed over
 * where what they rest on may not be read: a line for each of them would say nothing but that.
 */
public final class WhateverWaits {
  private final Sight sight;
  private final Explainers explainers;
  private final String namespace;
  private final List<Explanation> explanations = new ArrayList<>();
  private final Map<Kind<?>, Optional<Kind<?>>> darkness = new HashMap<>();
  private final Map<Kind<?>, Set<Kind<?>>> passedOver = new LinkedHashMap<>();
  private int objects;

  /**
   * Nothing was looked at yet.
   *
   * @param namespace where objects with a namespace are looked at, "" for everywhere
   */
  public WhateverWaits(Sight sight, Explainers explainers, String namespace) {
    this.sight = sight;
    this.explainers = explainers;
    this.namespace = namespace;
  }

  /** Looks at every object of a kind. */
  public void look(Kind<?> kind) throws InterruptedException {
    if (isPassedOver(kind)) {
      return;
    }
    for (Resource each : sight.informer(kind).snapshot().all()) {
      ObjectKey key = each.key();
      if (namespace.isEmpty() || !kind.namespaced() || key.namespace().equals(namespace)) {
        explanations.addAll(at(kind, key));
      }
    }
  }

  /**
   * Why one object waits, the most urgent first; nothing if it does not, or if its kind is passed
   * over.
   */
  public List<Explanation> at(Kind<?> kind, ObjectKey key) throws InterruptedException {
    if (isPassedOver(kind)) {
      return List.of();
    }
    List<Explanation> said = explainers.explain(kind, key, Detail.SUMMARY);
    if (!Explainers.MAIN.contains(kind)
        && said.stream().anyMatch(e -> e.cause().rank() == Rank.UNKNOWN)) {
      return List.of();
    }
    objects++;
    return said.stream().filter(Explanation::waits).toList();
  }

  /** Whether a kind is passed over; if so, it is named among what is unseen. */
  public boolean isPassedOver(Kind<?> kind) {
    Optional<Kind<?>> dark =
        darkness.computeIfAbsent(
            kind, k -> Explainers.MAIN.contains(k) ? Optional.empty() : dark(k));
    dark.ifPresent(d -> passedOver.computeIfAbsent(d, k -> new LinkedHashSet<>()).add(kind));
    return dark.isPresent();
  }

  /** What may not be read of what the kind rests on. Leases only add to what is known. */
  private Optional<Kind<?>> dark(Kind<?> kind) {
    return Kind.ALL.stream()
        .filter(Explainers.reads(List.of(kind))::contains)
        .filter(one -> !one.equals(Kind.LEASE) && sight.unseen(one).isPresent())
        .findFirst();
  }

  /** What waits. */
  public List<Explanation> explanations() {
    return List.copyOf(explanations);
  }

  /** How many objects were looked at. */
  public int objects() {
    return objects;
  }

  /** What could not be read, and what was passed over for that. */
  public List<Unseen> unseen() {
    return passedOver.entrySet().stream()
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
