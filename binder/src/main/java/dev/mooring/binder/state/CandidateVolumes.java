package dev.mooring.binder.state;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.model.Volume;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Free volumes that suit a claim, in order, as far as the steps reach. Not thread-safe: use it
 * under the reservations' lock, while nothing changes.
 */
final class CandidateVolumes {
  private final MatchKey key;
  private final StepBudget steps;
  private final SortedMerge<Map.Entry<VolumePosition, Volume>> candidates =
      new SortedMerge<>(Map.Entry.comparingByKey());
  private @Nullable VolumePosition last;

  /**
   * Starts the sequence.
   *
   * @param accessModes sets of access modes that the volumes may have, as bit sets
   * @param after position after which it starts; null for the smallest sufficient volume
   */
  CandidateVolumes(
      VolumeIndex.@Nullable VolumeBin bin,
      MatchKey key,
      Collection<Integer> accessModes,
      @Nullable VolumePosition after,
      StepBudget steps) {
    this.key = key;
    this.steps = steps;
    this.last = after;
    if (bin == null || (key.labels() != null && !key.labels().isPossible())) {
      return;
    }
    VolumePosition start = after == null ? VolumePosition.atLeast(key.request()) : after;
    for (NavigableMap<VolumePosition, Volume> candidateSet :
        bin.candidateSets(key, accessModes, steps)) {
      candidates.add(candidateSet.tailMap(start, after == null).entrySet().iterator());
    }
  }

  /** Returns the next volume that suits; null if there is none, or if the steps are used up. */
  @Nullable Volume next() {
    while (!candidates.isEmpty() && steps.take(key.stepsFor(candidates.peek().getValue()))) {
      Map.Entry<VolumePosition, Volume> candidate = candidates.next();
      last = candidate.getKey();
      if (key.suits(candidate.getValue())) {
        return candidate.getValue();
      }
    }
    return null;
  }

  boolean isExhausted() {
    return candidates.isEmpty();
  }

  @Nullable VolumePosition last() {
    return last;
  }
}
