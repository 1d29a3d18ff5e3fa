package dev.mooring.binder.state;

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

  @Nullable VolumePosition last() {
    return last;
  }
}
