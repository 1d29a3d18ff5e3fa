package dev.mooring.csi.decide;

/** Something about a driver's volumes on which the cluster and the driver disagree. */
public sealed interface Finding {
  /** For people: what it is. */
  String text();

  /**
   * The driver has a volume that no PersistentVolume stands for.
   *
   * @param id the driver's name for it
   * @param bytes its size, 0 if the driver does not say
   */
  record UnknownVolume(String id, long bytes) implements Finding {
    @Override
    public String text() {
      return "the driver has volume " + id + ", which no PersistentVolume stands for";
    }
  }

  /**
   * A PersistentVolume stands for a volume that the driver does not have.
   *
   * @param volume the PersistentVolume
   * @param id the driver's name for it
   */
  record MissingVolume(String volume, String id) implements Finding {
    @Override
    public String text() {
      return "PersistentVolume "
          + volume
          + " stands for volume "
          + id
          + ", which the driver does not have";
    }
  }

  /**
   * The driver has a volume published on one of our nodes, and no VolumeAttachment says so.
   *
   * @param volume the PersistentVolume
   * @param id the driver's name for it
   * @param node the node
   * @param nodeId the driver's name for it
   */
  record UnknownPublication(String volume, String id, String node, String nodeId)
      implements Finding {
    @Override
    public String text() {
      return "the driver has PersistentVolume "
          + volume
          + " ("
          + id
          + ") published on node "
          + node
          + ", and no VolumeAttachment says so";
    }
  }

  /**
   * The driver reports a volume published to a node id that no CSINode has. The machine may have
   * been replaced and still write, or belong to another cluster.
   *
   * @param volume the PersistentVolume
   * @param id the driver's name for it
   * @param nodeId the driver's name for the node
   */
  record UnknownNode(String volume, String id, String nodeId) implements Finding {
    @Override
    public String text() {
      return "the driver has PersistentVolume "
          + volume
          + " ("
          + id
          + ") published on node id "
          + nodeId
          + ", which no CSINode has, and no VolumeAttachment says so";
    }
  }

  /**
   * A VolumeAttachment says that a volume is attached, and the driver does not have it published.
   *
   * @param attachment the VolumeAttachment
   * @param volume the PersistentVolume, "" for an inline volume
   * @param node the node
   */
  record LostPublication(String attachment, String volume, String node) implements Finding {
    @Override
    public String text() {
      return "VolumeAttachment "
          + attachment
          + " says that "
          + (volume.isEmpty() ? "an inline volume" : "PersistentVolume " + volume)
          + " is attached to node "
          + node
          + ", and the driver does not have it published there";
    }
  }

  /**
   * A VolumeAttachment is about a volume that is not there.
   *
   * @param attachment the VolumeAttachment
   * @param volume the PersistentVolume
   */
  record DanglingAttachment(String attachment, String volume) implements Finding {
    @Override
    public String text() {
      return "VolumeAttachment "
          + attachment
          + " is about PersistentVolume "
          + volume
          + ", which is not there";
    }
  }
}
