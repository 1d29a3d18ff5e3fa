package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecycleView.Part;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this process has to do with recycler pods. Thread-safe. */
final class KnownRecyclerPods {
  /** How far it is with a pod. */
  enum Stage {
    /** Made or taken up: the cache has it from then on, until it is gone. */
    RUNNING,

    /** It has emptied the volume, by the server's word: what is left is to free the volume. */
    RECYCLED,
    /** Deleted; the cache may still have it. */
    ENDED
  }

  /**
   * A pod that was made or taken up for a volume.
   *
   * @param volume the volume's uid
   * @param claim the uid of the claim that the volume belonged to: emptied after that one's life,
   *     it is not emptied after another's
   */
  record Known(Uid volume, Uid claim, ObjectKey key, Uid pod, Stage stage) {
    private static Known of(Volume volume, Pod pod, Stage stage) {
      return new Known(volume.meta().uid(), claimOf(volume), pod.key(), pod.meta().uid(), stage);
    }

    private boolean is(Pod other) {
      return pod.equals(other.meta().uid());
    }
  }

  private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Uid> asked = new ConcurrentHashMap<>();

  private static Uid claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  void put(Volume volume, Pod pod, Stage stage) {
    known.put(volume.key(), Known.of(volume, pod, stage));
    asked.remove(volume.key());
  }

  @Nullable Known of(ObjectKey volume) {
    return known.get(volume);
  }

  /** A pod was asked for, and there was no answer: it may be there. */
  void asked(Volume volume) {
    asked.put(volume.key(), volume.meta().uid());
  }

  /** Whether a pod that is there may be the one that was asked for without an answer. */
  boolean mayHaveMade(Volume volume) {
    return volume.meta().uid().equals(asked.get(volume.key()));
  }

  /** Its pod is gone. */
  void remove(ObjectKey volume) {
    known.remove(volume);
  }

  /** The volume is gone; whether a pod was known. */
  boolean forget(ObjectKey volume) {
    asked.remove(volume);
    return known.containsKey(volume);
  }

  /** The pod that emptied the volume since its last claim, if one did. */
  Optional<Known> recycled(Volume volume) {
    return Optional.ofNullable(known.get(volume.key()))
        .filter(pod -> pod.stage() == Stage.RECYCLED)
        .filter(pod -> pod.volume().equals(volume.meta().uid()))
        .filter(pod -> pod.claim().equals(claimOf(volume)) && !pod.claim().isNone());
  }

  Part part(Volume volume, @Nullable Pod recycler) {
    if (recycled(volume).isPresent()) {
      return Part.RECYCLED;
    }
    Known pod = known.get(volume.key());
    if (pod == null || (recycler != null && !pod.is(recycler))) {
      return Part.NONE;
    }
    return switch (pod.stage()) {
      case RUNNING -> recycler == null ? Part.VANISHED : Part.OURS;
      case RECYCLED, ENDED -> recycler == null ? Part.NONE : Part.ENDED;
    };
  }
}
