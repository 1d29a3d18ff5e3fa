package dev.mooring.csi.decide;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.spi.csi.VolumeAccess.Mode;
import java.util.ArrayList;
import java.util.List;

/** Maps Kubernetes access modes to CSI access modes. */
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

  public static CheckResult<List<VolumeAccess>> mapEach(AccessModes modes, VolumeUse use) {
    if (modes.written().isEmpty()) {
      return new CheckResult.Invalid<>("the claim has no access modes");
    }
    List<VolumeAccess> accesses = new ArrayList<>();
    for (String mode : modes.written()) {
      switch (mapCombined(AccessModes.of(mode), use)) {
        case CheckResult.Valid<VolumeAccess>(VolumeAccess access) -> accesses.add(access);
        case CheckResult.Invalid<VolumeAccess>(String reason) -> {
          return new CheckResult.Invalid<>(reason);
        }
        case CheckResult.Unknown<VolumeAccess>(String reason) -> {
          return new CheckResult.Unknown<>(reason);
        }
      }
    }
    return new CheckResult.Valid<>(List.copyOf(accesses));
  }

  public static CheckResult<VolumeAccess> mapCombined(AccessModes modes, VolumeUse use) {
    boolean isBlock = use.volumeMode() == VolumeMode.BLOCK;
    return mapMode(modes.mask(), use.distinguishesWriters())
        .then(mode ->
            new CheckResult.Valid<>(
                new VolumeAccess(
                    isBlock,
                    isBlock ? "" : use.fsType(),
                    isBlock ? List.of() : List.copyOf(use.mountOptions()),
                    mode)));
  }

  private static CheckResult<Mode> mapMode(int modes, boolean distinguishesWriters) {
    boolean hasPod = (modes & AccessModes.READ_WRITE_ONCE_POD) != 0;
    boolean hasOnce = (modes & AccessModes.READ_WRITE_ONCE) != 0;
    boolean hasReaders = (modes & AccessModes.READ_ONLY_MANY) != 0;
    if (hasPod) {
      return modes != AccessModes.READ_WRITE_ONCE_POD
          ? new CheckResult.Invalid<>(
              "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume")
          : new CheckResult.Valid<>(
              distinguishesWriters ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER);
    }
    if ((modes & AccessModes.READ_WRITE_MANY) != 0) {
      return new CheckResult.Valid<>(Mode.MULTI_NODE_MULTI_WRITER);
    }
    if (hasReaders && hasOnce) {
      return new CheckResult.Invalid<>(
          "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume");
    }
    if (hasReaders) {
      return new CheckResult.Valid<>(Mode.MULTI_NODE_READER_ONLY);
    }
    return hasOnce
        ? new CheckResult.Valid<>(
            distinguishesWriters ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER)
        : new CheckResult.Invalid<>("the volume has no access mode that CSI supports");
  }
}
