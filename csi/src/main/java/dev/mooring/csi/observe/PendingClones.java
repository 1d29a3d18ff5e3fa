package dev.mooring.csi.observe;

import dev.mooring.csi.decide.CloneSource;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which claims wait to be filled, and from what. What a claim is filled from is known only after
 * its object was read: until then every source that its namespace may use is kept. The cost of a
 * call does not depend on the number of claims, apart from those that {@link #learned} and {@link
 * #ended} return, each once. Thread-safe.
 */
public final class PendingClones {
  private final Map<ObjectKey, Optional<CloneSource>> sources = new HashMap<>(); // by copy
  // copies, by source and by the namespace of the copy
  private final Map<CloneSource, Map<String, Set<ObjectKey>>> copies = new HashMap<>();
  private final Map<String, Set<CloneSource>> copied = new HashMap<>(); // by their namespace
  private final Map<String, Set<ObjectKey>> unknown = new HashMap<>(); // copies, by namespace
  // sources that wait for unknown copies, by the namespace of the copies
  private final Map<String, Set<CloneSource>> blocked = new HashMap<>();

  /** Knows of none. */
  public PendingClones() {}

  /** The claim waits to be filled; whether it has to be asked from what. */
  public synchronized boolean begins(ObjectKey copy) {
    if (sources.containsKey(copy)) {
      return false;
    }
    return unknown.computeIfAbsent(copy.namespace(), n -> new HashSet<>()).add(copy);
  }

  /** Whether it is not known yet what the claim is filled from. */
  public synchronized boolean isUnknown(ObjectKey copy) {
    return unknown.getOrDefault(copy.namespace(), Set.of()).contains(copy);
  }

  /**
   * The claim is filled from that source, or from nothing that we hold.
   *
   * @return sources that may perhaps go now
   */
  public synchronized Set<CloneSource> learned(ObjectKey copy, Optional<CloneSource> source) {
    if (!isUnknown(copy)) {
      return Set.of(); // it has ended meanwhile
    }
    sources.put(copy, source);
    source.ifPresent(s -> {
      copies
          .computeIfAbsent(s, k -> new HashMap<>())
          .computeIfAbsent(copy.namespace(), n -> new HashSet<>())
          .add(copy);
      copied.computeIfAbsent(s.key().namespace(), n -> new HashSet<>()).add(s);
    });
    return known(copy);
  }

  /**
   * The claim has what it waited for, or is gone.
   *
   * @return sources that may perhaps go now
   */
  public synchronized Set<CloneSource> ended(ObjectKey copy) {
    if (isUnknown(copy)) {
      return known(copy);
    }
    Optional<CloneSource> source = sources.getOrDefault(copy, Optional.empty());
    sources.remove(copy);
    return source.filter(s -> isLastOfNamespace(s, copy)).map(Set::of).orElse(Set.of());
  }

  /** Removes a copy; whether its namespace has no other copy of the source. */
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

  private static <T> void remove(Map<String, Set<T>> from, String namespace, T one) {
    from.computeIfPresent(
        namespace,
        (n, all) -> {
          all.remove(one);
          return all.isEmpty() ? null : all;
        });
  }

  private Set<CloneSource> known(ObjectKey copy) {
    remove(unknown, copy.namespace(), copy);
    if (unknown.containsKey(copy.namespace())) {
      return Set.of();
    }
    Set<CloneSource> freed = blocked.remove(copy.namespace());
    return freed == null ? Set.of() : freed;
  }

  /**
   * Whether a claim of one of these namespaces is, or may be, filled from the source. If that is
   * not known yet, {@link #learned} or {@link #ended} returns the source later.
   */
  public synchronized boolean holds(CloneSource source, Set<String> namespaces) {
    Map<String, Set<ObjectKey>> known = copies.getOrDefault(source, Map.of());
    boolean perhaps = false;
    for (String namespace : namespaces) {
      if (known.containsKey(namespace)) {
        return true;
      }
      if (unknown.containsKey(namespace)) {
        blocked.computeIfAbsent(namespace, n -> new HashSet<>()).add(source);
        perhaps = true;
      }
    }
    return perhaps;
  }

  /** Whether a claim of a namespace other than the source's is, or may be, filled from it. */
  public synchronized boolean mayBeCopiedElsewhere(CloneSource source) {
    String own = source.key().namespace();
    return isElsewhere(copies.getOrDefault(source, Map.of()), own) || isElsewhere(unknown, own);
  }

  private static boolean isElsewhere(Map<String, ?> byNamespace, String own) {
    return byNamespace.size() > (byNamespace.containsKey(own) ? 1 : 0);
  }

  /** The sources in a namespace that claims are filled from. */
  public synchronized List<CloneSource> in(String namespace) {
    return List.copyOf(copied.getOrDefault(namespace, Set.of()));
  }
}
