package dev.mooring.binder.observe;

import dev.mooring.binder.observe.WaitingClaims.Waiter;
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
 * Volumes that came free, and whom of those that wait they are offered to: a few at a time, those
 * that need most of it first, and the next when none of these took it. A claim thinks of one offer
 * at a time, for it looks at all free volumes then: however many come at once, what it does not
 * take is one. Not thread-safe: the reservations' lock guards it.
 */
final class Offers {
  /** How many claims a volume is offered to at once: only one can have it. */
  static final int AT_ONCE = 8;

  /** How many claims are looked at in one go. */
  static final int STEPS = 250;

  private static final class Offer {
    private final Volume volume;
    private final Set<ObjectKey> thinking = new HashSet<>();
    private @Nullable Waiter last; // everybody up to here was asked, or does not want it

    Offer(Volume volume) {
      this.volume = volume;
    }
  }

  /**
   * Who is to be looked at.
   *
   * @param claims that are offered a volume
   * @param volumes for which takers are still to be looked for: see {@link #goOn}
   */
  record Wakes(List<ObjectKey> claims, List<ObjectKey> volumes) {
    static Wakes none() {
      return new Wakes(new ArrayList<>(), new ArrayList<>());
    }
  }

  private record Head(Waiter waiter, Iterator<Waiter> rest) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      return waiter.compareTo(other.waiter);
    }
  }

  private final WaitingClaims waiting;
  private final Map<String, Offer> byVolume = new HashMap<>();
  private final Map<ObjectKey, String> byClaim = new HashMap<>();
  private final StepTotal total;

  Offers(WaitingClaims waiting, StepTotal total) {
    this.waiting = waiting;
    this.total = total;
  }

  /** A volume came free. */
  void begin(Volume volume, Wakes wakes) {
    end(volume.meta().name());
    Offer offer = new Offer(volume);
    byVolume.put(volume.meta().name(), offer);
    advance(offer, wakes);
  }

  /** The volume is taken, or is not what it was. */
  void end(String volume) {
    Offer offer = byVolume.remove(volume);
    if (offer != null) {
      offer.thinking.forEach(byClaim::remove);
    }
  }

  /** The claim did not take what it was offered: the next are asked. */
  void declined(ObjectKey claim, Wakes wakes) {
    String volume = byClaim.remove(claim);
    Offer offer = volume == null ? null : byVolume.get(volume);
    if (volume != null && offer != null && offer.thinking.remove(claim)) {
      goOn(volume, wakes);
    }
  }

  /** Goes on to look for takers where that stopped, unless somebody is asked already. */
  void goOn(String volume, Wakes wakes) {
    Offer offer = byVolume.get(volume);
    if (offer != null && offer.thinking.isEmpty()) {
      advance(offer, wakes);
    }
  }

  private void advance(Offer offer, Wakes wakes) {
    Steps steps = total.atMost(STEPS);
    PriorityQueue<Head> heads = new PriorityQueue<>();
    Waiter from = offer.last == null ? Waiter.first(offer.volume.storage()) : offer.last;
    waiting
        .places(offer.volume, steps)
        .forEach(place -> push(heads, place.tailSet(from, offer.last == null).iterator()));
    steps.keepOne();
    while (offer.thinking.size() < AT_ONCE
        && !heads.isEmpty()
        && steps.take(waiting.steps(heads.element().waiter().claim(), offer.volume))) {
      Head head = heads.remove();
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
      wakes.claims().add(claim);
    }
    if (offer.thinking.isEmpty()) {
      if (heads.isEmpty()) {
        byVolume.remove(offer.volume.meta().name());
      } else {
        wakes.volumes().add(offer.volume.key()); // others first, then this goes on
      }
    }
  }

  private static void push(PriorityQueue<Head> heads, Iterator<Waiter> place) {
    if (place.hasNext()) {
      heads.add(new Head(place.next(), place));
    }
  }
}
