package dev.mooring.csi.decide;

/**
 * Options of requests to drivers. Names and defaults are the sidecars'.
 *
 * @param defaultFsType file system if the class sets none; "" for the driver's default
 * @param extraMetadata whether CreateVolume includes the names of claim and volume
 * @param publishReadOnly whether volumes that allow only reading are published read-only
 */
public record DriverOptions(
    String defaultFsType,
    boolean extraMetadata,
    boolean publishReadOnly,
    TopologyRules.Policy topology,
    Claims claims) {
  /**
   * Options of claims.
   *
   * @param modifyMetadata whether ControllerModifyVolume includes the names of claim and volume
   * @param keepMode whether a snapshot restores to another volume mode only if its content allows
   *     it
   * @param waitWhileInUse whether growth waits until the volume is unused, after the driver refused
   *     to grow it in use
   */
  public record Claims(boolean modifyMetadata, boolean keepMode, boolean waitWhileInUse) {
    public static final Claims DEFAULTS = new Claims(false, true, true);
  }

  public static final DriverOptions DEFAULTS =
      new DriverOptions("", false, false, TopologyRules.Policy.DEFAULT, Claims.DEFAULTS);
}
