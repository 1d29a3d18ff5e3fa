package dev.mooring.binder.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims that wait, filed by what could end their waiting. Not thread-safe: the ledger's lock
 * guards it.
 */
public final class WaitingClaims {
  /**
   * What a claim would take.
   *
   * @param claim its key
   * @param wanted the claim
   */
  public record Wish(ObjectKey claim, Claim wanted) {}

  /**
   * How many claims one volume wakes: only one can have it, the others are there in case its wish
   * has changed.
   */
  private static final int WOKEN = 8;

  private final Map<ObjectKey, Wish> all = new HashMap<>();
  private final Map<Likes, Map<ObjectKey, Wish>> byLikes = new HashMap<>();
  private final Map<String, Set<ObjectKey>> byVolumeName = new HashMap<>();

  WaitingClaims() {}

  void put(Wish wish) {
    remove(wish.claim());
    all.put(wish.claim(), wish);
    byLikes
        .computeIfAbsent(Likes.of(wish.wanted()), l -> new LinkedHashMap<>())
        .put(wish.claim(), wish);
    if (!wish.wanted().volumeName().isEmpty()) {
      byVolumeName
          .computeIfAbsent(wish.wanted().volumeName(), n -> new HashSet<>())
          .add(wish.claim());
    }
  }

  void remove(ObjectKey claim) {
    Wish wish = all.remove(claim);
    if (wish == null) {
      return;
    }
    Likes likes = Likes.of(wish.wanted());
    Map<ObjectKey, Wish> same = byLikes.get(likes);
    if (same != null) {
      same.remove(claim);
      if (same.isEmpty()) {
        byLikes.remove(likes);
      }
    }
    Set<ObjectKey> namesakes = byVolumeName.get(wish.wanted().volumeName());
    if (namesakes != null) {
      namesakes.remove(claim);
      if (namesakes.isEmpty()) {
        byVolumeName.remove(wish.wanted().volumeName());
      }
    }
  }

  boolean contains(ObjectKey claim) {
    return all.containsKey(claim);
  }

  /** The claims that name that volume. */
  List<ObjectKey> thatName(String volume) {
    Set<ObjectKey> found = byVolumeName.get(volume);
    return found == null ? List.of() : List.copyOf(found);
  }

  /**
   * The claims that a free volume suits best: those that need most of it first, then the oldest.
   */
  List<ObjectKey> thatWouldTake(Volume volume) {
    Map<ObjectKey, Wish> candidates = byLikes.get(Likes.of(volume));
    if (candidates == null) {
      return List.of();
    }
    List<Wish> fitting = new ArrayList<>();
    for (Wish wish : candidates.values()) {
      Claim claim = wish.wanted();
      if (claim.volumeName().isEmpty() && Likes.suits(claim, volume)) {
        fitting.add(wish);
      }
    }
    Comparator<Wish> order =
        Comparator.<Wish, dev.mooring.model.Quantity>comparing(w -> w.wanted().request())
            .reversed();
    return fitting.stream()
        .sorted(order.thenComparing(w -> w.wanted().meta().created()).thenComparing(Wish::claim))
        .limit(WOKEN)
        .map(Wish::claim)
        .toList();
  }

  /** The claims of that class, and those that name none. */
  List<ObjectKey> ofClass(String className) {
    return all.values().stream()
        .filter(w -> w.wanted().storageClass() == null || w.wanted().className().equals(className))
        .map(Wish::claim)
        .toList();
  }
}
