package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.state.StepBudget.StepCounter;
import dev.mooring.informer.Change;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reservations of volumes. It keeps the index for matching, and reserves a volume together with the
 * decision for it, under one lock: two concurrent decisions never get the same volume. A worker
 * that writes to a volume reserves it, so that claim and volume workers do not conflict.
 * Thread-safe.
 *
 * <p>Guarantees: <b>L1</b> a volume has at most one reservation; <b>L2</b> a volume that is
 * reserved for a claim is offered to no other; <b>L3</b> a claim that found its volume reserved is
 * requeued when the reservation ends.
 */
public final class VolumeReservations {
  public sealed interface Handed {
    record Decided(ClaimDecision decision) implements Handed {}

    /** Another worker is writing the volume; the claim will be requeued. */
    record Busy() implements Handed {}
  }

  private static final int SAMPLE = 500;

  private final BinderPolicy policy;
  private final RequeueTarget requeue;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Volume> byName = new HashMap<>();
  private final VolumeIndex free = new VolumeIndex();
  private final Map<ObjectKey, TreeMap<VolumePosition, Volume>> reserved = new HashMap<>();
  private final WriteReservations writes = new WriteReservations();
  private final WaitingClaims waiting = new WaitingClaims();
  private final StepCounter total = new StepCounter();
  private final DeferredRequeue due = new DeferredRequeue();
  private final ClaimContention contention = new ClaimContention(total);
  private final VolumeOffers offers = new VolumeOffers(waiting, contention, due, total);
  private final ClaimSearches searches = new ClaimSearches(free, ClaimSearches.STEPS, total);
  private final MatchKeys keys;

  public VolumeReservations(RequeueTarget requeue, BinderPolicy policy) {
    this.policy = policy;
    this.requeue = requeue;
    this.keys = new MatchKeys(policy);
  }

  private <T> T locked(Supplier<T> action) {
    Runnable requeues = () -> {};
    lock.lock();
    try {
      T result = action.get();
      requeues = due.drainTo(requeue);
      return result;
    } finally {
      lock.unlock();
      requeues.run();
    }
  }

  private void change(Runnable change) {
    locked(() -> {
      change.run();
      return true;
    });
  }

  public void observed(Change<Volume> change) {
    change(() -> {
      Volume before = byName.remove(change.key().name());
      if (before != null) {
        unreserve(before);
      }
      switch (change) {
        case Change.Added<Volume>(Volume now) -> addToIndex(before, now);
        case Change.Updated<Volume>(Volume old, Volume now) -> {
          addToIndex(before, now);
          if (old.claimRef() != null && !old.claimRef().equals(now.claimRef())) {
            due.claim(old.claimRef().claim()); // this claim has lost the volume or a reservation
          }
        }
        case Change.Deleted<Volume>(Volume last) -> {
          removeFromIndex(before);
          if (last.claimRef() != null) {
            due.claim(last.claimRef().claim());
          }
        }
      }
    });
  }

  private void addToIndex(@Nullable Volume before, Volume now) {
    byName.put(now.meta().name(), now);
    ClaimRef holder = holder(now);
    if (holder != null) {
      reserved
          .computeIfAbsent(holder.claim(), k -> new TreeMap<>())
          .put(VolumePosition.of(now), now);
      if (waiting.contains(holder.claim())) {
        due.claim(holder.claim());
      }
    }
    if (before == null || !isFree(now) || !free.replace(before, now)) {
      removeFromIndex(before);
      offerIfFree(now);
    }
    waiting.claimsNaming(now.meta().name()).forEach(due::claim);
  }

  private void removeFromIndex(@Nullable Volume before) {
    if (before != null) {
      free.remove(before);
      offers.end(before.meta().name());
    }
  }

  private void offerIfFree(Volume now) {
    if (isFree(now) && !writes.isForClaim(now.meta().name())) {
      free.add(now);
      offers.begin(now);
    }
  }

  private @Nullable ClaimRef holder(Volume volume) {
    return policy.availability().holder(volume);
  }

  private boolean isFree(Volume volume) {
    return policy.availability().isFree(volume);
  }

  private void unreserve(Volume volume) {
    ClaimRef holder = holder(volume);
    TreeMap<VolumePosition, Volume> present = holder == null ? null : reserved.get(holder.claim());
    if (holder != null && present != null) {
      present.remove(VolumePosition.of(volume));
      if (present.isEmpty()) {
        reserved.remove(holder.claim());
      }
    }
  }

  /**
   * Decides for a claim and reserves the volume of a binding in one step (L2). Files a pending
   * claim under what can end its waiting.
   */
  public Step<Handed> decide(Claim claim, Function<VolumeCatalogue, Step<ClaimDecision>> decider) {
    MatchKey key = keys.of(claim);
    return locked(() -> {
      ClaimCatalogue catalogue = new ClaimCatalogue(claim.key(), key);
      Step<Handed> step = decider.apply(catalogue).map(decision -> reserved(claim.key(), decision));
      switch (step) {
        case Step.Decided<Handed>(Handed.Busy()),
            Step.Decided<Handed>(Handed.Decided(ClaimDecision.ContinueSearch())) -> {}
        case Step.Decided<Handed>(Handed.Decided(ClaimDecision.Bind _)) ->
            offers.decided(claim.key());
        case Step.Decided<Handed>(Handed.Decided(_)) -> {
          waiting.put(claim, key, catalogue.searched);
          contention.noteNoVolume(claim.key());
          offers.decided(claim.key());
        }
        case Step.Ask<Handed> _ -> { // the claim is decided again immediately
          waiting.put(claim, key, catalogue.searched);
          offers.decided(claim.key());
        }
      }
      return step;
    });
  }

  /**
   * Returns the decision of {@link #decide} without side effects: no claim is filed and no volume
   * is reserved.
   */
  public Step<ClaimDecision> look(
      Claim claim, Function<VolumeCatalogue, Step<ClaimDecision>> decider) {
    MatchKey key = keys.of(claim);
    return locked(() -> {
      Step<ClaimDecision> step = decider.apply(new ClaimCatalogue(claim.key(), key));
      if (step instanceof Step.Decided<ClaimDecision>(ClaimDecision decision)
          && !(decision instanceof ClaimDecision.ContinueSearch)) {
        searches.forget(claim.key());
      }
      return step;
    });
  }

  private Handed reserved(ObjectKey claim, ClaimDecision decision) {
    if (decision instanceof ClaimDecision.Bind(Volume volume)) {
      String name = volume.meta().name();
      if (!writes.reserveForClaim(name, claim)) {
        return new Handed.Busy();
      }
      removeFromIndex(byName.get(name));
      forget(claim);
    }
    return new Handed.Decided(decision);
  }

  private void forget(ObjectKey claim) {
    waiting.remove(claim);
    contention.remove(claim);
    searches.forget(claim);
  }

  /**
   * Ends the reservation after a binding, successful or not: the volume is available again (L3) and
   * requeued.
   */
  public void release(String volume) {
    change(() -> {
      writes.endForClaim(volume).forEach(due::claim);
      due.volume(ObjectKey.cluster(volume));
      Volume now = byName.get(volume);
      if (now != null) {
        offerIfFree(now);
      }
    });
  }

  /**
   * Continues the search for claims that would take the volume, if that exceeded the steps of one
   * call. Every sync of a volume calls it.
   */
  public void offerOn(String volume) {
    change(() -> offers.resume(volume));
  }

  /**
   * Reserves a volume to write to it; false if a claim is being bound to it, whose end requeues the
   * volume.
   */
  public boolean reserveForWrite(String volume) {
    return locked(() -> writes.reserve(volume));
  }

  public void endWrite(String volume) {
    change(() -> writes.end(volume).forEach(due::claim));
  }

  public long steps() {
    return locked(total::steps);
  }

  public List<Volume> sample() {
    return locked(() -> byName.values().stream().limit(SAMPLE).toList());
  }

  public void observedClaim(Claim claim) {
    MatchKey key = keys.observed(claim);
    if (policy.order().sparesOthers()) {
      change(() -> contention.observed(claim, key));
    }
  }

  /** Handles a deleted claim. Returns the volumes that name it, which must be requeued. */
  public List<ObjectKey> claimGone(ObjectKey claim) {
    keys.remove(claim);
    return locked(() -> {
      forget(claim);
      offers.decided(claim);
      return keysOf(reservedFor(claim));
    });
  }

  public List<ObjectKey> volumesOf(ObjectKey claim) {
    return locked(() -> keysOf(reservedFor(claim)));
  }

  private Collection<Volume> reservedFor(ObjectKey claim) {
    TreeMap<VolumePosition, Volume> present = reserved.get(claim);
    return present == null ? List.of() : present.values();
  }

  private static List<ObjectKey> keysOf(Collection<Volume> volumes) {
    return volumes.stream().map(Volume::key).toList();
  }

  public boolean isWaiting(ObjectKey claim) {
    return locked(() -> waiting.contains(claim));
  }

  public List<ObjectKey> waitingForClass(String className) {
    return locked(() -> waiting.claimsOfClass(className));
  }

  // Volumes from the point of view of one claim; used only under the lock.
  private final class ClaimCatalogue implements VolumeCatalogue {
    private final ObjectKey claim;
    private final MatchKey key;
    private boolean searched;

    ClaimCatalogue(ObjectKey claim, MatchKey key) {
      this.claim = claim;
      this.key = key;
    }

    @Override
    public Optional<Volume> find(String name) {
      return Optional.ofNullable(byName.get(name));
    }

    @Override
    public Iterable<Volume> reservedFor(ObjectKey claim) {
      return VolumeReservations.this.reservedFor(claim);
    }

    @Override
    public SearchResult search(Claim claim, List<List<Integer>> tiers) {
      searched = true;
      return searches.search(claim, key, tiers);
    }

    @Override
    public boolean isContested(Claim claim) {
      return contention.compete(key);
    }

    @Override
    public Volume spared(Claim claim, Volume first) {
      return contention.spared(
          new ClaimContention.ContendingClaim(this.claim, key), first, free, reserved::containsKey);
    }
  }
}
