package dev.mooring.binder.state;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.state.ClaimContention.ContendingClaim;
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
 * Matching of claims and volumes that serves as many claims as possible; it grows by augmenting
 * paths. A claim whose suitable volumes are all taken can get one if its owner can move to another
 * volume, and so on. When the steps are used up, the matching may serve fewer claims than possible.
 * Not thread-safe.
 */
final class VolumeMatching {
  /** Source of candidates. All keys have one class, mode and attributes class. */
  interface CandidateSource {
    CandidateVolumes suitable(MatchKey key, @Nullable VolumePosition after);
  }

  private final CandidateSource volumes;
  private final StepBudget steps;
  private final Map<ObjectKey, Volume> byClaim = new HashMap<>();
  private final Map<String, ContendingClaim> byVolume = new HashMap<>();

  VolumeMatching(CandidateSource volumes, StepBudget steps) {
    this.volumes = volumes;
    this.steps = steps;
  }

  void earmark(ContendingClaim claim, Volume volume) {
    if (byVolume.putIfAbsent(volume.meta().name(), claim) == null) {
      byClaim.put(claim.claim(), volume);
    }
  }

  void place(Collection<ContendingClaim> claims) {
    List<ContendingClaim> without = new ArrayList<>();
    Map<MatchKey, CandidateVolumes> started =
        new HashMap<>(); // a taken volume stays taken during the search
    for (ContendingClaim claim : claims) {
      if (!byClaim.containsKey(claim.claim())) {
        CandidateVolumes candidates =
            started.computeIfAbsent(
                claim.key(), key -> steps.take(1) ? volumes.suitable(key, null) : null);
        if (candidates == null || !takeFree(claim, candidates)) {
          without.add(claim);
        }
      }
    }
    while (!without.isEmpty() && steps.take(1 + without.size() / 4) && search(without, null)) {
      without.removeIf(claim -> byClaim.containsKey(claim.claim()));
    }
  }

  private boolean takeFree(ContendingClaim claim, CandidateVolumes candidates) {
    for (Volume volume = candidates.next(); volume != null; volume = candidates.next()) {
      if (!byVolume.containsKey(volume.meta().name())) {
        earmark(claim, volume);
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the first suitable volume that is not taken or whose owner can move, and moves the
   * owner; the first of all if there is none.
   */
  Volume spared(MatchKey key, Volume first) {
    CandidateVolumes others = null;
    for (Volume volume = first; volume != null; ) {
      ContendingClaim owner = byVolume.get(volume.meta().name());
      if (owner == null || search(List.of(owner), volume)) {
        return volume;
      }
      others = others == null ? volumes.suitable(key, VolumePosition.of(first)) : others;
      volume = others.next();
    }
    ContendingClaim loser = byVolume.remove(first.meta().name());
    if (loser != null) {
      byClaim.remove(loser.claim());
    }
    return first;
  }

  Map<ObjectKey, Volume> volumes() {
    return byClaim;
  }

  private boolean search(Collection<ContendingClaim> claims, @Nullable Volume except) {
    Map<String, ContendingClaim> reachedFor = new HashMap<>();
    if (except != null) {
      claims.forEach(owner -> reachedFor.put(except.meta().name(), owner));
    }
    Set<MatchKey> visited = new HashSet<>();
    Deque<ContendingClaim> toServe = new ArrayDeque<>(claims);
    while (!toServe.isEmpty() && steps.take(1)) {
      ContendingClaim next = toServe.poll();
      if (!visited.add(next.key())) {
        continue; // claims with equal keys have the same candidates
      }
      CandidateVolumes candidates = volumes.suitable(next.key(), null);
      for (Volume volume = candidates.next(); volume != null; volume = candidates.next()) {
        if (reachedFor.putIfAbsent(volume.meta().name(), next) != null) {
          continue;
        }
        ContendingClaim owner = byVolume.get(volume.meta().name());
        if (owner == null) {
          move(volume, reachedFor, except);
          return true;
        }
        toServe.add(owner);
      }
    }
    return false;
  }

  // each claim on the path to the free volume takes the next volume
  private void move(Volume free, Map<String, ContendingClaim> reachedFor, @Nullable Volume except) {
    String given = except == null ? "" : except.meta().name();
    byVolume.remove(given);
    Volume at = free;
    while (at != null && !at.meta().name().equals(given)) {
      ContendingClaim claim = reachedFor.get(at.meta().name());
      if (claim == null) {
        throw new IllegalStateException("no way to volume " + at.meta().name());
      }
      byVolume.put(at.meta().name(), claim);
      at = byClaim.put(claim.claim(), at);
    }
  }
}
