package dev.mooring.binder.state;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
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
  private static final long BETWEEN_FAILURES = Duration.ofSeconds(10).toNanos();

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
  public record KnownPod(Uid volume, Uid claim, ObjectKey key, Uid pod, PodStage stage) {
    private boolean is(Pod other) {
      return pod.equals(other.meta().uid());
    }
  }

  public record UnreportedFailure(Uid volume, Reason why, String message) {}

  private record PassedOn(Uid pod, Set<Uid> events) {}

  private final Time time;
  private final Map<ObjectKey, KnownPod> pods = new ConcurrentHashMap<>();
  private final Map<ObjectKey, ObjectKey> volumesByPod = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Uid> unansweredCreations = new ConcurrentHashMap<>();
  private final Map<ObjectKey, PassedOn> passedOn = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Long> failedAt = new ConcurrentHashMap<>();
  private final Map<ObjectKey, UnreportedFailure> unreported = new ConcurrentHashMap<>();

  public RecycleMemory(Time time) {
    this.time = time;
  }

  /** Forgets a deleted volume; returns whether a pod still scrubs it, which the next sync stops. */
  boolean forget(ObjectKey volume) {
    forgetEvents(volume);
    unansweredCreations.remove(volume);
    boolean hasPod = pods.containsKey(volume);
    if (!hasPod) {
      volumesByPod.values().remove(volume);
    }
    return hasPod;
  }

  public void forgetEvents(ObjectKey volume) {
    failedAt.remove(volume);
    unreported.remove(volume);
    passedOn.remove(volume);
  }

  public void put(Volume volume, Pod pod, PodStage stage) {
    Uid uid = volume.meta().uid();
    pods.put(volume.key(), new KnownPod(uid, claimOf(volume), pod.key(), pod.meta().uid(), stage));
    unansweredCreations.remove(volume.key());
  }

  private static Uid claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  public @Nullable KnownPod podOf(ObjectKey volume) {
    return pods.get(volume);
  }

  public void removePod(ObjectKey volume) {
    pods.remove(volume);
  }

  /** Records which volume a pod of that name scrubs: the pod's events requeue the volume. */
  public void watch(ObjectKey pod, ObjectKey volume) {
    volumesByPod.put(pod, volume);
  }

  public void watchNoMore(ObjectKey pod) {
    volumesByPod.remove(pod);
  }

  public Optional<ObjectKey> volumeOf(ObjectKey pod) {
    return Optional.ofNullable(volumesByPod.get(pod));
  }

  // records that the creation of a pod got no answer: the pod may exist
  public void noteUnansweredCreation(Volume volume) {
    unansweredCreations.put(volume.key(), volume.meta().uid());
  }

  public boolean mayHaveCreatedPod(Volume volume) {
    return volume.meta().uid().equals(unansweredCreations.get(volume.key()));
  }

  /** Returns the pod that has scrubbed the volume since its last claim. */
  public Optional<KnownPod> cleanPod(Volume volume) {
    return Optional.ofNullable(pods.get(volume.key()))
        .filter(pod -> pod.stage() == PodStage.RECYCLED)
        .filter(pod -> pod.volume().equals(volume.meta().uid()))
        .filter(pod -> pod.claim().equals(claimOf(volume)) && !pod.claim().isNone());
  }

  public PodRelation relation(Volume volume, @Nullable Pod recycler) {
    if (cleanPod(volume).isPresent()) {
      return PodRelation.RECYCLED;
    }
    KnownPod pod = pods.get(volume.key());
    if (pod == null || (recycler != null && !pod.is(recycler))) {
      return PodRelation.NONE;
    }
    return switch (pod.stage()) {
      case RUNNING -> recycler == null ? PodRelation.VANISHED : PodRelation.OURS;
      case RECYCLED, ENDED -> recycler == null ? PodRelation.NONE : PodRelation.ENDED;
    };
  }

  /** Records that an event of the pod is passed on; false if it was passed on before. */
  public boolean passOn(Volume volume, Uid pod, Uid event) {
    PassedOn events =
        passedOn.compute(
            volume.key(),
            (key, last) ->
                last != null && last.pod().equals(pod)
                    ? last
                    : new PassedOn(pod, ConcurrentHashMap.newKeySet()));
    return events.events().add(event);
  }

  public void failed(ObjectKey volume) {
    failedAt.put(volume, time.nanos());
  }

  public boolean hasFailedRecently(ObjectKey volume) {
    Long failed = failedAt.get(volume);
    return failed != null && time.nanos() - failed < BETWEEN_FAILURES;
  }

  public void unreported(Volume volume, Reason why, String message) {
    unreported.put(volume.key(), new UnreportedFailure(volume.meta().uid(), why, message));
  }

  public void reported(Volume volume) {
    unreported.remove(volume.key());
  }

  public Optional<UnreportedFailure> unreportedFailure(Volume volume) {
    return Optional.ofNullable(unreported.get(volume.key()))
        .filter(failure -> failure.volume().equals(volume.meta().uid()));
  }
}
