package dev.mooring.csi.state;

import dev.mooring.csi.decide.CloneSource;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims that wait to be filled, and their sources. A claim's source is unknown until its object
 * was read; until then every source that its namespace may use is protected. The cost of a call
 * does not depend on the number of claims, apart from those that {@link #resolved} and {@link
 * #ended} return once. Thread-safe.
 */
public final class PendingClones {
  private final Map<ObjectKey, Optional<CloneSource>> sources = new HashMap<>(); // by copy
  // copies, by source and by the namespace of the copy
  private final Map<CloneSource, Map<String, Set<ObjectKey>>> copies = new HashMap<>();
  private final Map<String, Set<CloneSource>> copied =
      new HashMap<>(); // sources, by their namespace
  private final Map<String, Set<ObjectKey>> unknown = new HashMap<>(); // copies, by namespace
  // sources that wait for unknown copies, by the namespace of the copies
  private final Map<String, Set<CloneSource>> blocked = new HashMap<>();

  public synchronized boolean begin(ObjectKey copy) {
    if (sources.containsKey(copy)) {
      return false;
    }
    return unknown.computeIfAbsent(copy.namespace(), n -> new HashSet<>()).add(copy);
  }

  public synchronized boolean isUnknown(ObjectKey copy) {
    return unknown.getOrDefault(copy.namespace(), Set.of()).contains(copy);
  }

  public synchronized Set<CloneSource> resolved(ObjectKey copy, Optional<CloneSource> source) {
    if (!isUnknown(copy)) {
      return Set.of(); // it ended meanwhile
    }
    sources.put(copy, source);
    source.ifPresent(s -> {
      copies
          .computeIfAbsent(s, k -> new HashMap<>())
          .computeIfAbsent(copy.namespace(), n -> new HashSet<>())
          .add(copy);
      copied.computeIfAbsent(s.key().namespace(), n -> new HashSet<>()).add(s);
    });
    return forgetUnknown(copy);
  }

  public synchronized Set<CloneSource> ended(ObjectKey copy) {
    if (isUnknown(copy)) {
      return forgetUnknown(copy);
    }
    Optional<CloneSource> source = sources.getOrDefault(copy, Optional.empty());
    sources.remove(copy);
    return source.filter(s -> isLastOfNamespace(s, copy)).map(Set::of).orElse(Set.of());
  }

  private boolean isLastOfNamespace(CloneSource source, ObjectKey copy) {
    Map<String, Set<ObjectKey>> all = copies.getOrDefault(source, new HashMap<>());
    Set<ObjectKey> others = all.getOrDefault(copy.namespace(), new HashSet<>());
    others.remove(copy);
    if (!others.isEmpty()) {
      return false;
    }
    all.remove(copy.namespace());
    if (all.isEmpty()) {
      copies.remove(source);
      remove(copied, source.key().namespace(), source);
    }
    return true;
  }

  private static <T> void remove(Map<String, Set<T>> from, String namespace, T element) {
    from.computeIfPresent(
        namespace,
        (n, all) -> {
          all.remove(element);
          return all.isEmpty() ? null : all;
        });
  }

  private Set<CloneSource> forgetUnknown(ObjectKey copy) {
    remove(unknown, copy.namespace(), copy);
    if (unknown.containsKey(copy.namespace())) {
      return Set.of();
    }
    Set<CloneSource> releasable = blocked.remove(copy.namespace());
    return releasable == null ? Set.of() : releasable;
  }

  /**
   * Reports whether a claim of one of the namespaces is, or may be, filled from the source. If that
   * is unknown, {@link #resolved} or {@link #ended} returns the source later.
   */
  public synchronized boolean mayUse(CloneSource source, Set<String> namespaces) {
    Map<String, Set<ObjectKey>> usedBy = copies.getOrDefault(source, Map.of());
    boolean unresolved = false;
    for (String namespace : namespaces) {
      if (usedBy.containsKey(namespace)) {
        return true;
      }
      if (unknown.containsKey(namespace)) {
        blocked.computeIfAbsent(namespace, n -> new HashSet<>()).add(source);
        unresolved = true;
      }
    }
    return unresolved;
  }

  public synchronized boolean mayBeCopiedElsewhere(CloneSource source) {
    String own = source.key().namespace();
    return isElsewhere(copies.getOrDefault(source, Map.of()), own) || isElsewhere(unknown, own);
  }

  private static boolean isElsewhere(Map<String, ?> byNamespace, String own) {
    return byNamespace.size() > (byNamespace.containsKey(own) ? 1 : 0);
  }

  public synchronized List<CloneSource> in(String namespace) {
    return List.copyOf(copied.getOrDefault(namespace, Set.of()));
  }
}
