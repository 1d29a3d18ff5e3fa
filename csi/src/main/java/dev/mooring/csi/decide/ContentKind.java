package dev.mooring.csi.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;

/** Kind of content: of snapshots or of group snapshots. Holds the names that differ. */
public enum ContentKind {
  SNAPSHOT(
      Kind.SNAPSHOT_CONTENT,
      Kind.SNAPSHOT,
      new Names("snapshot", "snapshot", ""),
      new MetadataKeys(
          SnapshotContent.BOUND_PROTECTION,
          SnapshotContent.BEING_CREATED,
          SnapshotContent.BEING_DELETED,
          SnapshotContent.SECRET_NAME,
          SnapshotContent.SECRET_NAMESPACE),
      new DriverCalls(
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          StatusCodeMeanings.Call.CREATE_SNAPSHOT,
          Purpose.LIST)),
  GROUP(
      Kind.GROUP_SNAPSHOT_CONTENT,
      Kind.GROUP_SNAPSHOT,
      new Names("group snapshot", "group", "Group"),
      new MetadataKeys(
          GroupSnapshotContent.BOUND_PROTECTION,
          GroupSnapshotContent.BEING_CREATED,
          GroupSnapshotContent.BEING_DELETED,
          GroupSnapshotContent.SECRET_NAME,
          GroupSnapshotContent.SECRET_NAMESPACE),
      new DriverCalls(
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          StatusCodeMeanings.Call.CREATE_GROUP_SNAPSHOT,
          Purpose.GROUP_GET));

  /**
   * Names in messages and events.
   *
   * @param noun the data at the driver
   * @param owner the object that the content belongs to
   * @param infix part of kinds and event reasons
   */
  public record Names(String noun, String owner, String infix) {}

  // Finalizer and annotations of a content.
  public record MetadataKeys(
      String protectionFinalizer,
      String beingCreated,
      String beingDeleted,
      String secretName,
      String secretNamespace) {}

  /**
   * Calls of the driver.
   *
   * @param createCapability capability to create and delete
   * @param queryCapability capability to query
   * @param querySecretPurpose purpose of the Secret of a query
   */
  public record DriverCalls(
      DriverCapability createCapability,
      DriverCapability queryCapability,
      StatusCodeMeanings.Call creation,
      Purpose querySecretPurpose) {}

  private final Kind<? extends Resource> content;
  private final Kind<? extends Resource> owner;
  private final Names names;
  private final MetadataKeys keys;
  private final DriverCalls calls;

  ContentKind(
      Kind<? extends Resource> content,
      Kind<? extends Resource> owner,
      Names names,
      MetadataKeys keys,
      DriverCalls calls) {
    this.content = content;
    this.owner = owner;
    this.names = names;
    this.keys = keys;
    this.calls = calls;
  }

  public Kind<? extends Resource> content() {
    return content;
  }

  // Returns the kind of the snapshots or group snapshots that contents belong to.
  public Kind<? extends Resource> owner() {
    return owner;
  }

  public Names names() {
    return names;
  }

  public MetadataKeys keys() {
    return keys;
  }

  public DriverCalls calls() {
    return calls;
  }

  public String classKind() {
    return "Volume" + names.infix() + "SnapshotClass";
  }
}
