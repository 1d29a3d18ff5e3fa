package dev.mooring.spi.csi;

import dev.mooring.spi.csi.Identity.Ability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One driver's socket. Every call blocks until the driver has answered or the time is over; nothing
 * is tried twice. An interrupt ends the wait with {@link StatusCode#CANCELLED}, which leaves open
 * what the driver does. Thread-safe.
 */
public interface CsiConnection extends AutoCloseable {
  /** Whether the driver is ready: Identity.Probe. A driver that does not say is. */
  Reply<Boolean> probe();

  /**
   * Who the driver is and what it and its controller service can do; its node service is not asked.
   */
  Reply<Identity> identify();

  /**
   * What its node service can do: Node.NodeGetCapabilities. Needed only of drivers whose controller
   * service does not grow volumes; many controller sockets have no node service.
   *
   * @return abilities of {@link Identity.Service#NODE}, none if the service is not there
   */
  default Reply<Set<Ability>> nodeAbilities() {
    return new Reply.Ok<>(Set.of());
  }

  /**
   * Calls that whenever a connection that was up is lost: what listens there next may be another
   * driver. An answer of the driver, whatever its code, is no loss. A connection that cannot notice
   * never calls.
   *
   * @param listener must be quick and must not call the driver; called on the transport's thread
   */
  default void onLoss(Runnable listener) {}

  /** Controller.CreateVolume. */
  Reply<CsiVolume> createVolume(CreateVolume request);

  /** Controller.DeleteVolume; OK too if there is no such volume. */
  Reply<Done> deleteVolume(String volumeId, Secrets secrets);

  /** Controller.ControllerPublishVolume; the publish context. */
  Reply<Map<String, String>> publish(Publish request);

  /** Controller.ControllerUnpublishVolume; OK too if it is not published. */
  Reply<Done> unpublish(String volumeId, String nodeId, Secrets secrets);

  /** Controller.ControllerExpandVolume. */
  Reply<Expanded> expand(Expand request);

  /** Controller.ControllerModifyVolume. */
  Reply<Done> modify(String volumeId, Secrets secrets, Map<String, String> mutableParameters);

  /**
   * Controller.ListVolumes, every page.
   *
   * @return the volumes by their ids
   */
  Reply<Map<String, Listed>> volumes();

  /**
   * The same, in pages of a size.
   *
   * @param pageSize how many volumes a page may hold; 0 for as many as the driver likes
   */
  default Reply<Map<String, Listed>> volumes(int pageSize) {
    return volumes();
  }

  /**
   * Controller.ListVolumes, every page, for the volumes' conditions.
   *
   * @param pageSize how many volumes a page may hold; 0 for as many as the driver likes
   * @return the conditions by the volumes' ids
   */
  default Reply<Map<String, Condition>> conditions(int pageSize) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /** Controller.ControllerGetVolume, for its condition. */
  default Reply<Condition> condition(String volumeId) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /**
   * In what condition a volume is.
   *
   * @param abnormal whether something is wrong with it
   * @param message what, for people; may be empty
   */
  record Condition(boolean abnormal, String message) {}

  /**
   * A volume that the driver has.
   *
   * @param capacityBytes how large; 0 if the driver does not say
   * @param nodes the nodes, by their ids, that it is published on; empty if the driver does not say
   */
  record Listed(long capacityBytes, List<String> nodes) {}

  /**
   * Controller.GetCapacity.
   *
   * @param parameters the class's parameters, all of them
   * @param segments the place; empty for all there is
   */
  Reply<Room> capacity(Map<String, String> parameters, Map<String, String> segments);

  /** Controller.CreateSnapshot; OK too if that snapshot is there, or is being made. */
  default Reply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /** Controller.DeleteSnapshot; OK too if there is no such snapshot. */
  default Reply<Done> deleteSnapshot(String snapshotId, Secrets secrets) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /**
   * Controller.ListSnapshots, for one snapshot.
   *
   * @return the snapshot; empty if the driver has none of that id
   */
  default Reply<Optional<CsiSnapshot>> snapshot(String snapshotId, Secrets secrets) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /** GroupController.CreateVolumeGroupSnapshot; OK too if that group is there, or is being made. */
  default Reply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /**
   * GroupController.DeleteVolumeGroupSnapshot, with all of its snapshots; OK too if there is no
   * such group.
   */
  default Reply<Done> deleteGroupSnapshot(GroupHandles group, Secrets secrets) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  /** GroupController.GetVolumeGroupSnapshot. */
  default Reply<CsiGroupSnapshot> groupSnapshot(GroupHandles group, Secrets secrets) {
    return new Reply.Refused<>(StatusCode.UNIMPLEMENTED, "this connection does not ask for it");
  }

  @Override
  void close();

  /**
   * What a snapshot is to be.
   *
   * @param name its name, the same at every try
   * @param volumeId the volume that it is made of
   * @param parameters the class's parameters
   * @param secrets credentials
   */
  record CreateSnapshot(
      String name, String volumeId, Map<String, String> parameters, Secrets secrets) {}

  /**
   * A snapshot that was cut.
   *
   * @param id its id
   * @param sizeBytes how large a volume has to be that is filled from it; 0 if the driver does not
   *     say
   * @param created when it was cut, in nanoseconds since the epoch; 0 if the driver does not say
   * @param ready whether volumes can be filled from it
   * @param volume the id of the volume that it was cut of, "" if the driver does not say
   * @param group the id of the group that it was cut with, "" for none
   */
  record CsiSnapshot(
      String id, long sizeBytes, long created, boolean ready, String volume, String group) {
    /** Of no group. */
    public CsiSnapshot(String id, long sizeBytes, long created, boolean ready) {
      this(id, sizeBytes, created, ready, "", "");
    }
  }

  /**
   * What a group of snapshots is to be.
   *
   * @param name its name, the same at every try
   * @param volumeIds the volumes, one snapshot of each
   * @param parameters the class's parameters
   * @param secrets credentials
   */
  record CreateGroupSnapshot(
      String name, List<String> volumeIds, Map<String, String> parameters, Secrets secrets) {}

  /**
   * A group of snapshots, named with all of them as drivers without a memory want it.
   *
   * @param id the group's id
   * @param snapshotIds the snapshots' ids
   */
  record GroupHandles(String id, List<String> snapshotIds) {}

  /**
   * A group of snapshots that was cut.
   *
   * @param id its id
   * @param snapshots its snapshots
   * @param created when it was cut, in nanoseconds since the epoch; 0 if the driver does not say
   * @param ready whether volumes can be filled from all of them
   */
  record CsiGroupSnapshot(String id, List<CsiSnapshot> snapshots, long created, boolean ready) {}

  /**
   * How much room there is.
   *
   * @param availableBytes for volumes
   * @param maximumVolumeBytes for one volume; -1 if the driver does not say
   */
  record Room(long availableBytes, long maximumVolumeBytes) {}

  /** It is done; there is nothing to say about it. */
  record Done() {}

  /**
   * What a volume is to be.
   *
   * @param name its name, the same at every try
   * @param requiredBytes how large at least
   * @param accesses the ways in which it will be used
   * @param parameters the class's parameters
   * @param secrets credentials
   * @param source what it is to hold; null for nothing
   * @param topology where it may be; null for anywhere
   * @param mutableParameters the VolumeAttributesClass's parameters
   */
  record CreateVolume(
      String name,
      long requiredBytes,
      List<Access> accesses,
      Map<String, String> parameters,
      Secrets secrets,
      @Nullable Content source,
      @Nullable Topology topology,
      Map<String, String> mutableParameters) {}

  /**
   * What a new volume is filled with.
   *
   * @param kind a snapshot or another volume
   * @param id its id at the driver
   */
  record Content(Kind kind, String id) {
    /** What the id names. */
    public enum Kind {
      SNAPSHOT,
      VOLUME
    }
  }

  /**
   * Where a volume may be, as segments by key.
   *
   * @param requisite it has to be reachable from one of these
   * @param preferred the same, best first
   */
  record Topology(List<Map<String, String>> requisite, List<Map<String, String>> preferred) {}

  /**
   * A volume that exists.
   *
   * @param id its id
   * @param capacityBytes how large; 0 if the driver does not say
   * @param context what the node needs to know
   * @param hasContent whether the driver says what it was filled with
   * @param topology from where it is reachable; empty for anywhere
   */
  record CsiVolume(
      String id,
      long capacityBytes,
      Map<String, String> context,
      boolean hasContent,
      List<Map<String, String>> topology) {}

  /**
   * A volume for a node.
   *
   * @param volumeId the volume
   * @param nodeId the node's id at the driver
   * @param access how it is used there
   * @param readOnly whether it is not written to
   * @param secrets credentials
   * @param context the volume's context
   */
  record Publish(
      String volumeId,
      String nodeId,
      Access access,
      boolean readOnly,
      Secrets secrets,
      Map<String, String> context) {}

  /**
   * A volume that is to be larger.
   *
   * @param volumeId the volume
   * @param requiredBytes how large at least
   * @param access how it is used
   * @param secrets credentials
   */
  record Expand(String volumeId, long requiredBytes, Access access, Secrets secrets) {}

  /**
   * A volume that is larger.
   *
   * @param capacityBytes how large
   * @param needsNode whether a node has to grow the file system
   */
  record Expanded(long capacityBytes, boolean needsNode) {}
}
