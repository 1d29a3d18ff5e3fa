package dev.mooring.binder.observe;

import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.MatchKey;
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
 * Claims that are without a volume and could get one: whoever takes one should leave the others
 * theirs. A claim that was judged and got nothing is none of them until a volume comes that suits
 * it. Claims that differ in size alone need no care, the smallest sufficient volume is the best
 * choice for all of them. Not thread-safe: the reservations' lock guards it.
 */
final class Contention {
  /** How much is looked at for one claim's sake: a sixth of a millisecond. */
  static final int STEPS = 1_500;

  /** How many others are thought of, those that came first. */
  static final int MOST = 400;

  /**
   * A claim that wants a volume.
   *
   * @param claim its key
   * @param key what it asks for
   */
  record Contender(ObjectKey claim, MatchKey key) {}

  private static final class Group {
    private final Map<ObjectKey, Contender> open = new LinkedHashMap<>();
    private final Map<MatchKey, Integer> demands = new HashMap<>(); // sizes apart
    // what was found out last time, a good guess for this time
    private Map<ObjectKey, Volume> earmarked = Map.of();

    void open(Contender contender) {
      if (open.putIfAbsent(contender.claim(), contender) == null) {
        demands.merge(contender.key().besidesSize(), 1, Integer::sum);
      }
    }

    void close(Contender contender) {
      if (open.remove(contender.claim()) != null) {
        demands.computeIfPresent(
            contender.key().besidesSize(), (demand, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  private final Map<ObjectKey, Contender> all = new HashMap<>();
  private final Map<ExactKey, Group> groups = new HashMap<>();
  private final StepTotal total;

  Contention(StepTotal total) {
    this.total = total;
  }

  /** The claim as it is now; whether it needs a volume is seen from it. */
  void observed(Claim claim, MatchKey key) {
    remove(claim.key());
    if (!claim.volumeName().isEmpty()
        || claim.meta().has(Marks.BIND_COMPLETED)
        || claim.meta().isBeingDeleted()) {
      return;
    }
    all.put(claim.key(), new Contender(claim.key(), key));
    mayGetOne(claim.key());
  }

  /** A volume came that suits the claim. */
  void mayGetOne(ObjectKey claim) {
    Contender contender = all.get(claim);
    if (contender != null) {
      groups.computeIfAbsent(ExactKey.of(contender.key()), l -> new Group()).open(contender);
    }
  }

  /** It was judged, and no volume is there for it. */
  void gotNone(ObjectKey claim) {
    Contender contender = all.get(claim);
    if (contender != null) {
      close(contender);
    }
  }

  /** It has a volume, or is gone. */
  void remove(ObjectKey claim) {
    Contender before = all.remove(claim);
    if (before != null) {
      close(before);
    }
  }

  private void close(Contender contender) {
    ExactKey exact = ExactKey.of(contender.key());
    Group group = groups.get(exact);
    if (group != null) {
      group.close(contender);
      if (group.open.isEmpty()) {
        groups.remove(exact);
      }
    }
  }

  /** Whether others, who ask for something else than the claim does, would take its volumes. */
  boolean compete(MatchKey key) {
    Group group = groups.get(ExactKey.of(key));
    return group != null
        && (group.demands.size() > 1 || !group.demands.containsKey(key.besidesSize()));
  }

  /**
   * Of the volumes that suit the claim the first that leaves one to everybody else who could have
   * one; the first of all if there is none such, or none is found within the steps.
   *
   * @param first the first that suits
   * @param isProvidedFor whether a volume is reserved for a claim, which needs no other then
   */
  Volume spared(Contender of, Volume first, VolumeIndex index, Predicate<ObjectKey> isProvidedFor) {
    Group group = groups.get(ExactKey.of(of.key()));
    VolumeIndex.Bin bin = index.bin(ExactKey.of(of.key()));
    if (group == null || bin == null) {
      return first;
    }
    Steps steps = total.atMost(STEPS);
    Assignment assignment =
        new Assignment(
            (key, after) -> new Candidates(bin, key, key.offering(), after, steps), steps);
    List<Contender> others = new ArrayList<>();
    for (Contender other : group.open.values()) {
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
