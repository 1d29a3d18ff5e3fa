package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.storage.ProtectionHandover;
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
  private final EventMemory eventMemory;
  private final VolumeMemory volumeMemory = new VolumeMemory();
  private final RecycleMemory recycleMemory;
  private final UnfinishedJobs unfinishedJobs = new UnfinishedJobs();
  private final SavedVolumes savedVolumes = new SavedVolumes();
  private final ProtectionHandover handover = new ProtectionHandover();
  private final DeletionGuards guards;
  private final KeyedOperations<ObjectKey> provisions;
  private final KeyedOperations<ObjectKey> deletions;
  private final BinderStats stats;

  public BinderState(BinderPolicy policy, Time time, DeletionGuards guards, RequeueTarget queues) {
    this.reservations = new VolumeReservations(queues, policy);
    this.eventMemory = new EventMemory(time, policy.compat().isKubernetes());
    this.recycleMemory = new RecycleMemory(time);
    this.guards = guards;
    this.provisions =
        new KeyedOperations<>("provision", time, policy.compat(), queues::requeueClaim);
    this.deletions = new KeyedOperations<>("delete", time, policy.compat(), queues::requeueVolume);
    this.stats = new BinderStats(time);
  }

  /** Forgets a deleted claim. Returns the volumes that name it, which must be requeued. */
  public List<ObjectKey> forgetClaim(Claim last) {
    ObjectKey claim = last.key();
    eventMemory.forgetSettled(last.meta());
    if (!unfinishedJobs.contains(claim)) {
      provisions.forget(claim);
    }
    stats.forgetStart(TimedOperation.PROVISION, claim);
    volumeMemory.recordDeletedClaim(last);
    return reservations.removeClaim(claim);
  }

  /** Forgets a deleted volume; returns whether a recycler pod must still be stopped. */
  public boolean forgetVolume(ObjectKey volume) {
    eventMemory.forgetVolume(volume);
    deletions.forget(volume);
    volumeMemory.forget(volume);
    stats.recordEnd(TimedOperation.DELETE, volume);
    return recycleMemory.forget(volume);
  }

  public void forgetAbsentClaim(ObjectKey claim) {
    eventMemory.forgetClaim(claim);
  }

  public void forgetAbsentVolume(ObjectKey volume) {
    eventMemory.forgetVolume(volume);
    volumeMemory.forget(volume);
  }

  public VolumeReservations reservations() {
    return reservations;
  }

  public EventMemory eventMemory() {
    return eventMemory;
  }

  public VolumeMemory volumeMemory() {
    return volumeMemory;
  }

  public RecycleMemory recycleMemory() {
    return recycleMemory;
  }

  public UnfinishedJobs unfinishedJobs() {
    return unfinishedJobs;
  }

  public ProtectionHandover handover() {
    return handover;
  }

  public SavedVolumes savedVolumes() {
    return savedVolumes;
  }

  public DeletionBreaker breaker() {
    return guards.breaker();
  }

  public DeletionGuards guards() {
    return guards;
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
