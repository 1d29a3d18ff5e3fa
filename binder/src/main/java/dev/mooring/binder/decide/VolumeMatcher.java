package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCatalogue.Shelf;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Volume;
import java.util.Iterator;
import java.util.Optional;

/** Finds the volume for a claim that takes any. */
public final class VolumeMatcher {
  /** Sets of access modes, fewest modes first: the order in which Kubernetes searches them. */
  private static final int[] NARROW_FIRST = {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};

  private VolumeMatcher() {}

  /**
   * The best volume: one that is reserved for the claim, else the smallest sufficient free one over
   * all sets of access modes; the oldest of equals, then the first by name. Kubernetes' own way
   * searches set by set and takes the first that has any.
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
    Volume best = null;
    for (int modes = 0; modes < AccessModes.MASKS; modes++) {
      if ((modes & claim.accessModes().mask()) == claim.accessModes().mask()) {
        Optional<Volume> candidate = firstFree(claim, modes, volumes);
        if (candidate.isPresent() && (best == null || isBetter(candidate.get(), best))) {
          best = candidate.get();
        }
      }
    }
    return Optional.ofNullable(best);
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
    Iterator<Volume> free =
        volumes.free(
            new Shelf(claim.className(), claim.volumeMode(), claim.attributesClass(), modes),
            claim.request());
    LabelSelector selector = claim.selector();
    while (free.hasNext()) {
      Volume volume = free.next();
      if (selector == null || selector.matches(volume.meta().labels())) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  private static boolean isBetter(Volume a, Volume b) {
    int bySize = a.storage().compareTo(b.storage());
    if (bySize != 0) {
      return bySize < 0;
    }
    int byAge = Long.compare(a.meta().created(), b.meta().created());
    return byAge != 0 ? byAge < 0 : a.meta().name().compareTo(b.meta().name()) < 0;
  }
}
