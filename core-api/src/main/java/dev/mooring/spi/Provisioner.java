package dev.mooring.spi;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes volumes.
 *
 * <p>Threads: called from many threads, for one claim never twice at once. Idempotence: asked again
 * for the same {@link Request#volumeName()} it must return the volume that is there already,
 * because the host may have crashed before it wrote the first answer down. Blocking is fine; on
 * interrupt give up promptly and return {@link Failure.Uncertain}, or {@link Failure.Unreachable}
 * if nothing was done. Terminal: {@link Attempt.Done}, or {@link Failure.Rejected} until the claim
 * or its class changes.
 */
public interface Provisioner {
  /**
   * Why this request can never succeed as it is, without doing anything; empty if it may. Called
   * before {@link #provision}.
   */
  default Optional<String> refuses(Request request) {
    return Optional.empty();
  }

  /** Makes the volume. */
  Attempt<Provisioned> provision(Request request);

  /**
   * What is asked for.
   *
   * @param volumeName name of the volume to make, unique to the claim and the same at every try
   * @param claim for whom
   * @param capacity how much at least
   * @param accessModes the modes asked for, possibly none
   * @param volumeMode Filesystem or Block
   * @param className the StorageClass
   * @param parameters its parameters
   * @param mountOptions its mount options
   * @param selectedNode the node that the pod will run on; null if any will do
   * @param classAnnotations the StorageClass's annotations
   */
  record Request(
      String volumeName,
      ClaimInfo claim,
      Quantity capacity,
      AccessModes accessModes,
      VolumeMode volumeMode,
      String className,
      Map<String, String> parameters,
      List<String> mountOptions,
      @Nullable String selectedNode,
      Map<String, String> classAnnotations) {
    /** Of a class without annotations. */
    public Request(
        String volumeName,
        ClaimInfo claim,
        Quantity capacity,
        AccessModes accessModes,
        VolumeMode volumeMode,
        String className,
        Map<String, String> parameters,
        List<String> mountOptions,
        @Nullable String selectedNode) {
      this(
          volumeName,
          claim,
          capacity,
          accessModes,
          volumeMode,
          className,
          parameters,
          mountOptions,
          selectedNode,
          Map.of());
    }
  }

  /**
   * The claim that a volume is made for. Its labels and annotations are its owner's to choose: what
   * becomes a path or a command must be checked.
   *
   * @param key namespace and name
   * @param uid its uid
   * @param labels its labels
   * @param annotations its annotations
   */
  record ClaimInfo(
      ObjectKey key, Uid uid, Map<String, String> labels, Map<String, String> annotations) {}

  /**
   * A volume that now exists.
   *
   * @param source how to address it
   * @param capacity how large it is
   * @param accessModes its modes; the host uses ReadWriteOnce if there are none
   * @param annotations annotations for the PersistentVolume, possibly none
   * @param topology which nodes can reach it: those that have all labels of any one of these sets;
   *     every node if there are none. It becomes the PersistentVolume's node affinity
   */
  record Provisioned(
      VolumeSource source,
      Quantity capacity,
      AccessModes accessModes,
      Map<String, String> annotations,
      List<Map<String, String>> topology) {
    /** One that every node can reach. */
    public Provisioned(
        VolumeSource source,
        Quantity capacity,
        AccessModes accessModes,
        Map<String, String> annotations) {
      this(source, capacity, accessModes, annotations, List.of());
    }
  }
}
