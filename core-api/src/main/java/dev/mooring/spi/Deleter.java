package dev.mooring.spi;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes volumes and their contents.
 *
 * <p>The host calls it only after a live read of the API server has shown that the volume is
 * released. Threads: called from many threads, but never concurrently for the same volume.
 * Idempotence: deleting an absent volume returns {@link Attempt.Done}. Calls may block; on
 * interrupt, return promptly with {@link Failure.Uncertain}. A deleter must refuse ({@link
 * Failure.Rejected}) every volume that it did not create.
 */
public interface Deleter {
  /**
   * Returns the reason why the plugin leaves this volume to another provisioner of the same name;
   * empty if the plugin serves it. The host asks before it writes to the volume. If there is a
   * reason, the attempt ends without an event, a failure or a back-off, and the host asks again
   * after the next change of the volume or the plugin. Must not change anything, and must return at
   * once. After a failure the host deletes nothing and retries with back-off. The answer must stay
   * the same once {@link #delete} was called for the volume.
   */
  default Attempt<Optional<String>> ignores(Request request) {
    return Attempt.done(Optional.empty());
  }

  /** Deletes the volume. */
  Attempt<Deleted> delete(Request request);

  /** Result of a successful deletion: the volume does not exist. */
  record Deleted() {}

  /**
   * Volume to delete.
   *
   * @param volumeName name of the PersistentVolume
   * @param source address of the volume
   * @param capacity size of the volume
   * @param annotations annotations of the PersistentVolume
   * @param className name of its StorageClass; "" if it has none
   * @param claim claim that the volume was bound to; null if the PersistentVolume names none
   * @param nodeAffinity nodes that can reach the volume
   */
  record Request(
      String volumeName,
      VolumeSource source,
      Quantity capacity,
      Map<String, String> annotations,
      String className,
      @Nullable ObjectKey claim,
      NodeAffinity nodeAffinity) {
    /** Creates a request for a volume without a class or claim that every node can reach. */
    public Request(
        String volumeName,
        VolumeSource source,
        Quantity capacity,
        Map<String, String> annotations) {
      this(volumeName, source, capacity, annotations, "", null, NodeAffinity.NONE);
    }

    /** Creates a request that deletes the volume of a PersistentVolume. */
    public static Request of(Volume volume) {
      return new Request(
          volume.meta().name(),
          volume.source(),
          volume.storage(),
          volume.meta().annotations(),
          volume.storageClass(),
          claimOf(volume),
          volume.nodeAffinity());
    }

    private static @Nullable ObjectKey claimOf(Volume volume) {
      ClaimRef ref = volume.claimRef();
      return ref == null || ref.claim().namespace().isEmpty() || ref.claim().name().isEmpty()
          ? null
          : ref.claim();
    }

    /** Creates a request that deletes a provisioned volume for which no PersistentVolume exists. */
    public static Request of(Provisioner.Request request, Provisioner.Provisioned provisioned) {
      return new Request(
          request.volumeName(),
          provisioned.source(),
          provisioned.capacity(),
          provisioned.annotations(),
          request.className(),
          request.claim().key(),
          affinity(provisioned.topology()));
    }

    private static NodeAffinity affinity(List<Map<String, String>> topology) {
      return new NodeAffinity(
          topology.stream()
              .filter(labels -> !labels.isEmpty())
              .map(labels ->
                  new NodeAffinity.Term(
                      new TreeMap<>(labels)
                          .entrySet().stream()
                              .map(e ->
                                  new LabelSelector.Requirement(
                                      e.getKey(), "In", List.of(e.getValue())))
                              .toList(),
                      List.of()))
              .toList());
    }
  }
}
