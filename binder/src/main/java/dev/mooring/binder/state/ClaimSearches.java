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
   * @param began index time of its start; volumes that became free later are untested
   * @param tier current tier; beyond the last one if all were searched
   * @param after position in that tier; null for its beginning
   */
  private record SearchProgress(
      SearchSubject subject, long began, int tier, @Nullable VolumePosition after) {
    boolean isDone() {
      return tier == subject.tiers().size();
    }
  }

  private final VolumeIndex index;
  private final int most;
  private final StepCounter total;
  private final Map<ObjectKey, SearchProgress> all = new HashMap<>();

  ClaimSearches(VolumeIndex index, int most, StepCounter total) {
    this.index = index;
    this.most = most;
    this.total = total;
  }

  void forget(ObjectKey claim) {
    all.remove(claim);
  }

  SearchResult search(Claim claim, MatchKey key, List<List<Integer>> tiers) {
    StepBudget steps = total.atMost(most);
    SearchSubject subject = new SearchSubject(claim.meta().uid(), key, tiers);
    SearchProgress known = all.remove(claim.key());
    SearchProgress progress =
        known != null && known.subject().equals(subject)
            ? known
            : new SearchProgress(subject, index.moment(), 0, null);
    SearchResult result = advance(claim.key(), progress, steps);
    if (key.suitsWhatIsIndexed() && !(result instanceof SearchResult.Unfinished)) {
      all.remove(claim.key());
    }
    return result;
  }

  private SearchResult advance(ObjectKey claim, SearchProgress from, StepBudget steps) {
    SearchProgress progress = from;
    VolumeIndex.VolumeBin bin = index.bin(ExactKey.of(from.subject().key()));
    while (true) {
      if (bin == null) {
        return save(claim, through(progress, index.moment()), new SearchResult.Nothing());
      }
      if (progress.isDone()) {
        SearchProgress after = searchNewer(progress, bin, steps);
        if (after.isDone()) {
          boolean all = bin.since(after.began()).isEmpty();
          return save(
              claim, after, all ? new SearchResult.Nothing() : new SearchResult.Unfinished());
        }
        progress = after;
      }
      SearchSubject subject = progress.subject();
      List<Integer> modes = subject.tiers().get(progress.tier());
      CandidateVolumes candidates =
          new CandidateVolumes(bin, subject.key(), modes, progress.after(), steps);
      steps.keepOne();
      Volume found = candidates.next();
      if (found != null) {
        return new SearchResult.Found(found);
      }
      if (!candidates.isExhausted()) {
        SearchProgress here =
            new SearchProgress(subject, progress.began(), progress.tier(), candidates.last());
        return save(claim, here, new SearchResult.Unfinished());
      }
      progress = new SearchProgress(subject, progress.began(), progress.tier() + 1, null);
    }
  }

  private static SearchProgress through(SearchProgress progress, long moment) {
    return new SearchProgress(progress.subject(), moment, progress.subject().tiers().size(), null);
  }

  private SearchProgress searchNewer(
      SearchProgress progress, VolumeIndex.VolumeBin bin, StepBudget steps) {
    long looked = progress.began();
    for (Map.Entry<Long, Volume> newcomer : bin.since(looked).entrySet()) {
      if (!steps.take(progress.subject().key().steps(newcomer.getValue()))) {
        break;
      }
      if (suits(progress.subject(), newcomer.getValue())) {
        return new SearchProgress(progress.subject(), index.moment(), 0, null);
      }
      looked = newcomer.getKey();
    }
    return through(progress, looked);
  }

  private static boolean suits(SearchSubject subject, Volume volume) {
    int modes = volume.accessModes().mask();
    return subject.key().suits(volume)
        && subject.tiers().stream().anyMatch(tier -> tier.contains(modes));
  }

  private SearchResult save(ObjectKey claim, SearchProgress progress, SearchResult result) {
    all.put(claim, progress);
    return result;
  }
}
