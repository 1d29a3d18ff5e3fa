package dev.mooring.csi.decide;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.Access.Mode;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes' access modes in CSI's terms (spec/csi-bridge.md 4). */
public final class Accesses {
  /**
   * How a volume is used, beside its modes.
   *
   * @param volumeMode Filesystem or Block
   * @param fsType the file system, "" for the driver's choice
   * @param mountOptions mount options
   * @param tellsWriters whether the driver tells one writer from many on a node
   *     (SINGLE_NODE_MULTI_WRITER)
   */
  public record Use(
      VolumeMode volumeMode, String fsType, List<String> mountOptions, boolean tellsWriters) {}

  private Accesses() {}

  /** One access for each of a claim's modes, for a volume that is to be made. */
  public static Checked<List<Access>> each(AccessModes modes, Use use) {
    if (modes.written().isEmpty()) {
      return new Checked.Invalid<>("the claim has no access modes");
    }
    List<Access> all = new ArrayList<>();
    for (String mode : modes.written()) {
      switch (whole(AccessModes.of(mode), use)) {
        case Checked.Valid<Access>(Access access) -> all.add(access);
        case Checked.Invalid<Access>(String why) -> {
          return new Checked.Invalid<>(why);
        }
        case Checked.Unknown<Access>(String why) -> {
          return new Checked.Unknown<>(why);
        }
      }
    }
    return new Checked.Valid<>(List.copyOf(all));
  }

  /** The one access that stands for all modes of a volume. */
  public static Checked<Access> whole(AccessModes modes, Use use) {
    boolean block = use.volumeMode() == VolumeMode.BLOCK;
    return mode(modes.mask(), use.tellsWriters())
        .then(mode ->
            new Checked.Valid<>(
                new Access(
                    block,
                    block ? "" : use.fsType(),
                    block ? List.of() : List.copyOf(use.mountOptions()),
                    mode)));
  }

  private static Checked<Mode> mode(int modes, boolean tellsWriters) {
    boolean pod = (modes & AccessModes.READ_WRITE_ONCE_POD) != 0;
    boolean once = (modes & AccessModes.READ_WRITE_ONCE) != 0;
    boolean readers = (modes & AccessModes.READ_ONLY_MANY) != 0;
    if (pod) {
      return modes != AccessModes.READ_WRITE_ONCE_POD
          ? new Checked.Invalid<>(
              "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume")
          : new Checked.Valid<>(
              tellsWriters ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER);
    }
    if ((modes & AccessModes.READ_WRITE_MANY) != 0) {
      return new Checked.Valid<>(Mode.MULTI_NODE_MULTI_WRITER);
    }
    if (readers && once) {
      return new Checked.Invalid<>(
          "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume");
    }
    if (readers) {
      return new Checked.Valid<>(Mode.MULTI_NODE_READER_ONLY);
    }
    return once
        ? new Checked.Valid<>(
            tellsWriters ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER)
        : new Checked.Invalid<>("the volume has no access mode that CSI knows");
  }
}
