package dev.mooring.binder.observe;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.observe.Contention.Contender;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who could get which volume, so that as many claims as possible get one: a matching that grows by
 * augmenting paths. A claim that finds all its volumes taken may have one of them if whoever has it
 * can be given another, and so on. When the steps are over nothing more is found, and fewer claims
 * may get a volume than could. Not thread-safe.
 */
final class Assignment {
  /** Where candidates come from. All keys are of one class, mode and attributes class. */
  interface CandidateSource {
    /** Those that suit and come behind that position; null for all. */
    Candidates suitable(MatchKey key, @Nullable Position after);
  }

  private final CandidateSource volumes;
  private final Steps steps;
  private final Map<ObjectKey, Volume> byClaim = new HashMap<>();
  private final Map<String, Contender> byVolume = new HashMap<>();

  /** Nobody has anything. */
  Assignment(CandidateSource volumes, Steps steps) {
    this.volumes = volumes;
    this.steps = steps;
  }

  /** Gives a claim a volume that suits it, unless somebody has it. */
  void earmark(Contender claim, Volume volume) {
    if (byVolume.putIfAbsent(volume.meta().name(), claim) == null) {
      byClaim.put(claim.claim(), volume);
    }
  }

  /** Gives as many of these claims a volume as can have one, others moving over for them. */
  void place(Collection<Contender> claims) {
    List<Contender> without = new ArrayList<>();
    Map<MatchKey, Candidates> begun = new HashMap<>(); // what is taken stays taken meanwhile
    for (Contender claim : claims) {
      if (!byClaim.containsKey(claim.claim())) {
        Candidates left =
            begun.computeIfAbsent(
                claim.key(), key -> steps.take(1) ? volumes.suitable(key, null) : null);
        if (left == null || !takeFree(claim, left)) {
          without.add(claim);
        }
      }
    }
    while (!without.isEmpty() && steps.take(1 + without.size() / 4) && search(without, null)) {
      without.removeIf(claim -> byClaim.containsKey(claim.claim()));
    }
  }

  private boolean takeFree(Contender claim, Candidates left) {
    for (Volume volume = left.next(); volume != null; volume = left.next()) {
      if (!byVolume.containsKey(volume.meta().name())) {
        earmark(claim, volume);
        return true;
      }
    }
    return false;
  }

  /**
   * The first of the volumes that suit which nobody has, or that its owner can do without; the
   * first of all if there is none. Its owner moves over.
   */
  Volume spared(MatchKey key, Volume first) {
    Candidates others = null;
    for (Volume volume = first; volume != null; ) {
      Contender owner = byVolume.get(volume.meta().name());
      if (owner == null || search(List.of(owner), volume)) {
        return volume;
      }
      others = others == null ? volumes.suitable(key, Position.of(first)) : others;
      volume = others.next();
    }
    Contender loser = byVolume.remove(first.meta().name());
    if (loser != null) {
      byClaim.remove(loser.claim());
    }
    return first;
  }

  /** Who has which volume. */
  Map<ObjectKey, Volume> volumes() {
    return byClaim;
  }

  /**
   * Finds one of the claims a volume, by a shortest path of moves.
   *
   * @param except a volume that the only claim gives away for another; null for none
   */
  private boolean search(Collection<Contender> claims, @Nullable Volume except) {
    Map<String, Contender> reachedFor = new HashMap<>();
    if (except != null) {
      claims.forEach(owner -> reachedFor.put(except.meta().name(), owner));
    }
    Set<MatchKey> looked = new HashSet<>();
    Deque<Contender> toServe = new ArrayDeque<>(claims);
    while (!toServe.isEmpty() && steps.take(1)) {
      Contender next = toServe.poll();
      if (!looked.add(next.key())) {
        continue; // claims that ask for the same have the same volumes to choose from
      }
      Candidates left = volumes.suitable(next.key(), null);
      for (Volume volume = left.next(); volume != null; volume = left.next()) {
        if (reachedFor.putIfAbsent(volume.meta().name(), next) != null) {
          continue;
        }
        Contender owner = byVolume.get(volume.meta().name());
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
  private void move(Volume free, Map<String, Contender> reachedFor, @Nullable Volume except) {
    String given = except == null ? "" : except.meta().name();
    byVolume.remove(given);
    Volume at = free;
    while (at != null && !at.meta().name().equals(given)) {
      Contender claim = reachedFor.get(at.meta().name());
      if (claim == null) {
        throw new IllegalStateException("no way to volume " + at.meta().name());
      }
      byVolume.put(at.meta().name(), claim);
      at = byClaim.put(claim.claim(), at);
    }
  }
}
