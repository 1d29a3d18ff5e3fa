package dev.mooring.model;

/**
 * A CSIDriver.
 *
 * @param meta name and version
 * @param attachRequired whether volumes must be attached; true if the field is absent
 * @param storageCapacity whether CSIStorageCapacity objects are published for the driver
 * @param seLinuxMount whether volumes can be mounted with an SELinux label
 */
public record CsiDriver(
    Meta meta, boolean attachRequired, boolean storageCapacity, boolean seLinuxMount)
    implements Resource {

  public CsiDriver(Meta meta, boolean attachRequired, boolean storageCapacity) {
    this(meta, attachRequired, storageCapacity, false);
  }
}
