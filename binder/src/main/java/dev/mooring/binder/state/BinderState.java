package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.time.Time;
import java.util.List;

/**
 * What the binder remembers between two reconciles, besides caches and queues. The entries of an
 * object are forgotten only here: when its deletion is observed, and again when its key is synced,
 * because slow work may have added entries in between. Thread-safe, as are all its parts.
 */
public final class BinderState {
  private final VolumeReservations reservations;
  private final EventMemory events;
  private final VolumeMemory volumes = new VolumeMemory();
  private final RecycleMemory recycling;
  private final UnfinishedJobs unfinished = new UnfinishedJobs();
  private final SavedVolumes saved = new SavedVolumes();
  private final DeletionBreaker breaker;
  private final KeyedOperations<ObjectKey> provisions;
  private final KeyedOperations<ObjectKey> deletions;
  private final BinderStats stats;

  public BinderState(
      BinderPolicy policy, Time time, DeletionBreaker breaker, RequeueTarget requeue) {
    this.reservations = new VolumeReservations(requeue, policy);
    this.events = new EventMemory(time, policy.compat().isKubernetes());
    this.recycling = new RecycleMemory(time);
    this.breaker = breaker;
    this.provisions = new KeyedOperations<>("provision", time, policy.compat(), requeue::claim);
    this.deletions = new KeyedOperations<>("delete", time, policy.compat(), requeue::volume);
    this.stats = new BinderStats(time);
  }

  /** Forgets a deleted claim. Returns the volumes that name it, which must be requeued. */
  public List<ObjectKey> forgetClaim(Claim last) {
    ObjectKey claim = last.key();
    events.settled(last.meta());
    if (!unfinished.contains(claim)) {
      provisions.forget(claim);
    }
    stats.drops(TimedOperation.PROVISION, claim);
    volumes.claimGone(last);
    return reservations.claimGone(claim);
  }

  /** Forgets a deleted volume; returns whether a recycler pod must still be stopped. */
  public boolean forgetVolume(ObjectKey volume) {
    events.volumeIsGone(volume);
    deletions.forget(volume);
    volumes.forget(volume);
    stats.ends(TimedOperation.DELETE, volume);
    return recycling.forget(volume);
  }

  public void forgetAbsentClaim(ObjectKey claim) {
    events.claimIsGone(claim);
  }

  public void forgetAbsentVolume(ObjectKey volume) {
    events.volumeIsGone(volume);
    volumes.forget(volume);
  }

  public VolumeReservations reservations() {
    return reservations;
  }

  public EventMemory events() {
    return events;
  }

  public VolumeMemory volumes() {
    return volumes;
  }

  public RecycleMemory recycling() {
    return recycling;
  }

  public UnfinishedJobs unfinished() {
    return unfinished;
  }

  public SavedVolumes saved() {
    return saved;
  }

  public DeletionBreaker breaker() {
    return breaker;
  }

  public KeyedOperations<ObjectKey> provisions() {
    return provisions;
  }

  public KeyedOperations<ObjectKey> deletions() {
    return deletions;
  }

  public BinderStats stats() {
    return stats;
  }
}
