package dev.mooring.csi;

import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who waits to be filled from whom, by source. Whoever is filled is known at once, from what only
 * after somebody has asked: until then nothing of its namespace is let go. Every call costs the
 * same however many claims there are, but for those that {@link #learned} and {@link #ended} give
 * back, each once. Thread-safe.
 */
final class Copies {
  private static final Optional<ObjectKey> NONE = Optional.empty();

  private final Map<ObjectKey, Optional<ObjectKey>> sources = new HashMap<>(); // by copy
  private final Map<ObjectKey, Set<ObjectKey>> copies = new HashMap<>(); // by source
  private final Map<String, Set<ObjectKey>> unknown = new HashMap<>(); // copies, by namespace
  private final Map<String, Set<ObjectKey>> blocked = new HashMap<>(); // sources, by namespace

  /** The claim waits to be filled; whether it has to be asked from what. */
  synchronized boolean begins(ObjectKey copy) {
    if (sources.containsKey(copy)) {
      return false;
    }
    return unknown.computeIfAbsent(copy.namespace(), n -> new HashSet<>()).add(copy);
  }

  /** Whether it is not known yet what the claim is filled from. */
  synchronized boolean isUnknown(ObjectKey copy) {
    return unknown.getOrDefault(copy.namespace(), Set.of()).contains(copy);
  }

  /**
   * The claim is filled from that claim, or from nothing that we hold.
   *
   * @return sources that may perhaps go now
   */
  synchronized Set<ObjectKey> learned(ObjectKey copy, Optional<ObjectKey> source) {
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
  synchronized Set<ObjectKey> ended(ObjectKey copy) {
    if (isUnknown(copy)) {
      return known(copy);
    }
    Optional<ObjectKey> source = sources.containsKey(copy) ? sources.remove(copy) : NONE;
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

  private Set<ObjectKey> known(ObjectKey copy) {
    Set<ObjectKey> others = unknown.getOrDefault(copy.namespace(), new HashSet<>());
    others.remove(copy);
    if (!others.isEmpty()) {
      return Set.of();
    }
    unknown.remove(copy.namespace());
    Set<ObjectKey> freed = blocked.remove(copy.namespace());
    return freed == null ? Set.of() : freed;
  }

  /**
   * Whether somebody is, or may be, filled from the claim. Who is told so because that is not known
   * yet is among what {@link #learned} or {@link #ended} give back.
   */
  synchronized boolean holds(ObjectKey source) {
    if (copies.containsKey(source)) {
      return true;
    }
    boolean perhaps = unknown.containsKey(source.namespace());
    if (perhaps) {
      blocked.computeIfAbsent(source.namespace(), n -> new HashSet<>()).add(source);
    }
    return perhaps;
  }
}
