package dev.mooring.binder.state;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.VolumeCatalogue.SearchResult;
import dev.mooring.binder.state.StepBudget.StepCounter;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress of each claim's search for a volume. A rejected volume is not tested again: a search
 * goes through the volumes in order, in parts, then only through those that became free after it
 * began. Claims without a selector need no progress, because every volume that the index offers
 * suits them. Not thread-safe: the reservations' lock guards it.
 */
final class ClaimSearches {
  static final int STEPS = 500;

  private record SearchSubject(Uid uid, MatchKey key, List<List<Integer>> tiers) {}

  /**
   * Search that has found nothing so far.
   *
   * @param startedAt index time of its start; volumes that became free later are untested
   * @param tier current tier; beyond the last one if all were searched
   * @param lastPosition position in that tier; null for its beginning
   */
  private record SearchProgress(
      SearchSubject subject, long startedAt, int tier, @Nullable VolumePosition lastPosition) {
    boolean isDone() {
      return tier == subject.tiers().size();
    }
  }

  private final VolumeIndex index;
  private final int maxSteps;
  private final StepCounter stepCounter;
  private final Map<ObjectKey, SearchProgress> progressByClaim = new HashMap<>();

  ClaimSearches(VolumeIndex index, int maxSteps, StepCounter stepCounter) {
    this.index = index;
    this.maxSteps = maxSteps;
    this.stepCounter = stepCounter;
  }

  void forget(ObjectKey claim) {
    progressByClaim.remove(claim);
  }

  SearchResult search(Claim claim, MatchKey key, List<List<Integer>> tiers) {
    StepBudget steps = stepCounter.createBudget(maxSteps);
    SearchSubject subject = new SearchSubject(claim.meta().uid(), key, tiers);
    SearchProgress savedProgress = progressByClaim.remove(claim.key());
    SearchProgress progress =
        savedProgress != null && savedProgress.subject().equals(subject)
            ? savedProgress
            : new SearchProgress(subject, index.moment(), 0, null);
    SearchResult result = advance(claim.key(), progress, steps);
    if (key.suitsAllIndexedVolumes() && !(result instanceof SearchResult.Unfinished)) {
      progressByClaim.remove(claim.key());
    }
    return result;
  }

  private SearchResult advance(ObjectKey claim, SearchProgress initialProgress, StepBudget steps) {
    SearchProgress progress = initialProgress;
    VolumeIndex.VolumeBin bin = index.findBin(ExactKey.of(initialProgress.subject().key()));
    while (true) {
      if (bin == null) {
        return save(claim, searchedUntil(progress, index.moment()), new SearchResult.Nothing());
      }
      if (progress.isDone()) {
        SearchProgress newerProgress = searchNewer(progress, bin, steps);
        if (newerProgress.isDone()) {
          boolean isComplete = bin.arrivedAfter(newerProgress.startedAt()).isEmpty();
          return save(
              claim,
              newerProgress,
              isComplete ? new SearchResult.Nothing() : new SearchResult.Unfinished());
        }
        progress = newerProgress;
      }
      SearchSubject subject = progress.subject();
      List<Integer> modes = subject.tiers().get(progress.tier());
      CandidateVolumes candidates =
          new CandidateVolumes(bin, subject.key(), modes, progress.lastPosition(), steps);
      steps.ensureOneStep();
      Volume volume = candidates.next();
      if (volume != null) {
        return new SearchResult.Found(volume);
      }
      if (!candidates.isExhausted()) {
        SearchProgress currentProgress =
            new SearchProgress(subject, progress.startedAt(), progress.tier(), candidates.last());
        return save(claim, currentProgress, new SearchResult.Unfinished());
      }
      progress = new SearchProgress(subject, progress.startedAt(), progress.tier() + 1, null);
    }
  }

  private static SearchProgress searchedUntil(SearchProgress progress, long moment) {
    return new SearchProgress(progress.subject(), moment, progress.subject().tiers().size(), null);
  }

  private SearchProgress searchNewer(
      SearchProgress progress, VolumeIndex.VolumeBin bin, StepBudget steps) {
    long testedUntil = progress.startedAt();
    for (Map.Entry<Long, Volume> entry : bin.arrivedAfter(testedUntil).entrySet()) {
      if (!steps.take(progress.subject().key().stepsFor(entry.getValue()))) {
        break;
      }
      if (suits(progress.subject(), entry.getValue())) {
        return new SearchProgress(progress.subject(), index.moment(), 0, null);
      }
      testedUntil = entry.getKey();
    }
    return searchedUntil(progress, testedUntil);
  }

  private static boolean suits(SearchSubject subject, Volume volume) {
    int modes = volume.accessModes().mask();
    return subject.key().suits(volume)
        && subject.tiers().stream().anyMatch(tier -> tier.contains(modes));
  }

  private SearchResult save(ObjectKey claim, SearchProgress progress, SearchResult result) {
    progressByClaim.put(claim, progress);
    return result;
  }
}
