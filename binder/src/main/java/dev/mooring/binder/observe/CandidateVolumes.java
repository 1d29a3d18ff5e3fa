package dev.mooring.binder.observe;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.model.Volume;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Free volumes that suit a claim, in order, as far as the steps reach. Not thread-safe: use it
 * under the reservations' lock, while nothing changes.
 */
final class CandidateVolumes {
  private record NextCandidate(
      VolumePosition at, Volume volume, Iterator<? extends Map.Entry<VolumePosition, Volume>> rest)
      implements Comparable<NextCandidate> {
    @Override
    public int compareTo(NextCandidate other) {
      return at.compareTo(other.at);
    }
  }

  private final MatchKey key;
  private final StepBudget steps;
  private final PriorityQueue<NextCandidate> heads = new PriorityQueue<>();
  private @Nullable VolumePosition last;

  /**
   * Creates the candidates of a bin.
   *
   * @param accessModes sets of access modes to include
   * @param after position behind which to begin; null for all
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
    VolumePosition from = after == null ? VolumePosition.atLeast(key.request()) : after;
    for (NavigableMap<VolumePosition, Volume> place : bin.candidateSets(key, accessModes, steps)) {
      advance(place.tailMap(from, after == null).entrySet().iterator());
    }
  }

  private void advance(Iterator<? extends Map.Entry<VolumePosition, Volume>> place) {
    if (place.hasNext()) {
      Map.Entry<VolumePosition, Volume> next = place.next();
      heads.add(new NextCandidate(next.getKey(), next.getValue(), place));
    }
  }

  /** Returns the next volume; null if there is none or no step is left. */
  @Nullable Volume next() {
    while (!heads.isEmpty() && steps.take(key.steps(heads.element().volume()))) {
      NextCandidate head = heads.remove();
      last = head.at();
      advance(head.rest());
      if (key.suits(head.volume())) {
        return head.volume();
      }
    }
    return null;
  }

  boolean isExhausted() {
    return heads.isEmpty();
  }

  /** Returns the position of the last tested volume; null if there is none. */
  @Nullable VolumePosition last() {
    return last;
  }
}
