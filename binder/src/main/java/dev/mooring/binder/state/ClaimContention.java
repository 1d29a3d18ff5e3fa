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
 * Pending claims that compete for volumes. A claim leaves a suitable volume to each of them if
 * possible. A claim that found no volume competes again when a suitable volume becomes free. Claims
 * that differ only in size do not compete: the smallest sufficient volume is best for all of them.
 * Not thread-safe: the reservations' lock guards it.
 */
final class ClaimContention {
  // maximum number of steps for one claim: about a sixth of a millisecond
  static final int STEPS = 1_500;

  static final int MAX_CONTENDERS = 400;

  record ContendingClaim(ObjectKey claim, MatchKey key) {}

  private static final class ContenderGroup {
    private final Map<ObjectKey, ContendingClaim> pending = new LinkedHashMap<>();
    private final Map<MatchKey, Integer> demands = new HashMap<>(); // without sizes
    // result of the last search, as a guess for the next
    private Map<ObjectKey, Volume> earmarked = Map.of();

    void add(ContendingClaim contender) {
      if (pending.putIfAbsent(contender.claim(), contender) == null) {
        demands.merge(contender.key().withoutSize(), 1, Integer::sum);
      }
    }

    void remove(ContendingClaim contender) {
      if (pending.remove(contender.claim()) != null) {
        demands.computeIfPresent(
            contender.key().withoutSize(), (demand, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  private final Map<ObjectKey, ContendingClaim> contenders = new HashMap<>();
  private final Map<ExactKey, ContenderGroup> groups = new HashMap<>();
  private final StepCounter stepCounter;

  ClaimContention(StepCounter stepCounter) {
    this.stepCounter = stepCounter;
  }

  void update(Claim claim, MatchKey key) {
    remove(claim.key());
    if (!claim.volumeName().isEmpty()
        || claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)
        || claim.meta().isBeingDeleted()) {
      return;
    }
    contenders.put(claim.key(), new ContendingClaim(claim.key(), key));
    recordFreeVolume(claim.key());
  }

  void recordFreeVolume(ObjectKey claim) {
    ContendingClaim contender = contenders.get(claim);
    if (contender != null) {
      groups
          .computeIfAbsent(ExactKey.of(contender.key()), l -> new ContenderGroup())
          .add(contender);
    }
  }

  void recordNoVolume(ObjectKey claim) {
    ContendingClaim contender = contenders.get(claim);
    if (contender != null) {
      removeFromGroup(contender);
    }
  }

  void remove(ObjectKey claim) {
    ContendingClaim removed = contenders.remove(claim);
    if (removed != null) {
      removeFromGroup(removed);
    }
  }

  private void removeFromGroup(ContendingClaim contender) {
    ExactKey exact = ExactKey.of(contender.key());
    ContenderGroup group = groups.get(exact);
    if (group != null) {
      group.remove(contender);
      if (group.pending.isEmpty()) {
        groups.remove(exact);
      }
    }
  }

  boolean isContested(MatchKey key) {
    ContenderGroup group = groups.get(ExactKey.of(key));
    return group != null
        && (group.demands.size() > 1 || !group.demands.containsKey(key.withoutSize()));
  }

  /**
   * Returns the first suitable volume that leaves a volume for every other claim that could have
   * one; the first of all if there is none, or if the steps are used up.
   *
   * @param first the first suitable volume
   * @param isProvidedFor returns whether a volume is reserved for a claim, which then needs no
   *     other
   */
  Volume findSparingVolume(
      ContendingClaim contender,
      Volume first,
      VolumeIndex index,
      Predicate<ObjectKey> isProvidedFor) {
    ContenderGroup group = groups.get(ExactKey.of(contender.key()));
    VolumeIndex.VolumeBin bin = index.findBin(ExactKey.of(contender.key()));
    if (group == null || bin == null) {
      return first;
    }
    StepBudget steps = stepCounter.createBudget(STEPS);
    VolumeMatching matching =
        new VolumeMatching(
            (key, after) -> new CandidateVolumes(bin, key, key.offeringModeSets(), after, steps),
            steps);
    List<ContendingClaim> others = new ArrayList<>();
    for (ContendingClaim other : group.pending.values()) {
      if (others.size() == MAX_CONTENDERS || !steps.take(1)) {
        break;
      }
      if (!other.claim().equals(contender.claim()) && !isProvidedFor.test(other.claim())) {
        others.add(other);
        Volume earmarkedVolume = group.earmarked.get(other.claim());
        if (earmarkedVolume != null
            && steps.take(other.key().stepsFor(earmarkedVolume))
            && bin.contains(earmarkedVolume)
            && other.key().suits(earmarkedVolume)) {
          matching.earmark(other, earmarkedVolume);
        }
      }
    }
    matching.matchClaims(others);
    Volume sparingVolume = matching.findSparingVolume(contender.key(), first);
    group.earmarked = matching.volumes();
    return sparingVolume;
  }
}
