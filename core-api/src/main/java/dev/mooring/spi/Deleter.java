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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Destroys volumes and what is on them.
 *
 * <p>Called only after a live re-read has shown that the volume is released. Threads: many; for one
 * volume never twice at once. Idempotence: deleting what is not there is {@link Attempt.Done}.
 * Blocking is fine; on interrupt give up and return {@link Failure.Uncertain}. A deleter must
 * refuse ({@link Failure.Rejected}) whatever it did not make itself.
 */
public interface Deleter {
  /** Destroys the volume. */
  Attempt<Gone> delete(Request request);

  /** It is not there any more. */
  record Gone() {}

  /**
   * What to destroy.
   *
   * @param volumeName the PersistentVolume's name
   * @param source how the volume is addressed
   * @param capacity its size
   * @param annotations the PersistentVolume's annotations
   * @param className the name of its StorageClass, "" if it has none
   * @param claim the claim that it belonged to; null if it says none
   * @param nodeAffinity the nodes from which it could be reached
   */
  record Request(
      String volumeName,
      VolumeSource source,
      Quantity capacity,
      Map<String, String> annotations,
      String className,
      @Nullable ObjectKey claim,
      NodeAffinity nodeAffinity) {
    /** Of a volume without class and claim that every node can reach. */
    public Request(
        String volumeName,
        VolumeSource source,
        Quantity capacity,
        Map<String, String> annotations) {
      this(volumeName, source, capacity, annotations, "", null, NodeAffinity.NONE);
    }

    /** To destroy a volume of a PersistentVolume. */
    public static Request of(Volume volume) {
      ClaimRef ref = volume.claimRef();
      return new Request(
          volume.meta().name(),
          volume.source(),
          volume.storage(),
          volume.meta().annotations(),
          volume.storageClass(),
          ref == null ? null : ref.claim(),
          volume.nodeAffinity());
    }

    /** To destroy a volume again that was made for that request, and has no PersistentVolume. */
    public static Request of(Provisioner.Request request, Provisioner.Provisioned made) {
      return new Request(
          request.volumeName(),
          made.source(),
          made.capacity(),
          made.annotations(),
          request.className(),
          request.claim().key(),
          affinity(made.topology()));
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
