package dev.mooring.protection;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.execute.FinalizerExecutor;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Worker;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The protection of claims and volumes ({@code persistentvolumeclaim-protection-controller}, {@code
 * persistentvolume-protection-controller}). A first slice: the live list of pods before a claim is
 * let go, and VolumeAttributesClasses, are yet to come.
 */
public final class ProtectionController {
  /** Its name for claims in {@code --controllers}. */
  public static final String CLAIM_NAME = "persistentvolumeclaim-protection-controller";

  /** Its name for volumes in {@code --controllers}. */
  public static final String VOLUME_NAME = "persistentvolume-protection-controller";

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<Pod> pods;
  private final Index<Pod, ObjectKey> podsByClaim;
  private final FinalizerExecutor executor;
  private final WorkQueue<ObjectKey> claimQueue;
  private final WorkQueue<ObjectKey> volumeQueue;
  private final Worker<ObjectKey> claimWorker;
  private final Worker<ObjectKey> volumeWorker;

  /** A controller that does nothing yet; the pods' informer must have that index. */
  public ProtectionController(
      Informer<Claim> claims,
      Informer<Volume> volumes,
      Informer<Pod> pods,
      Index<Pod, ObjectKey> podsByClaim,
      ClusterWriter writer,
      Time time) {
    this.claims = claims;
    this.volumes = volumes;
    this.pods = pods;
    this.podsByClaim = podsByClaim;
    this.executor = new FinalizerExecutor(writer);
    this.claimQueue = new WorkQueue<>("pvcprotection", time);
    this.volumeQueue = new WorkQueue<>("pvprotection", time);
    this.claimWorker = new Worker<>("protect-claims", claimQueue, this::syncClaim, 8);
    this.volumeWorker = new Worker<>("protect-volumes", volumeQueue, this::syncVolume, 8);
  }

  /** Begins, when every cache is complete. */
  public void start() throws InterruptedException {
    pods.awaitSynced();
    claims.awaitSynced();
    volumes.awaitSynced();
    claims.addHandler(change -> claimQueue.add(change.key()));
    volumes.addHandler(change -> volumeQueue.add(change.key()));
    pods.addHandler(this::podChanged);
    claimWorker.start();
    volumeWorker.start();
  }

  private void podChanged(Change<Pod> change) {
    Pod pod =
        switch (change) {
          case Change.Added<Pod>(Pod now) -> now;
          case Change.Updated<Pod>(Pod before, Pod now) ->
              before.meta().uid().equals(now.meta().uid()) ? now : before;
          case Change.Deleted<Pod>(Pod last) -> last;
        };
    pod.claims().forEach(claim -> claimQueue.add(ObjectKey.of(pod.key().namespace(), claim)));
  }

  /** Ends, finishing what is queued. */
  public boolean stop(Duration grace) throws InterruptedException {
    return claimWorker.stop(grace) & volumeWorker.stop(grace);
  }

  /** Whether there is nothing to do at this moment, nor in the next second. */
  public boolean isIdle() {
    return claimQueue.isIdle(SOON) && volumeQueue.isIdle(SOON);
  }

  /** The figures of its queues. */
  public List<QueueStats> queueStats() {
    return List.of(claimQueue.stats(), volumeQueue.stats());
  }

  private Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim = claims.snapshot().get(key);
    return claim.isEmpty()
        ? Outcome.SETTLED
        : executor.execute(
            Kind.CLAIM,
            claim.get(),
            FinalizerDecider.claim(claim.get().meta(), pods.snapshot().by(podsByClaim, key)));
  }

  private Outcome syncVolume(ObjectKey key) throws InterruptedException {
    Optional<Volume> volume = volumes.snapshot().get(key);
    return volume.isEmpty()
        ? Outcome.SETTLED
        : executor.execute(Kind.VOLUME, volume.get(), FinalizerDecider.volume(volume.get()));
  }
}
