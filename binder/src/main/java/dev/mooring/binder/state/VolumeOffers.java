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
 * Offers volumes that became free to pending claims: to a few at a time, the largest requests
 * first. When these claims decline, the next ones get the offer. A claim has at most one offer,
 * because its decision considers all free volumes. Not thread-safe: the reservations' lock guards
 * it.
 */
final class VolumeOffers {
  // number of claims that get an offer at once; only one can take the volume
  static final int MAX_OPEN_OFFERS = 8;

  static final int STEPS = 250;

  private static final class VolumeOffer {
    private final Volume volume;
    private final Set<ObjectKey> undecidedClaims = new HashSet<>();
    // all claims up to this one have got an offer or would decline it
    private @Nullable WaitingPosition last;

    VolumeOffer(Volume volume) {
      this.volume = volume;
    }
  }

  private final WaitingClaims waitingClaims;
  private final ClaimContention contention;
  private final RequeueTarget queues;
  private final StepCounter stepCounter;
  private final Map<String, VolumeOffer> offerByVolume = new HashMap<>();
  private final Map<ObjectKey, String> volumeByClaim = new HashMap<>();

  VolumeOffers(
      WaitingClaims waitingClaims,
      ClaimContention contention,
      RequeueTarget queues,
      StepCounter stepCounter) {
    this.waitingClaims = waitingClaims;
    this.contention = contention;
    this.queues = queues;
    this.stepCounter = stepCounter;
  }

  void startOffer(Volume volume) {
    endOffer(volume.meta().name());
    VolumeOffer offer = new VolumeOffer(volume);
    offerByVolume.put(volume.meta().name(), offer);
    offerToNextClaims(offer);
  }

  void endOffer(String volume) {
    VolumeOffer offer = offerByVolume.remove(volume);
    if (offer != null) {
      offer.undecidedClaims.forEach(volumeByClaim::remove);
    }
  }

  /** Records that the claim was decided about: it got a volume or declined its offer. */
  void recordDecision(ObjectKey claim) {
    String volume = volumeByClaim.remove(claim);
    VolumeOffer offer = volume == null ? null : offerByVolume.get(volume);
    if (offer != null && offer.undecidedClaims.remove(claim)) {
      resumeOffer(offer);
    }
  }

  void resumeOffer(String volume) {
    VolumeOffer offer = offerByVolume.get(volume);
    if (offer != null) {
      resumeOffer(offer);
    }
  }

  private void resumeOffer(VolumeOffer offer) {
    if (offer.undecidedClaims.isEmpty()) {
      offerToNextClaims(offer);
    }
  }

  private void offerToNextClaims(VolumeOffer offer) {
    boolean isComplete = addNextClaims(offer);
    for (ObjectKey claim : offer.undecidedClaims) {
      waitingClaims.stopOffering(claim);
      contention.recordFreeVolume(claim);
      volumeByClaim.put(claim, offer.volume.meta().name());
      queues.requeueClaim(claim);
    }
    if (offer.undecidedClaims.isEmpty()) {
      if (isComplete) {
        offerByVolume.remove(offer.volume.meta().name());
      } else {
        queues.requeueVolume(offer.volume.key()); // continues after other volumes had their turn
      }
    }
  }

  // Adds the next claims that the volume suits; returns whether all claims have been tested.
  private boolean addNextClaims(VolumeOffer offer) {
    StepBudget steps = stepCounter.createBudget(STEPS);
    SortedMerge<WaitingPosition> claims = new SortedMerge<>(Comparator.naturalOrder());
    WaitingPosition start =
        offer.last == null ? WaitingPosition.first(offer.volume.storage()) : offer.last;
    waitingClaims
        .candidateSets(offer.volume, steps)
        .forEach(
            candidateSet -> claims.add(candidateSet.tailSet(start, offer.last == null).iterator()));
    steps.ensureOneStep();
    while (offer.undecidedClaims.size() < MAX_OPEN_OFFERS
        && !claims.isEmpty()
        && steps.take(waitingClaims.steps(claims.peek().claim(), offer.volume))) {
      WaitingPosition next = claims.next();
      offer.last = next;
      if (waitingClaims.suits(next.claim(), offer.volume)) {
        offer.undecidedClaims.add(next.claim());
      }
    }
    return claims.isEmpty();
  }
}
