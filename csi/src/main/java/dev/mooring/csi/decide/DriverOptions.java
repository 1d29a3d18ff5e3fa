package dev.mooring.csi.decide;

/**
 * What drivers are asked beside what the cluster's objects say; the names and defaults are the
 * sidecars'.
 *
 * @param defaultFsType the file system where the class names none, "" for the driver's choice
 * @param extraMetadata whether the driver is told the names of claim and volume when it makes one
 * @param publishReadOnly whether a volume that is only read is marked so
 * @param topology how the driver is told where
 * @param claims how claims are served
 */
public record DriverOptions(
    String defaultFsType,
    boolean extraMetadata,
    boolean publishReadOnly,
    Topologies.Policy topology,
    Claims claims) {
  /**
   * How claims are served.
   *
   * @param modifyMetadata whether the driver is told the names of claim and volume when it changes
   *     one
   * @param keepMode whether a snapshot of a volume of one mode makes volumes of the other only if
   *     its content allows that
   * @param waitWhileInUse whether a volume that the driver does not grow while it is in use is not
   *     asked for before it is not
   */
  public record Claims(boolean modifyMetadata, boolean keepMode, boolean waitWhileInUse) {
    /** The sidecars' defaults. */
    public static final Claims DEFAULTS = new Claims(false, true, true);
  }

  /** The sidecars' defaults. */
  public static final DriverOptions DEFAULTS =
      new DriverOptions("", false, false, Topologies.Policy.DEFAULT, Claims.DEFAULTS);
}
