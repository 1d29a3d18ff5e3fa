package dev.mooring.model.migration;

import dev.mooring.model.CsiMigration;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.VolumeTranslation.Translated;
import java.util.Optional;

/** Determines the volumes of a CSI driver, including in-tree volumes that are migrated to it. */
public final class DriverVolumes {
  private DriverVolumes() {}

  public static boolean isInTree(Volume volume, String driver) {
    String plugin = CsiMigration.pluginOf(volume.source());
    return !plugin.isEmpty() && CsiMigration.driverOf(plugin).equals(driver);
  }

  /** Returns the driver's volume id; empty if the volume belongs to another driver or has no id. */
  public static Optional<String> handle(Volume volume, String driver) {
    if (volume.source().type().equals("csi")) {
      String handle = volume.source().attribute("volumeHandle");
      return volume.source().attribute("driver").equals(driver) && !handle.isEmpty()
          ? Optional.of(handle)
          : Optional.empty();
    }
    return isInTree(volume, driver)
            && InTreeVolumes.translate(volume) instanceof Translated(var translated)
        ? Optional.of(translated.handle())
        : Optional.empty();
  }
}
