package dev.mooring.model.migration;

import dev.mooring.model.Migration;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.Translation.Translated;
import java.util.Optional;

/** Which volumes are a driver's, in-tree ones among them whose work has moved to it. */
public final class DriverVolumes {
  private DriverVolumes() {}

  /** Whether the volume is written down as one of the in-tree plugin whose work the driver does. */
  public static boolean isInTree(Volume volume, String driver) {
    String plugin = Migration.pluginOf(volume.source());
    return !plugin.isEmpty() && Migration.driverOf(plugin).equals(driver);
  }

  /** Its id at the driver; empty if it is none of the driver's, or does not say. */
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
