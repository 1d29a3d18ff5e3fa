package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.ProtectionRule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Volumes from which a deletion in this process removes the finalizer of volume protection together
 * with its own, in one write. Volume protection leaves them to the deletion until it ends. Without
 * volume protection in this process nothing is handed over, because another process owns the
 * finalizer. Thread-safe.
 */
public final class ProtectionHandover {
  private enum State {
    LEFT_TO_DELETION,
    REMOVED
  }

  private final Map<Uid, State> volumes = new ConcurrentHashMap<>();
  private volatile @Nullable Consumer<ObjectKey> requeue;

  public ProtectionHandover() {}

  /**
   * Begins to hand over finalizers. Called when volume protection starts.
   *
   * @param requeueVolume called with each volume whose deletion has ended
   */
  public void start(Consumer<ObjectKey> requeueVolume) {
    requeue = requeueVolume;
  }

  /** Hands the finalizer to a deletion. Called before the deletion deletes the object. */
  public void begin(Volume volume) {
    if (requeue != null) {
      volumes.put(volume.meta().uid(), State.LEFT_TO_DELETION);
    }
  }

  /**
   * Records the write that removes finalizers. After a success volume protection ignores the volume
   * until it is forgotten, because caches show it a while longer.
   */
  public void recordRemoval(Volume volume, WriteResult<Volume> result) {
    boolean isRemoved =
        switch (result) {
          case WriteResult.Gone<Volume> _ -> true;
          case WriteResult.Written<Volume>(Volume current) ->
              !current.finalizers().contains(ProtectionRule.FINALIZER);
          case WriteResult.Conflict<Volume> _,
              WriteResult.Rejected<Volume> _,
              WriteResult.Unreachable<Volume> _ ->
              false;
        };
    if (isRemoved) {
      volumes.replace(volume.meta().uid(), State.REMOVED);
    }
  }

  /** Returns the finalizer to volume protection, unless the deletion has removed it. */
  public void end(Volume volume) {
    Consumer<ObjectKey> protection = requeue;
    if (volumes.remove(volume.meta().uid(), State.LEFT_TO_DELETION) && protection != null) {
      protection.accept(volume.key());
    }
  }

  /** Forgets a volume whose object is gone. */
  public void forget(Volume volume) {
    volumes.remove(volume.meta().uid());
  }

  public boolean contains(Volume volume) {
    return volumes.containsKey(volume.meta().uid());
  }

  /**
   * Returns the finalizers that stay when a deletion removes its own.
   *
   * @param volume version of the volume that the write requires
   */
  public List<String> finalizersWithout(String ownFinalizer, Volume volume) {
    boolean removesProtection = contains(volume) && ProtectionRule.isReleasable(volume);
    return volume.finalizers().stream()
        .filter(finalizer -> !finalizer.equals(ownFinalizer))
        .filter(finalizer -> !(removesProtection && finalizer.equals(ProtectionRule.FINALIZER)))
        .toList();
  }
}
