package dev.mooring.csi.decide;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.spi.csi.VolumeAccess.Mode;
import java.util.ArrayList;
import java.util.List;

/** Maps Kubernetes access modes to CSI access modes (spec/csi-bridge.md 4). */
public final class AccessModeRules {
  /**
   * Properties of a volume that complement its access modes.
   *
   * @param fsType "" for the driver's default
   * @param distinguishesWriters whether the driver supports SINGLE_NODE_MULTI_WRITER and thus
   *     distinguishes one writer on a node from several
   */
  public record VolumeUse(
      VolumeMode volumeMode,
      String fsType,
      List<String> mountOptions,
      boolean distinguishesWriters) {}

  private AccessModeRules() {}

  public static CheckResult<List<VolumeAccess>> each(AccessModes modes, VolumeUse use) {
    if (modes.written().isEmpty()) {
      return new CheckResult.Invalid<>("the claim has no access modes");
    }
    List<VolumeAccess> all = new ArrayList<>();
    for (String mode : modes.written()) {
      switch (combined(AccessModes.of(mode), use)) {
        case CheckResult.Valid<VolumeAccess>(VolumeAccess access) -> all.add(access);
        case CheckResult.Invalid<VolumeAccess>(String why) -> {
          return new CheckResult.Invalid<>(why);
        }
        case CheckResult.Unknown<VolumeAccess>(String why) -> {
          return new CheckResult.Unknown<>(why);
        }
      }
    }
    return new CheckResult.Valid<>(List.copyOf(all));
  }

  public static CheckResult<VolumeAccess> combined(AccessModes modes, VolumeUse use) {
    boolean block = use.volumeMode() == VolumeMode.BLOCK;
    return mode(modes.mask(), use.distinguishesWriters())
        .then(mode ->
            new CheckResult.Valid<>(
                new VolumeAccess(
                    block,
                    block ? "" : use.fsType(),
                    block ? List.of() : List.copyOf(use.mountOptions()),
                    mode)));
  }

  private static CheckResult<Mode> mode(int modes, boolean distinguishesWriters) {
    boolean pod = (modes & AccessModes.READ_WRITE_ONCE_POD) != 0;
    boolean once = (modes & AccessModes.READ_WRITE_ONCE) != 0;
    boolean readers = (modes & AccessModes.READ_ONLY_MANY) != 0;
    if (pod) {
      return modes != AccessModes.READ_WRITE_ONCE_POD
          ? new CheckResult.Invalid<>(
              "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume")
          : new CheckResult.Valid<>(
              distinguishesWriters ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER);
    }
    if ((modes & AccessModes.READ_WRITE_MANY) != 0) {
      return new CheckResult.Valid<>(Mode.MULTI_NODE_MULTI_WRITER);
    }
    if (readers && once) {
      return new CheckResult.Invalid<>(
          "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume");
    }
    if (readers) {
      return new CheckResult.Valid<>(Mode.MULTI_NODE_READER_ONLY);
    }
    return once
        ? new CheckResult.Valid<>(
            distinguishesWriters ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER)
        : new CheckResult.Invalid<>("the volume has no access mode that CSI supports");
  }
}
