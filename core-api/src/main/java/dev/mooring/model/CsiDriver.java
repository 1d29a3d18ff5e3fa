package dev.mooring.model;

/**
 * A CSIDriver.
 *
 * @param meta name and version
 * @param attachRequired whether its volumes must be attached; true if the field is missing
 * @param storageCapacity whether capacity is published for it
 * @param seLinuxMount whether its volumes can be mounted with an SELinux label
 */
public record CsiDriver(
    Meta meta, boolean attachRequired, boolean storageCapacity, boolean seLinuxMount)
    implements Resource {

  /** One whose volumes cannot be mounted with a label. */
  public CsiDriver(Meta meta, boolean attachRequired, boolean storageCapacity) {
    this(meta, attachRequired, storageCapacity, false);
  }
}
