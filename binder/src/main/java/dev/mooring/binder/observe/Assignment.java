package dev.mooring.binder.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who could get which volume, so that as many claims as possible get one: a matching that grows by
 * augmenting paths. A claim that finds all its volumes taken may have one of them if whoever has it
 * can be given another, and so on. Not thread-safe.
 */
final class Assignment {
  /** Claims that ask for the same have the same volumes to choose from: one look is enough. */
  private record Ask(Quantity size, int accessModes, @Nullable LabelSelector selector) {
    static Ask of(Claim claim) {
      return new Ask(claim.request(), claim.accessModes().mask(), claim.selector());
    }
  }

  private final Function<Claim, Iterator<Volume>> suitable;
  private final Map<ObjectKey, Volume> byClaim = new HashMap<>();
  private final Map<String, Claim> byVolume = new HashMap<>();
  private int patience;

  /**
   * Nobody has anything.
   *
   * @param suitable the volumes that a claim could be given, each time from the first; all claims
   *     are of one class, mode and attributes class
   * @param patience how many volumes are looked at in all; beyond that nothing more is found, and
   *     fewer claims may get a volume than could
   */
  Assignment(Function<Claim, Iterator<Volume>> suitable, int patience) {
    this.suitable = suitable;
    this.patience = patience;
  }

  /** Gives a claim a volume that suits it, unless somebody has it. */
  void earmark(Claim claim, Volume volume) {
    if (byVolume.putIfAbsent(volume.meta().name(), claim) == null) {
      byClaim.put(claim.key(), volume);
    }
  }

  /** Gives as many of these claims a volume as can have one, others moving over for them. */
  void place(Collection<Claim> claims) {
    List<Claim> without = new ArrayList<>();
    Set<Ask> inVain = new HashSet<>();
    for (Claim claim : claims) {
      if (!byClaim.containsKey(claim.key())
          && (inVain.contains(Ask.of(claim)) || !takeFree(claim))) {
        inVain.add(Ask.of(claim));
        without.add(claim);
      }
    }
    while (!without.isEmpty() && search(without, null)) {
      without.removeIf(claim -> byClaim.containsKey(claim.key()));
    }
  }

  private boolean takeFree(Claim claim) {
    Iterator<Volume> volumes = suitable.apply(claim);
    while (volumes.hasNext() && patience-- > 0) {
      Volume volume = volumes.next();
      if (!byVolume.containsKey(volume.meta().name())) {
        earmark(claim, volume);
        return true;
      }
    }
    return false;
  }

  /**
   * The first of these volumes that nobody has, or that its owner can do without; the first of all
   * if there is none. Its owner moves over.
   */
  Optional<Volume> spared(Iterator<Volume> inOrder) {
    Volume first = null;
    while (inOrder.hasNext() && patience > 0) {
      Volume volume = inOrder.next();
      first = first == null ? volume : first;
      Claim owner = byVolume.get(volume.meta().name());
      if (owner == null || search(List.of(owner), volume)) {
        return Optional.of(volume);
      }
    }
    if (first == null) {
      return inOrder.hasNext() ? Optional.of(inOrder.next()) : Optional.empty();
    }
    Claim loser = byVolume.remove(first.meta().name());
    if (loser != null) {
      byClaim.remove(loser.key());
    }
    return Optional.of(first);
  }

  /** Who has which volume. */
  Map<ObjectKey, Volume> volumes() {
    return Map.copyOf(byClaim);
  }

  /**
   * Finds one of the claims a volume, by a shortest path of moves.
   *
   * @param except a volume that the only claim gives away for another; null for none
   */
  private boolean search(Collection<Claim> claims, @Nullable Volume except) {
    Map<String, Claim> reachedFor = new HashMap<>();
    if (except != null) {
      claims.forEach(owner -> reachedFor.put(except.meta().name(), owner));
    }
    Set<Ask> looked = new HashSet<>();
    Deque<Claim> toServe = new ArrayDeque<>(claims);
    while (!toServe.isEmpty()) {
      Claim next = toServe.poll();
      if (!looked.add(Ask.of(next))) {
        continue;
      }
      Iterator<Volume> volumes = suitable.apply(next);
      while (volumes.hasNext() && patience-- > 0) {
        Volume volume = volumes.next();
        if (reachedFor.putIfAbsent(volume.meta().name(), next) != null) {
          continue;
        }
        Claim owner = byVolume.get(volume.meta().name());
        if (owner == null) {
          move(volume, reachedFor, except);
          return true;
        }
        toServe.add(owner);
      }
    }
    return false;
  }

  /** Everybody on the path to the free volume takes the next one. */
  private void move(Volume free, Map<String, Claim> reachedFor, @Nullable Volume except) {
    String given = except == null ? "" : except.meta().name();
    byVolume.remove(given);
    Volume at = free;
    while (at != null && !at.meta().name().equals(given)) {
      Claim claim = reachedFor.get(at.meta().name());
      if (claim == null) {
        throw new IllegalStateException("no way to volume " + at.meta().name());
      }
      byVolume.put(at.meta().name(), claim);
      at = byClaim.put(claim.key(), at);
    }
  }
}
