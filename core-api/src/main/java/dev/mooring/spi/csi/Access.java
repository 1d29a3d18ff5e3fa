package dev.mooring.spi.csi;

import java.util.List;

/**
 * A way in which a volume is used: CSI's VolumeCapability.
 *
 * @param block whether as a block device; else it is mounted
 * @param fsType the file system, "" for the driver's choice or a block device
 * @param mountFlags mount options; empty for a block device
 * @param mode by how many nodes, and whether they write
 */
public record Access(boolean block, String fsType, List<String> mountFlags, Mode mode) {
  /** By how many nodes, and whether they write. */
  public enum Mode {
    SINGLE_NODE_WRITER(1),
    SINGLE_NODE_READER_ONLY(2),
    MULTI_NODE_READER_ONLY(3),
    MULTI_NODE_SINGLE_WRITER(4),
    MULTI_NODE_MULTI_WRITER(5),
    SINGLE_NODE_SINGLE_WRITER(6),
    SINGLE_NODE_MULTI_WRITER(7);

    private final int number;

    Mode(int number) {
      this.number = number;
    }

    /** The number on the wire. */
    public int number() {
      return number;
    }
  }
}
