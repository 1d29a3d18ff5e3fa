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
  public sealed interface ReservationResult {
    record Decided(ClaimDecision decision) implements ReservationResult {}

    /** Another worker is writing the volume; the claim will be requeued. */
    record Busy() implements ReservationResult {}
  }

  private static final int SAMPLE_SIZE = 500;

  private final BinderPolicy policy;
  private final RequeueTarget queues;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Volume> byName = new HashMap<>();
  private final VolumeIndex freeVolumes = new VolumeIndex();
  private final Map<ObjectKey, TreeMap<VolumePosition, Volume>> reservedByClaim = new HashMap<>();
  private final WriteReservations writeReservations = new WriteReservations();
  private final WaitingClaims waitingClaims = new WaitingClaims();
  private final StepCounter stepCounter = new StepCounter();
  private final DeferredRequeue deferredRequeue = new DeferredRequeue();
  private final ClaimContention contention = new ClaimContention(stepCounter);
  private final VolumeOffers offers =
      new VolumeOffers(waitingClaims, contention, deferredRequeue, stepCounter);
  private final ClaimSearches searches =
      new ClaimSearches(freeVolumes, ClaimSearches.STEPS, stepCounter);
  private final MatchKeys keys;

  public VolumeReservations(RequeueTarget queues, BinderPolicy policy) {
    this.policy = policy;
    this.queues = queues;
    this.keys = new MatchKeys(policy);
  }

  private <T> T callLocked(Supplier<T> action) {
    Runnable requeueTask = () -> {};
    lock.lock();
    try {
      T result = action.get();
      requeueTask = deferredRequeue.drainTo(queues);
      return result;
    } finally {
      lock.unlock();
      requeueTask.run();
    }
  }

  private void runLocked(Runnable action) {
    callLocked(() -> {
      action.run();
      return true;
    });
  }

  public void volumeChanged(Change<Volume> change) {
    runLocked(() -> {
      Volume removed = byName.remove(change.key().name());
      if (removed != null) {
        unreserve(removed);
      }
      switch (change) {
        case Change.Added<Volume>(Volume current) -> addToIndex(removed, current);
        case Change.Updated<Volume>(Volume old, Volume current) -> {
          addToIndex(removed, current);
          if (old.claimRef() != null && !old.claimRef().equals(current.claimRef())) {
            deferredRequeue.requeueClaim(
                old.claimRef().claim()); // this claim has lost the volume or a reservation
          }
        }
        case Change.Deleted<Volume>(Volume last, _) -> {
          removeFromIndex(removed);
          if (last.claimRef() != null) {
            deferredRequeue.requeueClaim(last.claimRef().claim());
          }
        }
      }
    });
  }

  private void addToIndex(@Nullable Volume old, Volume current) {
    byName.put(current.meta().name(), current);
    ClaimRef holder = holder(current);
    if (holder != null) {
      reservedByClaim
          .computeIfAbsent(holder.claim(), k -> new TreeMap<>())
          .put(VolumePosition.of(current), current);
      if (waitingClaims.contains(holder.claim())) {
        deferredRequeue.requeueClaim(holder.claim());
      }
    }
    if (old == null || !isFree(current) || !freeVolumes.replace(old, current)) {
      removeFromIndex(old);
      offerIfFree(current);
    }
    waitingClaims.claimsNaming(current.meta().name()).forEach(deferredRequeue::requeueClaim);
  }

  private void removeFromIndex(@Nullable Volume old) {
    if (old != null) {
      freeVolumes.remove(old);
      offers.endOffer(old.meta().name());
    }
  }

  private void offerIfFree(Volume current) {
    if (isFree(current) && !writeReservations.isForClaim(current.meta().name())) {
      freeVolumes.add(current);
      offers.startOffer(current);
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
    TreeMap<VolumePosition, Volume> volumes =
        holder == null ? null : reservedByClaim.get(holder.claim());
    if (holder != null && volumes != null) {
      volumes.remove(VolumePosition.of(volume));
      if (volumes.isEmpty()) {
        reservedByClaim.remove(holder.claim());
      }
    }
  }

  /**
   * Decides for a claim and reserves the volume of a binding in one step (L2). Indexes a pending
   * claim by the changes that can end its wait.
   */
  public Step<ReservationResult> decide(
      Claim claim, Function<VolumeCatalogue, Step<ClaimDecision>> decider) {
    MatchKey key = keys.of(claim);
    return callLocked(() -> {
      ClaimCatalogue catalogue = new ClaimCatalogue(claim.key(), key);
      Step<ReservationResult> step =
          decider.apply(catalogue).map(decision -> reserveVolume(claim.key(), decision));
      switch (step) {
        case Step.Decided<ReservationResult>(ReservationResult.Busy()),
            Step.Decided<ReservationResult>(
                ReservationResult.Decided(ClaimDecision.ContinueSearch())) -> {}
        case Step.Decided<ReservationResult>(ReservationResult.Decided(ClaimDecision.Bind _)) ->
            offers.recordDecision(claim.key());
        case Step.Decided<ReservationResult>(ReservationResult.Decided(_)) -> {
          waitingClaims.put(claim, key, catalogue.hasSearched);
          contention.recordNoVolume(claim.key());
          offers.recordDecision(claim.key());
        }
        case Step.Ask<ReservationResult> _ -> { // the claim is decided again immediately
          waitingClaims.put(claim, key, catalogue.hasSearched);
          offers.recordDecision(claim.key());
        }
      }
      return step;
    });
  }

  /**
   * Returns the decision of {@link #decide} without side effects: no claim is filed and no volume
   * is reserved.
   */
  public Step<ClaimDecision> previewDecision(
      Claim claim, Function<VolumeCatalogue, Step<ClaimDecision>> decider) {
    MatchKey key = keys.of(claim);
    return callLocked(() -> {
      Step<ClaimDecision> step = decider.apply(new ClaimCatalogue(claim.key(), key));
      if (step instanceof Step.Decided<ClaimDecision>(ClaimDecision decision)
          && !(decision instanceof ClaimDecision.ContinueSearch)) {
        searches.forget(claim.key());
      }
      return step;
    });
  }

  private ReservationResult reserveVolume(ObjectKey claim, ClaimDecision decision) {
    if (decision instanceof ClaimDecision.Bind(Volume volume)) {
      String name = volume.meta().name();
      if (!writeReservations.reserveForClaim(name, claim)) {
        return new ReservationResult.Busy();
      }
      removeFromIndex(byName.get(name));
      forgetClaim(claim);
    }
    return new ReservationResult.Decided(decision);
  }

  private void forgetClaim(ObjectKey claim) {
    waitingClaims.remove(claim);
    contention.remove(claim);
    searches.forget(claim);
  }

  /**
   * Ends the reservation after a binding, successful or not: the volume is available again (L3) and
   * requeued.
   */
  public void releaseVolume(String volume) {
    runLocked(() -> {
      writeReservations.endForClaim(volume).forEach(deferredRequeue::requeueClaim);
      deferredRequeue.requeueVolume(ObjectKey.cluster(volume));
      Volume current = byName.get(volume);
      if (current != null) {
        offerIfFree(current);
      }
    });
  }

  /**
   * Continues the search for claims that would take the volume, if that exceeded the steps of one
   * call. Every sync of a volume calls it.
   */
  public void continueOffer(String volume) {
    runLocked(() -> offers.resumeOffer(volume));
  }

  /**
   * Reserves a volume to write to it; false if a claim is being bound to it, whose end requeues the
   * volume.
   */
  public boolean reserveForWrite(String volume) {
    return callLocked(() -> writeReservations.reserveForSync(volume));
  }

  public void endWrite(String volume) {
    runLocked(() -> writeReservations.endForSync(volume).forEach(deferredRequeue::requeueClaim));
  }

  public long totalSteps() {
    return callLocked(stepCounter::steps);
  }

  public List<Volume> sampleVolumes() {
    return callLocked(() -> byName.values().stream().limit(SAMPLE_SIZE).toList());
  }

  public void updateClaim(Claim claim) {
    MatchKey key = keys.update(claim);
    if (policy.order().sparesOthers()) {
      runLocked(() -> contention.update(claim, key));
    }
  }

  /** Handles a deleted claim. Returns the volumes that name it, which must be requeued. */
  public List<ObjectKey> removeClaim(ObjectKey claim) {
    keys.remove(claim);
    return callLocked(() -> {
      forgetClaim(claim);
      offers.recordDecision(claim);
      return keysOf(reservedFor(claim));
    });
  }

  public List<ObjectKey> volumesOf(ObjectKey claim) {
    return callLocked(() -> keysOf(reservedFor(claim)));
  }

  private Collection<Volume> reservedFor(ObjectKey claim) {
    TreeMap<VolumePosition, Volume> volumes = reservedByClaim.get(claim);
    return volumes == null ? List.of() : volumes.values();
  }

  private static List<ObjectKey> keysOf(Collection<Volume> volumes) {
    return volumes.stream().map(Volume::key).toList();
  }

  public boolean isWaiting(ObjectKey claim) {
    return callLocked(() -> waitingClaims.contains(claim));
  }

  public List<ObjectKey> claimsWaitingForClass(String className) {
    return callLocked(() -> waitingClaims.claimsOfClass(className));
  }

  // Volumes from the point of view of one claim; used only under the lock.
  private final class ClaimCatalogue implements VolumeCatalogue {
    private final ObjectKey claim;
    private final MatchKey key;
    private boolean hasSearched;

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
      hasSearched = true;
      return searches.search(claim, key, tiers);
    }

    @Override
    public boolean isContested(Claim claim) {
      return contention.isContested(key);
    }

    @Override
    public Volume findSparingVolume(Claim claim, Volume first) {
      return contention.findSparingVolume(
          new ClaimContention.ContendingClaim(this.claim, key),
          first,
          freeVolumes,
          reservedByClaim::containsKey);
    }
  }
}
