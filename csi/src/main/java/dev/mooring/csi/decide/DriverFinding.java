package dev.mooring.csi.decide;

/** Difference between the cluster and a driver, as {@code doctor} reports it. */
public sealed interface DriverFinding {
  record UnknownVolume(String id, long bytes) implements DriverFinding {}

  record MissingVolume(String volume, String id) implements DriverFinding {}

  record UnknownPublication(String volume, String id, String node, String nodeId)
      implements DriverFinding {}

  /**
   * The driver reports a volume published to a node id that no CSINode has. The machine may have
   * been replaced and still write, or belong to another cluster.
   *
   * @param id the volume's handle
   * @param nodeId the node's id at the driver
   */
  record UnknownNode(String volume, String id, String nodeId) implements DriverFinding {}

  record LostPublication(String attachment, String volume, String node) implements DriverFinding {}

  // A VolumeAttachment names a volume that does not exist.
  record DanglingAttachment(String attachment, String volume) implements DriverFinding {}

  default String text() {
    return switch (this) {
      case UnknownVolume(String id, long _) ->
          "the driver lists volume %s, but no PersistentVolume refers to it".formatted(id);
      case MissingVolume(String volume, String id) ->
          "PersistentVolume %s refers to volume %s, but the driver does not list it"
              .formatted(volume, id);
      case UnknownPublication(String volume, String id, String node, String _) ->
          "the driver lists PersistentVolume %s (%s) as published on node %s, but there is no VolumeAttachment for it"
              .formatted(volume, id, node);
      case UnknownNode(String volume, String id, String nodeId) ->
          "the driver lists PersistentVolume %s (%s) as published on node id %s, which no CSINode has, and there is no VolumeAttachment for it"
              .formatted(volume, id, nodeId);
      case LostPublication(String attachment, String volume, String node) ->
          "VolumeAttachment %s reports that %s is attached to node %s, but the driver does not list it there"
              .formatted(
                  attachment,
                  volume.isEmpty() ? "an inline volume" : "PersistentVolume " + volume,
                  node);
      case DanglingAttachment(String attachment, String volume) ->
          "VolumeAttachment %s names PersistentVolume %s, which does not exist"
              .formatted(attachment, volume);
    };
  }
}
