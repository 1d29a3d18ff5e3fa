package dev.mooring.binder.state;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.VolumeIdentity;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Recycler pods that this process created or adopted, and failures of recycling. Thread-safe.
 *
 * <p>A failure that could not be written to its volume is kept, because the failed pod may be gone
 * by the next sync.
 */
public final class RecycleMemory {
  private static final long FAILURE_PAUSE = Duration.ofSeconds(10).toNanos();

  public enum PodStage {
    // created or adopted. From then on the cache has the pod until it is deleted
    RUNNING,

    RECYCLED,
    ENDED
  }

  /**
   * Pod that was created or adopted for a volume.
   *
   * @param volume uid of the volume
   * @param claim uid of the volume's former claim: a scrub after that claim does not count after a
   *     later one
   */
  public record RecyclerPod(
      Uid volumeUid, Uid claimUid, ObjectKey key, Uid podUid, PodStage stage) {
    private boolean isSamePod(Pod candidate) {
      return podUid.equals(candidate.meta().uid());
    }
  }

  public record UnreportedFailure(Uid volumeUid, Reason reason, String message) {}

  private record ForwardedEvents(Uid pod, Set<Uid> events) {}

  private final Time time;
  private final Map<ObjectKey, RecyclerPod> podByVolume = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Volume> scrubbedVolumes = new ConcurrentHashMap<>();
  private final Map<ObjectKey, ObjectKey> volumesByPod = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Uid> unansweredCreations = new ConcurrentHashMap<>();
  private final Map<ObjectKey, ForwardedEvents> forwardedEvents = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Long> failedAt = new ConcurrentHashMap<>();
  private final Map<ObjectKey, UnreportedFailure> unreportedFailures = new ConcurrentHashMap<>();

  public RecycleMemory(Time time) {
    this.time = time;
  }

  /** Forgets a deleted volume; returns whether a pod still scrubs it, which the next sync stops. */
  boolean forget(ObjectKey volume) {
    forgetEvents(volume);
    unansweredCreations.remove(volume);
    boolean hasPod = podByVolume.containsKey(volume);
    if (!hasPod) {
      volumesByPod.values().remove(volume);
    }
    return hasPod;
  }

  public void forgetEvents(ObjectKey volume) {
    failedAt.remove(volume);
    unreportedFailures.remove(volume);
    forwardedEvents.remove(volume);
  }

  public void putPod(Volume volume, Pod pod, PodStage stage) {
    Uid uid = volume.meta().uid();
    podByVolume.put(
        volume.key(), new RecyclerPod(uid, claimOf(volume), pod.key(), pod.meta().uid(), stage));
    if (stage == PodStage.RUNNING) {
      scrubbedVolumes.put(volume.key(), volume);
    } else {
      scrubbedVolumes.remove(volume.key());
    }
    unansweredCreations.remove(volume.key());
  }

  // puts a pod that scrubs for an earlier volume of that name
  public void putForeignPod(ObjectKey volume, Pod pod) {
    podByVolume.put(
        volume, new RecyclerPod(Uid.NONE, Uid.NONE, pod.key(), pod.meta().uid(), PodStage.RUNNING));
  }

  private static Uid claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  public @Nullable RecyclerPod podOf(ObjectKey volume) {
    return podByVolume.get(volume);
  }

  // returns whether a pod scrubs the same storage for another volume, which may be deleted
  public boolean isScrubbedForOther(Volume volume) {
    return scrubbedVolumes.values().stream()
        .anyMatch(scrubbed -> VolumeIdentity.areTwins(scrubbed, volume));
  }

  public void removePod(ObjectKey volume) {
    podByVolume.remove(volume);
    scrubbedVolumes.remove(volume);
  }

  /** Records which volume a pod of that name scrubs: the pod's events requeue the volume. */
  public void watch(ObjectKey pod, ObjectKey volume) {
    volumesByPod.put(pod, volume);
  }

  public void unwatch(ObjectKey pod) {
    volumesByPod.remove(pod);
  }

  public Optional<ObjectKey> volumeOf(ObjectKey pod) {
    return Optional.ofNullable(volumesByPod.get(pod));
  }

  // records that the creation of a pod got no answer: the pod may exist
  public void recordUnansweredCreation(Volume volume) {
    unansweredCreations.put(volume.key(), volume.meta().uid());
  }

  public boolean hasUnansweredCreation(Volume volume) {
    return volume.meta().uid().equals(unansweredCreations.get(volume.key()));
  }

  /** Returns the pod that has scrubbed the volume since its last claim. */
  public Optional<RecyclerPod> recycledPod(Volume volume) {
    return Optional.ofNullable(podByVolume.get(volume.key()))
        .filter(pod -> pod.stage() == PodStage.RECYCLED)
        .filter(pod -> pod.volumeUid().equals(volume.meta().uid()))
        .filter(pod -> pod.claimUid().equals(claimOf(volume)) && !pod.claimUid().isNone());
  }

  public PodRelation relationTo(Volume volume, @Nullable Pod recycler) {
    if (recycledPod(volume).isPresent()) {
      return PodRelation.RECYCLED;
    }
    RecyclerPod pod = podByVolume.get(volume.key());
    if (pod == null || (recycler != null && !pod.isSamePod(recycler))) {
      return PodRelation.NONE;
    }
    return switch (pod.stage()) {
      case RUNNING -> recycler == null ? PodRelation.VANISHED : PodRelation.OURS;
      case RECYCLED, ENDED -> recycler == null ? PodRelation.NONE : PodRelation.ENDED;
    };
  }

  /** Records that an event of the pod is passed on; false if it was passed on before. */
  public boolean recordForwarded(Volume volume, Uid pod, Uid event) {
    ForwardedEvents events =
        forwardedEvents.compute(
            volume.key(),
            (key, last) ->
                last != null && last.pod().equals(pod)
                    ? last
                    : new ForwardedEvents(pod, ConcurrentHashMap.newKeySet()));
    return events.events().add(event);
  }

  public void recordFailureTime(ObjectKey volume) {
    failedAt.put(volume, time.nanos());
  }

  public boolean hasFailedRecently(ObjectKey volume) {
    Long failureNanos = failedAt.get(volume);
    return failureNanos != null && time.nanos() - failureNanos < FAILURE_PAUSE;
  }

  public void addUnreportedFailure(Volume volume, Reason reason, String message) {
    unreportedFailures.put(
        volume.key(), new UnreportedFailure(volume.meta().uid(), reason, message));
  }

  public void removeUnreportedFailure(Volume volume) {
    unreportedFailures.remove(volume.key());
  }

  public Optional<UnreportedFailure> unreportedFailure(Volume volume) {
    return Optional.ofNullable(unreportedFailures.get(volume.key()))
        .filter(failure -> failure.volumeUid().equals(volume.meta().uid()));
  }
}
