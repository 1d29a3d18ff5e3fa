package dev.mooring.spi.csi;

import java.util.List;

/**
 * Intended use of a volume: CSI's VolumeCapability.
 *
 * @param block true for a block device, false for a mounted file system
 * @param fsType file system; "" for the driver's default or a block device
 * @param mountFlags mount options; empty for a block device
 * @param mode number of nodes and whether they write
 */
public record VolumeAccess(boolean block, String fsType, List<String> mountFlags, Mode mode) {
  /** Access mode of CSI: number of nodes and whether they write. */
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

    /** Returns the number in CSI's protocol. */
    public int number() {
      return number;
    }
  }
}
