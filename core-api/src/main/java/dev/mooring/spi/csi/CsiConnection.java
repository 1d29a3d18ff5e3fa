package dev.mooring.spi.csi;

import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connection to one driver's socket. Every call blocks until the driver answers or the timeout
 * ends; no call is retried. An interrupt ends the call with {@link StatusCode#CANCELLED}; the
 * driver may still perform the operation. Thread-safe.
 */
public interface CsiConnection extends AutoCloseable {
  /**
   * Calls Identity.Probe and returns whether the driver is ready. A driver that omits the value is
   * ready.
   */
  DriverReply<Boolean> probe();

  /**
   * Returns the driver's name, version and the abilities of its plugin and controller services.
   * Does not call the node service.
   */
  DriverReply<DriverIdentity> identify();

  /**
   * Calls Node.NodeGetCapabilities. Needed only if the controller service cannot expand volumes;
   * many controller sockets have no node service.
   *
   * @return abilities of {@link DriverIdentity.Service#NODE}; empty if the driver has no node
   *     service
   */
  default DriverReply<Set<DriverCapability>> getNodeCapabilities() {
    return new DriverReply.Ok<>(Set.of());
  }

  /**
   * Registers a listener that runs whenever an established connection is lost, because another
   * driver may listen there afterwards. An answer of the driver with any code is not a loss. A
   * connection that cannot detect a loss never calls the listener.
   *
   * @param listener must return quickly and must not call the driver; runs on the transport's
   *     thread
   */
  default void onConnectionLost(Runnable listener) {}

  /** Calls Controller.CreateVolume. */
  DriverReply<CsiVolume> createVolume(CreateVolume request);

  /** Calls Controller.DeleteVolume. Returns OK if the volume does not exist. */
  DriverReply<Done> deleteVolume(String volumeId, DriverSecrets secrets);

  /** Calls Controller.ControllerPublishVolume and returns the publish context. */
  DriverReply<Map<String, String>> publish(PublishRequest request);

  /** Calls Controller.ControllerUnpublishVolume. Returns OK if the volume is not published. */
  DriverReply<Done> unpublish(String volumeId, String nodeId, DriverSecrets secrets);

  /** Calls Controller.ControllerExpandVolume. */
  DriverReply<Expanded> expand(ExpandRequest request);

  /** Calls Controller.ControllerModifyVolume. */
  DriverReply<Done> modify(
      String volumeId, DriverSecrets secrets, Map<String, String> mutableParameters);

  /**
   * Calls Controller.ListVolumes and reads all pages.
   *
   * @return volumes by volume id
   */
  DriverReply<Map<String, ListedVolume>> listVolumes();

  /**
   * Calls Controller.ListVolumes with a page size and reads all pages.
   *
   * @param pageSize maximum number of volumes in a page; 0 = the driver's default
   * @return volumes by volume id
   */
  default DriverReply<Map<String, ListedVolume>> listVolumes(int pageSize) {
    return listVolumes();
  }

  /**
   * Calls Controller.ListVolumes, reads all pages and returns the volumes' conditions.
   *
   * @param pageSize maximum number of volumes in a page; 0 = the driver's default
   * @return conditions by volume id
   */
  default DriverReply<Map<String, Condition>> listConditions(int pageSize) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /** Calls Controller.ControllerGetVolume and returns the volume's condition. */
  default DriverReply<Condition> getCondition(String volumeId) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Calls Controller.ControllerListVolumeHealth and reads all pages.
   *
   * @param pageSize maximum number of volumes in a page; 0 = the driver's default
   * @return problems by volume id; drivers may omit volumes without a problem
   */
  default DriverReply<Map<String, List<VolumeProblem>>> listHealth(int pageSize) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Calls Controller.ControllerGetVolumeHealth.
   *
   * @return the volume's problems; empty if it has none
   */
  default DriverReply<List<VolumeProblem>> getHealth(String volumeId) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Condition of a volume.
   *
   * @param abnormal whether the driver reports a problem
   * @param message description for users; may be empty
   */
  record Condition(boolean abnormal, String message) {}

  /**
   * A volume that the driver lists.
   *
   * @param capacityBytes size; 0 if the driver does not report it
   * @param nodes ids of the nodes that the volume is published to; empty if the driver does not
   *     report them
   */
  record ListedVolume(long capacityBytes, List<String> nodes) {}

  /**
   * Calls Controller.GetCapacity.
   *
   * @param parameters all parameters of the StorageClass
   * @param segments topology segments; empty for the driver's total capacity
   */
  DriverReply<AvailableCapacity> getCapacity(
      Map<String, String> parameters, Map<String, String> segments);

  /** Calls Controller.CreateSnapshot. Returns OK if the snapshot exists or is being created. */
  default DriverReply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /** Calls Controller.DeleteSnapshot. Returns OK if the snapshot does not exist. */
  default DriverReply<Done> deleteSnapshot(String snapshotId, DriverSecrets secrets) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Calls Controller.ListSnapshots for one snapshot.
   *
   * @return the snapshot; empty if the driver does not have it
   */
  default DriverReply<Optional<CsiSnapshot>> getSnapshot(String snapshotId, DriverSecrets secrets) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Calls GroupController.CreateVolumeGroupSnapshot. Returns OK if the group exists or is being
   * created.
   */
  default DriverReply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /**
   * Calls GroupController.DeleteVolumeGroupSnapshot, which deletes all snapshots of the group.
   * Returns OK if the group does not exist.
   */
  default DriverReply<Done> deleteGroupSnapshot(GroupSnapshotHandle group, DriverSecrets secrets) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  /** Calls GroupController.GetVolumeGroupSnapshot. */
  default DriverReply<CsiGroupSnapshot> getGroupSnapshot(
      GroupSnapshotHandle group, DriverSecrets secrets) {
    return new DriverReply.Refused<>(
        StatusCode.UNIMPLEMENTED, "this connection does not support the call");
  }

  @Override
  void close();

  /**
   * Request for a snapshot.
   *
   * @param name name of the snapshot; equal in every attempt
   * @param volumeId id of the source volume
   * @param parameters parameters of the VolumeSnapshotClass
   * @param secrets credentials for the call
   * @param topologies preferred topology segments of the snapshot; empty for no preference
   */
  record CreateSnapshot(
      String name,
      String volumeId,
      Map<String, String> parameters,
      DriverSecrets secrets,
      List<Map<String, String>> topologies) {}

  /**
   * A snapshot that the driver has taken.
   *
   * @param id id of the snapshot
   * @param sizeBytes minimum size of a volume restored from it; 0 if the driver does not report it
   * @param created time of the snapshot in nanoseconds since the epoch; 0 if the driver does not
   *     report it
   * @param ready whether volumes can be restored from it
   * @param volume id of the source volume; "" if the driver does not report it
   * @param group id of the group snapshot that it belongs to; "" if none
   * @param topologies topology segments where volumes can be restored from it; empty for everywhere
   */
  record CsiSnapshot(
      String id,
      long sizeBytes,
      long created,
      boolean ready,
      String volume,
      String group,
      List<Map<String, String>> topologies) {
    /** Creates a snapshot that belongs to no group and is usable everywhere. */
    public CsiSnapshot(String id, long sizeBytes, long created, boolean ready) {
      this(id, sizeBytes, created, ready, "", "", List.of());
    }
  }

  /**
   * Request for a group snapshot.
   *
   * @param name name of the group; equal in every attempt
   * @param volumeIds ids of the source volumes; the driver takes one snapshot of each
   * @param parameters parameters of the VolumeGroupSnapshotClass
   * @param secrets credentials for the call
   */
  record CreateGroupSnapshot(
      String name, List<String> volumeIds, Map<String, String> parameters, DriverSecrets secrets) {}

  /**
   * Identity of a group snapshot. Contains all snapshots, because drivers without persistent state
   * require them.
   *
   * @param id id of the group
   * @param snapshotIds ids of all snapshots in the group
   */
  record GroupSnapshotHandle(String id, List<String> snapshotIds) {}

  /**
   * A group snapshot that the driver has taken.
   *
   * @param id id of the group
   * @param snapshots all snapshots of the group
   * @param created time of the snapshots in nanoseconds since the epoch; 0 if the driver does not
   *     report it
   * @param ready whether volumes can be restored from all snapshots
   */
  record CsiGroupSnapshot(String id, List<CsiSnapshot> snapshots, long created, boolean ready) {}

  /**
   * Available capacity.
   *
   * @param availableBytes total capacity for new volumes
   * @param maximumVolumeBytes maximum size of one volume; -1 if the driver does not report it
   */
  record AvailableCapacity(long availableBytes, long maximumVolumeBytes) {}

  /** Success without a value. */
  record Done() {}

  /**
   * Request for a volume.
   *
   * @param name name of the volume; equal in every attempt
   * @param requiredBytes minimum size
   * @param accesses intended uses
   * @param parameters parameters of the StorageClass
   * @param secrets credentials for the call
   * @param source initial content; null for an empty volume
   * @param topology allowed locations; null for any
   * @param mutableParameters parameters of the VolumeAttributesClass
   */
  record CreateVolume(
      String name,
      long requiredBytes,
      List<VolumeAccess> accesses,
      Map<String, String> parameters,
      DriverSecrets secrets,
      @Nullable ContentSource source,
      @Nullable Topology topology,
      Map<String, String> mutableParameters) {}

  /**
   * Source of a new volume's content.
   *
   * @param kind type of the source
   * @param id the source's id in the driver
   */
  record ContentSource(Kind kind, String id) {
    /** Type of a content source. */
    public enum Kind {
      SNAPSHOT,
      VOLUME
    }
  }

  /**
   * Locations that a volume may have, as topology segments by key.
   *
   * @param requisite the volume must be reachable from at least one of these
   * @param preferred preferred locations, best first
   */
  record Topology(List<Map<String, String>> requisite, List<Map<String, String>> preferred) {}

  /**
   * A volume that the driver has created.
   *
   * @param id id of the volume
   * @param capacityBytes size; 0 if the driver does not report it
   * @param context volume context, which nodes pass back to the driver
   * @param hasContent whether the driver reports a content source
   * @param topology locations that can reach the volume; empty for all
   */
  record CsiVolume(
      String id,
      long capacityBytes,
      Map<String, String> context,
      boolean hasContent,
      List<Map<String, String>> topology) {}

  /**
   * Request to publish a volume to a node.
   *
   * @param volumeId id of the volume
   * @param nodeId the node's id in the driver
   * @param access intended use on the node
   * @param readOnly whether to publish the volume read-only
   * @param secrets credentials for the call
   * @param context volume context
   */
  record PublishRequest(
      String volumeId,
      String nodeId,
      VolumeAccess access,
      boolean readOnly,
      DriverSecrets secrets,
      Map<String, String> context) {}

  /**
   * Request to expand a volume.
   *
   * @param volumeId id of the volume
   * @param requiredBytes minimum size
   * @param access use of the volume
   * @param secrets credentials for the call
   */
  record ExpandRequest(
      String volumeId, long requiredBytes, VolumeAccess access, DriverSecrets secrets) {}

  /**
   * Result of an expansion.
   *
   * @param capacityBytes new size
   * @param needsNode whether a node must still expand the file system
   */
  record Expanded(long capacityBytes, boolean needsNode) {}
}
