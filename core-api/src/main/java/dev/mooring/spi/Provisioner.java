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
 * Provisions volumes.
 *
 * <p>Threads: called from many threads, but never concurrently for the same claim. Idempotence: a
 * repeated call with the same {@link Request#volumeName()} must return the existing volume, because
 * the host may have crashed before it saved the first answer. Calls may block. On interrupt, return
 * promptly: {@link Failure.Uncertain}, or {@link Failure.Unreachable} if nothing was done. {@link
 * Attempt.Done} is final; {@link Failure.Rejected} is final until the claim or its class changes.
 */
public interface Provisioner {
  /**
   * Returns the reason why the plugin leaves this claim to another provisioner of the same name;
   * empty if the plugin serves it. The host asks before every other call and before it writes to
   * the claim. If there is a reason, the attempt ends without an event, a failure or a back-off,
   * and the host asks again after the next change of the claim, its class or the plugin. Must not
   * change anything, and must return at once. After a failure the host calls nothing else and
   * retries with back-off. The answer must stay the same once {@link #provision} was called for the
   * claim.
   */
  default Attempt<Optional<String>> ignores(Request request) {
    return Attempt.done(Optional.empty());
  }

  /**
   * Returns the reason why this request can never succeed; empty if it may succeed. Called before
   * {@link #provision}; must not change anything.
   */
  default Optional<String> refuses(Request request) {
    return Optional.empty();
  }

  /**
   * Returns whether the plugin needs {@link Request#node()}. Hosts may read the node only then,
   * with one request to the API server for each attempt. Must return at once.
   */
  default boolean needsNode() {
    return false;
  }

  /**
   * Returns whether requests of a class need all labels and annotations of the claim. If not, the
   * host omits those that its caches lack, which saves a request to the API server per volume.
   *
   * @param parameters parameters of the StorageClass
   */
  default boolean needsFullClaims(Map<String, String> parameters) {
    return true;
  }

  /** Provisions the volume. */
  Attempt<Provisioned> provision(Request request);

  /**
   * Volume to provision.
   *
   * @param volumeName name of the new volume; unique to the claim and equal in every attempt
   * @param claim claim that requests the volume
   * @param capacity minimum size
   * @param accessModes requested access modes; may be empty
   * @param volumeMode Filesystem or Block
   * @param className name of the StorageClass
   * @param parameters parameters of the StorageClass
   * @param mountOptions mount options of the StorageClass
   * @param selectedNode node on which the pod will run; null if the scheduler selected none
   * @param classAnnotations annotations of the StorageClass
   * @param allowedTopologies allowed locations of the StorageClass: each term maps label keys to
   *     permitted values; empty for anywhere. The volume must be in a location that satisfies all
   *     keys of one term
   * @param node the selected node as of this attempt; null if none is selected, if it does not
   *     exist, or if {@link Provisioner#needsNode} is false
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
      Map<String, String> classAnnotations,
      List<Map<String, List<String>>> allowedTopologies,
      @Nullable NodeInfo node) {
    /**
     * Creates a request for a class without annotations and allowed topologies, and without a node.
     */
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
          Map.of(),
          List.of(),
          null);
    }
  }

  /**
   * Node on which the pod will run.
   *
   * @param name name of the node
   * @param labels labels of the node
   * @param annotations annotations of the node
   */
  record NodeInfo(String name, Map<String, String> labels, Map<String, String> annotations) {}

  /**
   * Claim that requests the volume. The claim's author controls labels and annotations: validate
   * every value that becomes part of a path or command.
   *
   * @param key namespace and name
   * @param uid uid of the claim
   * @param labels labels of the claim
   * @param annotations annotations of the claim
   */
  record ClaimInfo(
      ObjectKey key, Uid uid, Map<String, String> labels, Map<String, String> annotations) {}

  /**
   * A provisioned volume.
   *
   * @param source address of the volume
   * @param capacity actual size
   * @param accessModes access modes; if empty, the host uses ReadWriteOnce
   * @param annotations annotations to add to the PersistentVolume; may be empty
   * @param topology alternative sets of node labels: a node can reach the volume if it has all
   *     labels of one set; if empty, every node can. The host saves it as the PersistentVolume's
   *     node affinity
   */
  record Provisioned(
      VolumeSource source,
      Quantity capacity,
      AccessModes accessModes,
      Map<String, String> annotations,
      List<Map<String, String>> topology) {
    /** Creates a volume that every node can reach. */
    public Provisioned(
        VolumeSource source,
        Quantity capacity,
        AccessModes accessModes,
        Map<String, String> annotations) {
      this(source, capacity, accessModes, annotations, List.of());
    }
  }
}
