package dev.mooring.csi;

import dev.mooring.csi.decide.Topologies;
import java.time.Duration;

/**
 * How the bridge goes about it; the same for all drivers. The names and defaults are the sidecars'.
 *
 * @param timeout how long a call may take
 * @param workers how many claims, volumes or attachments at once, for each driver
 * @param firstRetry how long what failed waits at first
 * @param lastRetry how long at most
 * @param defaultFsType the file system where the class names none, "" for the driver's choice
 * @param extraMetadata whether the driver is told the names of claim and volume
 * @param publishReadOnly whether a volume that is only read is marked so
 * @param topology how the driver is told where
 * @param verifyPeriod how often the driver's published volumes are compared with what we know
 */
public record CsiConfig(
    Duration timeout,
    int workers,
    Duration firstRetry,
    Duration lastRetry,
    String defaultFsType,
    boolean extraMetadata,
    boolean publishReadOnly,
    Topologies.Policy topology,
    Duration verifyPeriod) {
  /** The sidecars' defaults. */
  public static final CsiConfig DEFAULTS =
      new CsiConfig(
          Duration.ofSeconds(15),
          100,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          "",
          false,
          false,
          Topologies.Policy.DEFAULT,
          Duration.ofMinutes(1));
}
