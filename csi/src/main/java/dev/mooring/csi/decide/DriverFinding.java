package dev.mooring.csi.decide;

/** Difference between the cluster and a driver, as {@code doctor} reports it. */
public sealed interface DriverFinding {
  String text();

  record UnknownVolume(String id, long bytes) implements DriverFinding {
    @Override
    public String text() {
      return "the driver has volume " + id + ", which no PersistentVolume refers to";
    }
  }

  record MissingVolume(String volume, String id) implements DriverFinding {
    @Override
    public String text() {
      return "PersistentVolume "
          + volume
          + " refers to volume "
          + id
          + ", which the driver does not have";
    }
  }

  record UnknownPublication(String volume, String id, String node, String nodeId)
      implements DriverFinding {
    @Override
    public String text() {
      return "the driver has PersistentVolume "
          + volume
          + " ("
          + id
          + ") published on node "
          + node
          + ", and no VolumeAttachment accounts for it";
    }
  }

  /**
   * The driver reports a volume published to a node id that no CSINode has. The machine may have
   * been replaced and still write, or belong to another cluster.
   *
   * @param id the volume's handle
   * @param nodeId the node's id at the driver
   */
  record UnknownNode(String volume, String id, String nodeId) implements DriverFinding {
    @Override
    public String text() {
      return "the driver has PersistentVolume "
          + volume
          + " ("
          + id
          + ") published on node id "
          + nodeId
          + ", which no CSINode has, and no VolumeAttachment accounts for it";
    }
  }

  record LostPublication(String attachment, String volume, String node) implements DriverFinding {
    @Override
    public String text() {
      return "VolumeAttachment "
          + attachment
          + " reports that "
          + (volume.isEmpty() ? "an inline volume" : "PersistentVolume " + volume)
          + " is attached to node "
          + node
          + ", and the driver does not have it published there";
    }
  }

  // A VolumeAttachment names a volume that does not exist.
  record DanglingAttachment(String attachment, String volume) implements DriverFinding {
    @Override
    public String text() {
      return "VolumeAttachment "
          + attachment
          + " names PersistentVolume "
          + volume
          + ", which does not exist";
    }
  }
}
