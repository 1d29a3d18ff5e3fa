package dev.mooring.csi.decide;

/**
 * What drivers are asked beside what the cluster's objects say; the names and defaults are the
 * sidecars'.
 *
 * @param defaultFsType the file system where the class names none, "" for the driver's choice
 * @param extraMetadata whether the driver is told the names of claim and volume
 * @param publishReadOnly whether a volume that is only read is marked so
 * @param topology how the driver is told where
 */
public record DriverOptions(
    String defaultFsType,
    boolean extraMetadata,
    boolean publishReadOnly,
    Topologies.Policy topology) {
  /** The sidecars' defaults. */
  public static final DriverOptions DEFAULTS =
      new DriverOptions("", false, false, Topologies.Policy.DEFAULT);
}
