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
    CandidateVolumes findSuitable(MatchKey key, @Nullable VolumePosition after);
  }

  private final CandidateSource candidateSource;
  private final StepBudget steps;
  private final Map<ObjectKey, Volume> volumeByClaim = new HashMap<>();
  private final Map<String, ContendingClaim> claimByVolume = new HashMap<>();

  VolumeMatching(CandidateSource candidateSource, StepBudget steps) {
    this.candidateSource = candidateSource;
    this.steps = steps;
  }

  void earmark(ContendingClaim claim, Volume volume) {
    if (claimByVolume.putIfAbsent(volume.meta().name(), claim) == null) {
      volumeByClaim.put(claim.claim(), volume);
    }
  }

  void matchClaims(Collection<ContendingClaim> claims) {
    List<ContendingClaim> unmatchedClaims = new ArrayList<>();
    Map<MatchKey, CandidateVolumes> candidatesByKey =
        new HashMap<>(); // a taken volume stays taken during the search
    for (ContendingClaim claim : claims) {
      if (!volumeByClaim.containsKey(claim.claim())) {
        CandidateVolumes candidates =
            candidatesByKey.computeIfAbsent(
                claim.key(), key -> steps.take(1) ? candidateSource.findSuitable(key, null) : null);
        if (candidates == null || !takeFreeVolume(claim, candidates)) {
          unmatchedClaims.add(claim);
        }
      }
    }
    while (!unmatchedClaims.isEmpty()
        && steps.take(1 + unmatchedClaims.size() / 4)
        && augment(unmatchedClaims, null)) {
      unmatchedClaims.removeIf(claim -> volumeByClaim.containsKey(claim.claim()));
    }
  }

  private boolean takeFreeVolume(ContendingClaim claim, CandidateVolumes candidates) {
    for (Volume volume = candidates.next(); volume != null; volume = candidates.next()) {
      if (!claimByVolume.containsKey(volume.meta().name())) {
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
  Volume findSparingVolume(MatchKey key, Volume first) {
    CandidateVolumes others = null;
    for (Volume volume = first; volume != null; ) {
      ContendingClaim owner = claimByVolume.get(volume.meta().name());
      if (owner == null || augment(List.of(owner), volume)) {
        return volume;
      }
      others =
          others == null ? candidateSource.findSuitable(key, VolumePosition.of(first)) : others;
      volume = others.next();
    }
    ContendingClaim displacedClaim = claimByVolume.remove(first.meta().name());
    if (displacedClaim != null) {
      volumeByClaim.remove(displacedClaim.claim());
    }
    return first;
  }

  Map<ObjectKey, Volume> volumes() {
    return volumeByClaim;
  }

  private boolean augment(Collection<ContendingClaim> claims, @Nullable Volume excludedVolume) {
    Map<String, ContendingClaim> claimByReachedVolume = new HashMap<>();
    if (excludedVolume != null) {
      claims.forEach(owner -> claimByReachedVolume.put(excludedVolume.meta().name(), owner));
    }
    Set<MatchKey> visited = new HashSet<>();
    Deque<ContendingClaim> unservedClaims = new ArrayDeque<>(claims);
    while (!unservedClaims.isEmpty() && steps.take(1)) {
      ContendingClaim claim = unservedClaims.poll();
      if (!visited.add(claim.key())) {
        continue; // claims with equal keys have the same candidates
      }
      CandidateVolumes candidates = candidateSource.findSuitable(claim.key(), null);
      for (Volume volume = candidates.next(); volume != null; volume = candidates.next()) {
        if (claimByReachedVolume.putIfAbsent(volume.meta().name(), claim) != null) {
          continue;
        }
        ContendingClaim owner = claimByVolume.get(volume.meta().name());
        if (owner == null) {
          move(volume, claimByReachedVolume, excludedVolume);
          return true;
        }
        unservedClaims.add(owner);
      }
    }
    return false;
  }

  // each claim on the path to the free volume takes the next volume
  private void move(
      Volume free,
      Map<String, ContendingClaim> claimByReachedVolume,
      @Nullable Volume excludedVolume) {
    String excludedName = excludedVolume == null ? "" : excludedVolume.meta().name();
    claimByVolume.remove(excludedName);
    Volume current = free;
    while (current != null && !current.meta().name().equals(excludedName)) {
      ContendingClaim claim = claimByReachedVolume.get(current.meta().name());
      if (claim == null) {
        throw new IllegalStateException("no way to volume " + current.meta().name());
      }
      claimByVolume.put(current.meta().name(), claim);
      current = volumeByClaim.put(claim.claim(), current);
    }
  }
}
