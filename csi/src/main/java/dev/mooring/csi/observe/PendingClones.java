package dev.mooring.csi.observe;

import dev.mooring.csi.decide.CloneSource;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who waits to be filled from whom, by source. Whoever is filled is known at once, from what only
 * after somebody has asked: until then nothing of its namespace (of any, if sources may be in
 * others) is let go. Every call costs the same however many claims there are, but for those that
 * {@link #learned} and {@link #ended} give back, each once. Thread-safe.
 */
public final class PendingClones {
  private static final Optional<CloneSource> NONE = Optional.empty();

  private final Map<ObjectKey, Optional<CloneSource>> sources = new HashMap<>(); // by copy
  private final Map<CloneSource, Set<ObjectKey>> copies = new HashMap<>(); // by source
  private final Map<String, Set<ObjectKey>> unknown = new HashMap<>(); // copies, by namespace
  private final Map<String, Set<CloneSource>> blocked = new HashMap<>(); // sources, by namespace

  private final boolean across;

  /**
   * Knows of none.
   *
   * @param across whether claims may be filled from sources of other namespaces
   */
  public PendingClones(boolean across) {
    this.across = across;
  }

  /** Who may be filled from it shares its namespace, or any may. */
  private String room(ObjectKey key) {
    return across ? "" : key.namespace();
  }

  /** The claim waits to be filled; whether it has to be asked from what. */
  public synchronized boolean begins(ObjectKey copy) {
    if (sources.containsKey(copy)) {
      return false;
    }
    return unknown.computeIfAbsent(room(copy), n -> new HashSet<>()).add(copy);
  }

  /** Whether it is not known yet what the claim is filled from. */
  public synchronized boolean isUnknown(ObjectKey copy) {
    return unknown.getOrDefault(room(copy), Set.of()).contains(copy);
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
    source.ifPresent(s -> copies.computeIfAbsent(s, k -> new HashSet<>()).add(copy));
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
    Optional<CloneSource> source = sources.containsKey(copy) ? sources.remove(copy) : NONE;
    if (source.isEmpty()) {
      return Set.of();
    }
    Set<ObjectKey> others = copies.getOrDefault(source.get(), new HashSet<>());
    others.remove(copy);
    if (!others.isEmpty()) {
      return Set.of();
    }
    copies.remove(source.get());
    return Set.of(source.get());
  }

  private Set<CloneSource> known(ObjectKey copy) {
    Set<ObjectKey> others = unknown.getOrDefault(room(copy), new HashSet<>());
    others.remove(copy);
    if (!others.isEmpty()) {
      return Set.of();
    }
    unknown.remove(room(copy));
    Set<CloneSource> freed = blocked.remove(room(copy));
    return freed == null ? Set.of() : freed;
  }

  /**
   * Whether somebody is, or may be, filled from it. Who is told so because that is not known yet is
   * among what {@link #learned} or {@link #ended} give back.
   */
  public synchronized boolean holds(CloneSource source) {
    if (copies.containsKey(source)) {
      return true;
    }
    boolean perhaps = unknown.containsKey(room(source.key()));
    if (perhaps) {
      blocked.computeIfAbsent(room(source.key()), n -> new HashSet<>()).add(source);
    }
    return perhaps;
  }
}
