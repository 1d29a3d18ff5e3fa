package dev.mooring.binder.observe;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.VolumeCatalogue.Search;
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
final class Searches {
  /** Maximum number of volumes to test for one decision. */
  static final int STEPS = 500;

  /** Subject of a search: if it changes, the search restarts. */
  private record Subject(Uid uid, MatchKey key, List<List<Integer>> tiers) {}

  /**
   * Search that has found nothing so far.
   *
   * @param began index time of its start; volumes that became free later are untested
   * @param tier current tier; beyond the last one if all were searched
   * @param after position in that tier; null for its beginning
   */
  private record Progress(Subject subject, long began, int tier, @Nullable Position after) {
    boolean isThrough() {
      return tier == subject.tiers().size();
    }
  }

  private final VolumeIndex index;
  private final int most;
  private final StepTotal total;
  private final Map<ObjectKey, Progress> all = new HashMap<>();

  /**
   * Creates empty progress.
   *
   * @param most maximum number of volumes to test for one decision, at least 1
   */
  Searches(VolumeIndex index, int most, StepTotal total) {
    this.index = index;
    this.most = most;
    this.total = total;
  }

  void forget(ObjectKey claim) {
    all.remove(claim);
  }

  /** Starts or continues the search of a claim. */
  Search search(Claim claim, MatchKey key, List<List<Integer>> tiers) {
    Steps steps = total.atMost(most);
    Subject subject = new Subject(claim.meta().uid(), key, tiers);
    Progress known = all.remove(claim.key());
    Progress progress =
        known != null && known.subject().equals(subject)
            ? known
            : new Progress(subject, index.moment(), 0, null);
    Search result = advance(claim.key(), progress, steps);
    if (key.suitsWhatIsIndexed() && !(result instanceof Search.Unfinished)) {
      all.remove(claim.key());
    }
    return result;
  }

  private Search advance(ObjectKey claim, Progress from, Steps steps) {
    Progress progress = from;
    VolumeIndex.Bin bin = index.bin(ExactKey.of(from.subject().key()));
    while (true) {
      if (bin == null) {
        return save(claim, through(progress, index.moment()), new Search.Nothing());
      }
      if (progress.isThrough()) {
        Progress after = newcomers(progress, bin, steps);
        if (after.isThrough()) {
          boolean all = bin.since(after.began()).isEmpty();
          return save(claim, after, all ? new Search.Nothing() : new Search.Unfinished());
        }
        progress = after;
      }
      Subject subject = progress.subject();
      List<Integer> modes = subject.tiers().get(progress.tier());
      Candidates candidates = new Candidates(bin, subject.key(), modes, progress.after(), steps);
      steps.keepOne();
      Volume found = candidates.next();
      if (found != null) {
        return new Search.Found(found);
      }
      if (!candidates.areOver()) {
        Progress here = new Progress(subject, progress.began(), progress.tier(), candidates.last());
        return save(claim, here, new Search.Unfinished());
      }
      progress = new Progress(subject, progress.began(), progress.tier() + 1, null);
    }
  }

  private static Progress through(Progress progress, long moment) {
    return new Progress(progress.subject(), moment, progress.subject().tiers().size(), null);
  }

  /** Tests volumes that became free since the start; if one suits, the search restarts. */
  private Progress newcomers(Progress progress, VolumeIndex.Bin bin, Steps steps) {
    long looked = progress.began();
    for (Map.Entry<Long, Volume> newcomer : bin.since(looked).entrySet()) {
      if (!steps.take(progress.subject().key().steps(newcomer.getValue()))) {
        break;
      }
      if (suits(progress.subject(), newcomer.getValue())) {
        return new Progress(progress.subject(), index.moment(), 0, null);
      }
      looked = newcomer.getKey();
    }
    return through(progress, looked);
  }

  private static boolean suits(Subject subject, Volume volume) {
    int modes = volume.accessModes().mask();
    return subject.key().suits(volume)
        && subject.tiers().stream().anyMatch(tier -> tier.contains(modes));
  }

  private Search save(ObjectKey claim, Progress progress, Search result) {
    all.put(claim, progress);
    return result;
  }
}
