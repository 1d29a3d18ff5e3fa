package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.state.StepBudget.StepCounter;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Pending claims that could get a volume, and to which other claims should leave one. A claim that
 * got none is not counted before a suitable volume becomes free. Claims that differ only in size
 * need no care, because the smallest sufficient volume is the best choice for all of them. Not
 * thread-safe: the reservations' lock guards it.
 */
final class ClaimContention {
  // maximum number of steps for one claim: about a sixth of a millisecond
  static final int STEPS = 1_500;

  static final int MOST = 400;

  record ContendingClaim(ObjectKey claim, MatchKey key) {}

  private static final class ContenderGroup {
    private final Map<ObjectKey, ContendingClaim> open = new LinkedHashMap<>();
    private final Map<MatchKey, Integer> demands = new HashMap<>(); // without sizes
    // result of the last search, as a guess for the next
    private Map<ObjectKey, Volume> earmarked = Map.of();

    void open(ContendingClaim contender) {
      if (open.putIfAbsent(contender.claim(), contender) == null) {
        demands.merge(contender.key().besidesSize(), 1, Integer::sum);
      }
    }

    void close(ContendingClaim contender) {
      if (open.remove(contender.claim()) != null) {
        demands.computeIfPresent(
            contender.key().besidesSize(), (demand, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  private final Map<ObjectKey, ContendingClaim> all = new HashMap<>();
  private final Map<ExactKey, ContenderGroup> groups = new HashMap<>();
  private final StepCounter total;

  ClaimContention(StepCounter total) {
    this.total = total;
  }

  void observed(Claim claim, MatchKey key) {
    remove(claim.key());
    if (!claim.volumeName().isEmpty()
        || claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)
        || claim.meta().isBeingDeleted()) {
      return;
    }
    all.put(claim.key(), new ContendingClaim(claim.key(), key));
    noteFreeVolume(claim.key());
  }

  void noteFreeVolume(ObjectKey claim) {
    ContendingClaim contender = all.get(claim);
    if (contender != null) {
      groups
          .computeIfAbsent(ExactKey.of(contender.key()), l -> new ContenderGroup())
          .open(contender);
    }
  }

  void noteNoVolume(ObjectKey claim) {
    ContendingClaim contender = all.get(claim);
    if (contender != null) {
      close(contender);
    }
  }

  void remove(ObjectKey claim) {
    ContendingClaim before = all.remove(claim);
    if (before != null) {
      close(before);
    }
  }

  private void close(ContendingClaim contender) {
    ExactKey exact = ExactKey.of(contender.key());
    ContenderGroup group = groups.get(exact);
    if (group != null) {
      group.close(contender);
      if (group.open.isEmpty()) {
        groups.remove(exact);
      }
    }
  }

  boolean compete(MatchKey key) {
    ContenderGroup group = groups.get(ExactKey.of(key));
    return group != null
        && (group.demands.size() > 1 || !group.demands.containsKey(key.besidesSize()));
  }

  /**
   * Returns the first suitable volume that leaves a volume for every other claim that could have
   * one; the first of all if there is none, or if the steps are used up.
   *
   * @param first the first suitable volume
   * @param isProvidedFor returns whether a volume is reserved for a claim, which then needs no
   *     other
   */
  Volume spared(
      ContendingClaim of, Volume first, VolumeIndex index, Predicate<ObjectKey> isProvidedFor) {
    ContenderGroup group = groups.get(ExactKey.of(of.key()));
    VolumeIndex.VolumeBin bin = index.bin(ExactKey.of(of.key()));
    if (group == null || bin == null) {
      return first;
    }
    StepBudget steps = total.atMost(STEPS);
    VolumeMatching assignment =
        new VolumeMatching(
            (key, after) -> new CandidateVolumes(bin, key, key.offering(), after, steps), steps);
    List<ContendingClaim> others = new ArrayList<>();
    for (ContendingClaim other : group.open.values()) {
      if (others.size() == MOST || !steps.take(1)) {
        break;
      }
      if (!other.claim().equals(of.claim()) && !isProvidedFor.test(other.claim())) {
        others.add(other);
        Volume guess = group.earmarked.get(other.claim());
        if (guess != null
            && steps.take(other.key().steps(guess))
            && bin.contains(guess)
            && other.key().suits(guess)) {
          assignment.earmark(other, guess);
        }
      }
    }
    assignment.place(others);
    Volume spared = assignment.spared(of.key(), first);
    group.earmarked = assignment.volumes();
    return spared;
  }
}
