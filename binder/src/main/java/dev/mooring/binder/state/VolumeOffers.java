package dev.mooring.binder.state;

import dev.mooring.binder.state.WaitingClaims.WaitingPosition;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Offers volumes that became free to pending claims: a few at a time, the largest requests first,
 * and the next claims when these declined. A claim has at most one offer, because its decision
 * considers all free volumes. However many volumes become free at once, it declines once. Not
 * thread-safe: the reservations' lock guards it.
 */
final class VolumeOffers {
  /** Number of claims that get an offer at once; only one can take the volume. */
  static final int AT_ONCE = 8;

  static final int STEPS = 250;

  private static final class VolumeOffer {
    private final Volume volume;
    private final Set<ObjectKey> thinking = new HashSet<>();
    private @Nullable WaitingPosition
        last; // all claims up to this one have got an offer or would decline it

    VolumeOffer(Volume volume) {
      this.volume = volume;
    }
  }

  record RequeueLists(List<ObjectKey> claims, List<ObjectKey> volumes) {
    static RequeueLists none() {
      return new RequeueLists(new ArrayList<>(), new ArrayList<>());
    }
  }

  private record NextTaker(WaitingPosition waiter, Iterator<WaitingPosition> rest)
      implements Comparable<NextTaker> {
    @Override
    public int compareTo(NextTaker other) {
      return waiter.compareTo(other.waiter);
    }
  }

  private final WaitingClaims waiting;
  private final Map<String, VolumeOffer> byVolume = new HashMap<>();
  private final Map<ObjectKey, String> byClaim = new HashMap<>();
  private final StepCounter total;

  VolumeOffers(WaitingClaims waiting, StepCounter total) {
    this.waiting = waiting;
    this.total = total;
  }

  void begin(Volume volume, RequeueLists requeues) {
    end(volume.meta().name());
    VolumeOffer offer = new VolumeOffer(volume);
    byVolume.put(volume.meta().name(), offer);
    advance(offer, requeues);
  }

  void end(String volume) {
    VolumeOffer offer = byVolume.remove(volume);
    if (offer != null) {
      offer.thinking.forEach(byClaim::remove);
    }
  }

  void declined(ObjectKey claim, RequeueLists requeues) {
    String volume = byClaim.remove(claim);
    VolumeOffer offer = volume == null ? null : byVolume.get(volume);
    if (volume != null && offer != null && offer.thinking.remove(claim)) {
      resume(volume, requeues);
    }
  }

  void resume(String volume, RequeueLists requeues) {
    VolumeOffer offer = byVolume.get(volume);
    if (offer != null && offer.thinking.isEmpty()) {
      advance(offer, requeues);
    }
  }

  private void advance(VolumeOffer offer, RequeueLists requeues) {
    StepBudget steps = total.atMost(STEPS);
    PriorityQueue<NextTaker> heads = new PriorityQueue<>();
    WaitingPosition from =
        offer.last == null ? WaitingPosition.first(offer.volume.storage()) : offer.last;
    waiting
        .candidateSets(offer.volume, steps)
        .forEach(place -> push(heads, place.tailSet(from, offer.last == null).iterator()));
    steps.keepOne();
    while (offer.thinking.size() < AT_ONCE
        && !heads.isEmpty()
        && steps.take(waiting.steps(heads.element().waiter().claim(), offer.volume))) {
      NextTaker head = heads.remove();
      push(heads, head.rest());
      offer.last = head.waiter();
      ObjectKey claim = head.waiter().claim();
      if (waiting.suits(claim, offer.volume)) {
        offer.thinking.add(claim);
      }
    }
    for (ObjectKey claim : offer.thinking) {
      waiting.asked(claim);
      byClaim.put(claim, offer.volume.meta().name());
      requeues.claims().add(claim);
    }
    if (offer.thinking.isEmpty()) {
      if (heads.isEmpty()) {
        byVolume.remove(offer.volume.meta().name());
      } else {
        requeues.volumes().add(offer.volume.key()); // continues after other volumes had their turn
      }
    }
  }

  private static void push(PriorityQueue<NextTaker> heads, Iterator<WaitingPosition> place) {
    if (place.hasNext()) {
      heads.add(new NextTaker(place.next(), place));
    }
  }
}
