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
 * does not depend on the number of claims, apart from those that {@link #setSource} and {@link
 * #removeCopy} return once. Thread-safe.
 */
public final class PendingClones {
  private final Map<ObjectKey, Optional<CloneSource>> sourceByCopy = new HashMap<>(); // by copy
  // copies, by source and by the namespace of the copy
  private final Map<CloneSource, Map<String, Set<ObjectKey>>> copiesBySource = new HashMap<>();
  private final Map<String, Set<CloneSource>> sourcesByNamespace =
      new HashMap<>(); // sources, by their namespace
  private final Map<String, Set<ObjectKey>> unresolvedCopies =
      new HashMap<>(); // copies, by namespace
  // sources that wait for unknown copies, by the namespace of the copies
  private final Map<String, Set<CloneSource>> waitingSources = new HashMap<>();

  public synchronized boolean addCopy(ObjectKey copy) {
    if (sourceByCopy.containsKey(copy)) {
      return false;
    }
    return unresolvedCopies.computeIfAbsent(copy.namespace(), n -> new HashSet<>()).add(copy);
  }

  public synchronized boolean isUnresolved(ObjectKey copy) {
    return unresolvedCopies.getOrDefault(copy.namespace(), Set.of()).contains(copy);
  }

  public synchronized Set<CloneSource> setSource(ObjectKey copy, Optional<CloneSource> source) {
    if (!isUnresolved(copy)) {
      return Set.of(); // it ended meanwhile
    }
    sourceByCopy.put(copy, source);
    source.ifPresent(s -> {
      copiesBySource
          .computeIfAbsent(s, k -> new HashMap<>())
          .computeIfAbsent(copy.namespace(), n -> new HashSet<>())
          .add(copy);
      sourcesByNamespace.computeIfAbsent(s.key().namespace(), n -> new HashSet<>()).add(s);
    });
    return removeUnresolved(copy);
  }

  public synchronized Set<CloneSource> removeCopy(ObjectKey copy) {
    if (isUnresolved(copy)) {
      return removeUnresolved(copy);
    }
    Optional<CloneSource> source = sourceByCopy.getOrDefault(copy, Optional.empty());
    sourceByCopy.remove(copy);
    return source.filter(s -> removeFromSource(s, copy)).map(Set::of).orElse(Set.of());
  }

  private boolean removeFromSource(CloneSource source, ObjectKey copy) {
    Map<String, Set<ObjectKey>> copiesByNamespace =
        copiesBySource.getOrDefault(source, new HashMap<>());
    Set<ObjectKey> remainingCopies =
        copiesByNamespace.getOrDefault(copy.namespace(), new HashSet<>());
    remainingCopies.remove(copy);
    if (!remainingCopies.isEmpty()) {
      return false;
    }
    copiesByNamespace.remove(copy.namespace());
    if (copiesByNamespace.isEmpty()) {
      copiesBySource.remove(source);
      remove(sourcesByNamespace, source.key().namespace(), source);
    }
    return true;
  }

  private static <T> void remove(
      Map<String, Set<T>> elementsByNamespace, String namespace, T element) {
    elementsByNamespace.computeIfPresent(
        namespace,
        (n, elements) -> {
          elements.remove(element);
          return elements.isEmpty() ? null : elements;
        });
  }

  private Set<CloneSource> removeUnresolved(ObjectKey copy) {
    remove(unresolvedCopies, copy.namespace(), copy);
    if (unresolvedCopies.containsKey(copy.namespace())) {
      return Set.of();
    }
    Set<CloneSource> releasable = waitingSources.remove(copy.namespace());
    return releasable == null ? Set.of() : releasable;
  }

  /**
   * Reports whether a claim of one of the namespaces is, or may be, filled from the source. If that
   * is unknown, {@link #setSource} or {@link #removeCopy} returns the source later.
   */
  public synchronized boolean mayBeUsed(CloneSource source, Set<String> namespaces) {
    Map<String, Set<ObjectKey>> copiesByNamespace = copiesBySource.getOrDefault(source, Map.of());
    boolean hasUnresolved = false;
    for (String namespace : namespaces) {
      if (copiesByNamespace.containsKey(namespace)) {
        return true;
      }
      if (unresolvedCopies.containsKey(namespace)) {
        waitingSources.computeIfAbsent(namespace, n -> new HashSet<>()).add(source);
        hasUnresolved = true;
      }
    }
    return hasUnresolved;
  }

  public synchronized boolean mayBeCopiedElsewhere(CloneSource source) {
    String ownNamespace = source.key().namespace();
    return hasOtherNamespace(copiesBySource.getOrDefault(source, Map.of()), ownNamespace)
        || hasOtherNamespace(unresolvedCopies, ownNamespace);
  }

  private static boolean hasOtherNamespace(Map<String, ?> byNamespace, String ownNamespace) {
    return byNamespace.size() > (byNamespace.containsKey(ownNamespace) ? 1 : 0);
  }

  public synchronized List<CloneSource> findSources(String namespace) {
    return List.copyOf(sourcesByNamespace.getOrDefault(namespace, Set.of()));
  }
}
