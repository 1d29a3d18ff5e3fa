package dev.mooring.binder.observe;

import dev.mooring.binder.decide.Marks;
import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claims that are without a volume, judged already or not: whoever takes one should leave the
 * others theirs. Claims that differ in size alone need no care, the smallest sufficient volume is
 * the best choice for all of them. Not thread-safe: the ledger's lock guards it.
 */
final class Rivals {
  /** What there is to be had. */
  interface Market {
    /** The free volumes that the claim could be given. */
    Iterator<Volume> suitable(Claim claim);

    /** The same, the best first. */
    Iterator<Volume> inOrder(Claim claim);

    /** Whether the volume, as it is here, is still free. */
    boolean isFree(Volume volume);

    /** Whether a volume is reserved for the claim, which needs no other then. */
    boolean hasReservation(ObjectKey claim);
  }

  /** How many volumes are looked at for one claim's sake: a matter of milliseconds. */
  private static final int PATIENCE = 20_000;

  /** How many others are thought of, those that came first. */
  private static final int MOST = 1_000;

  /** What claims ask for besides size. */
  private record Taste(int accessModes, @Nullable LabelSelector selector) {
    static Taste of(Claim claim) {
      return new Taste(claim.accessModes().mask(), claim.selector());
    }
  }

  private static final class Group {
    private final Map<ObjectKey, Claim> claims = new LinkedHashMap<>();
    private final Map<Taste, Integer> tastes = new HashMap<>();
    // what was found out last time, a good guess for this time
    private Map<ObjectKey, Volume> earmarked = Map.of();
  }

  private final Map<ObjectKey, Claim> all = new HashMap<>();
  private final Map<Likes, Group> groups = new HashMap<>();

  /** The claim as it is now; whether it needs a volume is seen from it. */
  void observed(Claim claim) {
    remove(claim.key());
    if (!claim.volumeName().isEmpty()
        || claim.meta().has(Marks.BIND_COMPLETED)
        || claim.meta().isBeingDeleted()) {
      return;
    }
    all.put(claim.key(), claim);
    Group group = groups.computeIfAbsent(Likes.of(claim), l -> new Group());
    group.claims.put(claim.key(), claim);
    group.tastes.merge(Taste.of(claim), 1, Integer::sum);
  }

  /** It has a volume, or is gone. */
  void remove(ObjectKey key) {
    Claim before = all.remove(key);
    if (before == null) {
      return;
    }
    Likes likes = Likes.of(before);
    Group group = groups.get(likes);
    if (group != null) {
      group.claims.remove(key);
      group.tastes.computeIfPresent(
          Taste.of(before), (taste, count) -> count == 1 ? null : count - 1);
      if (group.claims.isEmpty()) {
        groups.remove(likes);
      }
    }
  }

  /** Whether others, who ask for something else than the claim does, would take its volumes. */
  boolean compete(Claim claim) {
    Group group = groups.get(Likes.of(claim));
    if (group == null) {
      return false;
    }
    return group.tastes.size() > 1 || !group.tastes.containsKey(Taste.of(claim));
  }

  /**
   * Of the volumes that suit the claim the first that leaves one to everybody else who could have
   * one; the first of all if there is none such.
   */
  Optional<Volume> spared(Claim claim, Market market) {
    Group group = groups.get(Likes.of(claim));
    Iterator<Volume> inOrder = market.inOrder(claim);
    if (group == null || !inOrder.hasNext()) {
      return inOrder.hasNext() ? Optional.of(inOrder.next()) : Optional.empty();
    }
    Assignment assignment = new Assignment(market::suitable, PATIENCE);
    group.earmarked.forEach((key, volume) -> {
      Claim rival = group.claims.get(key);
      if (rival != null
          && isRival(rival, claim, market)
          && market.isFree(volume)
          && Likes.suits(rival, volume)) {
        assignment.earmark(rival, volume);
      }
    });
    assignment.place(
        group.claims.values().stream()
            .filter(other -> isRival(other, claim, market))
            .limit(MOST)
            .toList());
    Optional<Volume> spared = assignment.spared(inOrder);
    group.earmarked = assignment.volumes();
    return spared;
  }

  private static boolean isRival(Claim other, Claim claim, Market market) {
    return !other.key().equals(claim.key()) && !market.hasReservation(other.key());
  }
}
