package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Recycler pods that this process created or adopted. Thread-safe. */
final class KnownRecyclerPods {
  enum PodStage {
    /** Created or adopted. From then on the cache has the pod until it is deleted. */
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
  record KnownPod(Uid volume, Uid claim, ObjectKey key, Uid pod, PodStage stage) {
    private static KnownPod of(Volume volume, Pod pod, PodStage stage) {
      return new KnownPod(volume.meta().uid(), claimOf(volume), pod.key(), pod.meta().uid(), stage);
    }

    private boolean is(Pod other) {
      return pod.equals(other.meta().uid());
    }
  }

  private final Map<ObjectKey, KnownPod> known = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Uid> asked = new ConcurrentHashMap<>();

  private static Uid claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  void put(Volume volume, Pod pod, PodStage stage) {
    known.put(volume.key(), KnownPod.of(volume, pod, stage));
    asked.remove(volume.key());
  }

  @Nullable KnownPod of(ObjectKey volume) {
    return known.get(volume);
  }

  /** Records that the creation of a pod got no answer: the pod may exist. */
  void noteCreation(Volume volume) {
    asked.put(volume.key(), volume.meta().uid());
  }

  boolean mayHaveMade(Volume volume) {
    return volume.meta().uid().equals(asked.get(volume.key()));
  }

  void remove(ObjectKey volume) {
    known.remove(volume);
  }

  boolean forget(ObjectKey volume) {
    asked.remove(volume);
    return known.containsKey(volume);
  }

  Optional<KnownPod> cleanPod(Volume volume) {
    return Optional.ofNullable(known.get(volume.key()))
        .filter(pod -> pod.stage() == PodStage.RECYCLED)
        .filter(pod -> pod.volume().equals(volume.meta().uid()))
        .filter(pod -> pod.claim().equals(claimOf(volume)) && !pod.claim().isNone());
  }

  PodRelation part(Volume volume, @Nullable Pod recycler) {
    if (cleanPod(volume).isPresent()) {
      return PodRelation.RECYCLED;
    }
    KnownPod pod = known.get(volume.key());
    if (pod == null || (recycler != null && !pod.is(recycler))) {
      return PodRelation.NONE;
    }
    return switch (pod.stage()) {
      case RUNNING -> recycler == null ? PodRelation.VANISHED : PodRelation.OURS;
      case RECYCLED, ENDED -> recycler == null ? PodRelation.NONE : PodRelation.ENDED;
    };
  }
}
