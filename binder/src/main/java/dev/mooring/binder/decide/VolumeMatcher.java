package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCatalogue.Shelf;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Finds the volume for a claim that takes any. */
public final class VolumeMatcher {
  /** Sets of access modes, fewest modes first: the order in which Kubernetes searches them. */
  private static final int[] NARROW_FIRST = {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};

  private static final Comparator<Volume> BEST_FIRST =
      Comparator.comparing(Volume::storage)
          .thenComparingLong(v -> v.meta().created())
          .thenComparing(v -> v.meta().name());

  /** The next volume of a shelf, and those behind it. */
  private record Head(Volume volume, Iterator<Volume> rest) {}

  private VolumeMatcher() {}

  /**
   * The best volume: one that is reserved for the claim, else the smallest sufficient free one over
   * all sets of access modes; the oldest of equals, then the first by name. Where other claims wait
   * that could get no other volume, the claim takes the next one that suits it, if there is one.
   * Kubernetes' own way searches set by set and takes the first that has any.
   */
  public static Optional<Volume> best(ClaimView view, VolumeCatalogue volumes, Policy policy) {
    return policy.kubernetes() ? narrowestSetFirst(view, volumes) : smallest(view, volumes);
  }

  private static Optional<Volume> smallest(ClaimView view, VolumeCatalogue volumes) {
    Claim claim = view.claim();
    for (Volume volume : volumes.reservedFor(claim.key())) {
      if (isReserved(volume, claim) && Fit.misfitOfReserved(claim, volume).isEmpty()) {
        return Optional.of(volume);
      }
    }
    if (view.isDelayed()) {
      return Optional.empty();
    }
    if (volumes.isContested(claim)) {
      return volumes.spared(claim);
    }
    Iterator<Volume> suitable = inOrder(claim, volumes);
    return suitable.hasNext() ? Optional.of(suitable.next()) : Optional.empty();
  }

  /**
   * The free volumes that the claim could be given, whatever other claims want: the smallest first
   * over all sets of access modes, the oldest of equals, then by name.
   */
  public static Iterator<Volume> inOrder(Claim claim, VolumeCatalogue volumes) {
    PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::volume, BEST_FIRST));
    for (int modes = 0; modes < AccessModes.MASKS; modes++) {
      if ((modes & claim.accessModes().mask()) == claim.accessModes().mask()) {
        advance(free(claim, modes, volumes), claim.selector(), heads);
      }
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !heads.isEmpty();
      }

      @Override
      public Volume next() {
        Head head = heads.remove();
        advance(head.rest(), claim.selector(), heads);
        return head.volume();
      }
    };
  }

  /** Puts the next volume of a shelf among the heads, if there is one. */
  private static void advance(
      Iterator<Volume> shelf, @Nullable LabelSelector selector, PriorityQueue<Head> heads) {
    next(shelf, selector).ifPresent(volume -> heads.add(new Head(volume, shelf)));
  }

  private static Optional<Volume> next(Iterator<Volume> shelf, @Nullable LabelSelector selector) {
    while (shelf.hasNext()) {
      Volume volume = shelf.next();
      if (selector == null || selector.matches(volume.meta().labels())) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  private static Optional<Volume> narrowestSetFirst(ClaimView view, VolumeCatalogue volumes) {
    Claim claim = view.claim();
    for (int modes : NARROW_FIRST) {
      if ((modes & claim.accessModes().mask()) != claim.accessModes().mask()) {
        continue;
      }
      for (Volume volume : volumes.reservedFor(claim.key())) {
        if (volume.accessModes().mask() == modes
            && isReserved(volume, claim)
            && Fit.misfitOfReserved(claim, volume).isEmpty()) {
          return Optional.of(volume);
        }
      }
      if (!view.isDelayed()) {
        Optional<Volume> candidate = firstFree(claim, modes, volumes);
        if (candidate.isPresent()) {
          return candidate;
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isReserved(Volume volume, Claim claim) {
    return volume.claimRef() != null && volume.claimRef().isFor(claim.key(), claim.meta().uid());
  }

  private static Optional<Volume> firstFree(Claim claim, int modes, VolumeCatalogue volumes) {
    return next(free(claim, modes, volumes), claim.selector());
  }

  private static Iterator<Volume> free(Claim claim, int modes, VolumeCatalogue volumes) {
    return volumes.free(
        new Shelf(claim.className(), claim.volumeMode(), claim.attributesClass(), modes),
        claim.request());
  }
}
