package dev.mooring.binder.state;

import dev.mooring.binder.state.StepBudget.StepCounter;
import dev.mooring.binder.state.WaitingClaims.WaitingPosition;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Offers volumes that became free to pending claims: a few at a time, the largest requests first,
 * and the next claims when these declined. A claim has at most one offer, because its decision
 * considers all free volumes. However many volumes become free at once, it declines once. Not
 * thread-safe: the reservations' lock guards it.
 */
final class VolumeOffers {
  // number of claims that get an offer at once; only one can take the volume
  static final int AT_ONCE = 8;

  static final int STEPS = 250;

  private static final class VolumeOffer {
    private final Volume volume;
    private final Set<ObjectKey> thinking = new HashSet<>();
    // all claims up to this one have got an offer or would decline it
    private @Nullable WaitingPosition last;

    VolumeOffer(Volume volume) {
      this.volume = volume;
    }
  }

  private final WaitingClaims waiting;
  private final ClaimContention contention;
  private final RequeueTarget requeue;
  private final StepCounter total;
  private final Map<String, VolumeOffer> byVolume = new HashMap<>();
  private final Map<ObjectKey, String> byClaim = new HashMap<>();

  VolumeOffers(
      WaitingClaims waiting, ClaimContention contention, RequeueTarget requeue, StepCounter total) {
    this.waiting = waiting;
    this.contention = contention;
    this.requeue = requeue;
    this.total = total;
  }

  void begin(Volume volume) {
    end(volume.meta().name());
    VolumeOffer offer = new VolumeOffer(volume);
    byVolume.put(volume.meta().name(), offer);
    advance(offer);
  }

  void end(String volume) {
    VolumeOffer offer = byVolume.remove(volume);
    if (offer != null) {
      offer.thinking.forEach(byClaim::remove);
    }
  }

  /** Records that the claim was decided about: it got a volume or declined its offer. */
  void decided(ObjectKey claim) {
    String volume = byClaim.remove(claim);
    VolumeOffer offer = volume == null ? null : byVolume.get(volume);
    if (offer != null && offer.thinking.remove(claim)) {
      resume(offer);
    }
  }

  void resume(String volume) {
    VolumeOffer offer = byVolume.get(volume);
    if (offer != null) {
      resume(offer);
    }
  }

  private void resume(VolumeOffer offer) {
    if (offer.thinking.isEmpty()) {
      advance(offer);
    }
  }

  private void advance(VolumeOffer offer) {
    boolean isComplete = offerToNext(offer);
    for (ObjectKey claim : offer.thinking) {
      waiting.asked(claim);
      contention.noteFreeVolume(claim);
      byClaim.put(claim, offer.volume.meta().name());
      requeue.claim(claim);
    }
    if (offer.thinking.isEmpty()) {
      if (isComplete) {
        byVolume.remove(offer.volume.meta().name());
      } else {
        requeue.volume(offer.volume.key()); // continues after other volumes had their turn
      }
    }
  }

  // Adds the next claims that the volume suits; returns whether all claims have been tested.
  private boolean offerToNext(VolumeOffer offer) {
    StepBudget steps = total.atMost(STEPS);
    SortedMerge<WaitingPosition> claims = new SortedMerge<>(Comparator.naturalOrder());
    WaitingPosition from =
        offer.last == null ? WaitingPosition.first(offer.volume.storage()) : offer.last;
    waiting
        .candidateSets(offer.volume, steps)
        .forEach(place -> claims.add(place.tailSet(from, offer.last == null).iterator()));
    steps.keepOne();
    while (offer.thinking.size() < AT_ONCE
        && !claims.isEmpty()
        && steps.take(waiting.steps(claims.peek().claim(), offer.volume))) {
      WaitingPosition next = claims.next();
      offer.last = next;
      if (waiting.suits(next.claim(), offer.volume)) {
        offer.thinking.add(next.claim());
      }
    }
    return claims.isEmpty();
  }
}
