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
 * How far the search for each claim's volume is. What was looked at in vain is not looked at again:
 * a search goes through the volumes in their order, a part each time, and then only through those
 * that became free after it began. Claims whom every volume suits that the index offers (those
 * without a selector) need none of it. Not thread-safe: the reservations' lock guards it.
 */
final class Searches {
  /** How many volumes are looked at for one decision. */
  static final int STEPS = 500;

  /** What is searched for: if it changes, the search begins anew. */
  private record Subject(Uid uid, MatchKey key, List<List<Integer>> tiers) {}

  /**
   * A search that found nothing so far.
   *
   * @param began of what became free later nothing was looked at
   * @param tier which tier it is at; beyond the last, if all were searched
   * @param after the position in that tier; null for its beginning
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
   * Nothing was searched for yet.
   *
   * @param most how many volumes are looked at for one decision, at least one
   */
  Searches(VolumeIndex index, int most, StepTotal total) {
    this.index = index;
    this.most = most;
    this.total = total;
  }

  /** The claim is gone, or has a volume. */
  void forget(ObjectKey claim) {
    all.remove(claim);
  }

  /** Goes on with a claim's search, or begins it. */
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

  /** Looks at what became free since; if something suits, the search is at its beginning again. */
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
