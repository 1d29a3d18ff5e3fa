package dev.mooring.spi.csi;

import java.util.Set;

/**
 * Identity and abilities of a driver.
 *
 * @param name name of the driver
 * @param version the vendor's version; "" if the driver does not report it
 * @param abilities all reported abilities that the host knows
 */
public record DriverIdentity(String name, String version, Set<DriverCapability> abilities) {
  /** Returns whether the driver has the ability. */
  public boolean can(DriverCapability ability) {
    return abilities.contains(ability);
  }

  /** Abilities that a driver may report. Contains only those that the host uses. */
  public enum DriverCapability {
    /** The driver has a Controller service. */
    CONTROLLER_SERVICE(Service.PLUGIN, 1),
    /** Some nodes cannot reach some volumes. */
    VOLUME_ACCESSIBILITY_CONSTRAINTS(Service.PLUGIN, 2),
    /** The driver has a GroupController service. */
    GROUP_CONTROLLER_SERVICE(Service.PLUGIN, 3),
    /** Volumes cannot be restored everywhere from every snapshot (CSI 1.13). */
    SNAPSHOT_ACCESSIBILITY_CONSTRAINTS(Service.PLUGIN, 5),
    CREATE_DELETE_VOLUME(Service.CONTROLLER, 1),
    PUBLISH_UNPUBLISH_VOLUME(Service.CONTROLLER, 2),
    LIST_VOLUMES(Service.CONTROLLER, 3),
    GET_CAPACITY(Service.CONTROLLER, 4),
    CREATE_DELETE_SNAPSHOT(Service.CONTROLLER, 5),
    LIST_SNAPSHOTS(Service.CONTROLLER, 6),
    CLONE_VOLUME(Service.CONTROLLER, 7),
    PUBLISH_READONLY(Service.CONTROLLER, 8),
    EXPAND_VOLUME(Service.CONTROLLER, 9),
    LIST_VOLUMES_PUBLISHED_NODES(Service.CONTROLLER, 10),
    /** The driver reports the condition of volumes; CSI 1.13 has no such ability. */
    VOLUME_CONDITION(Service.CONTROLLER, 11),
    /** The driver implements ControllerGetVolume. */
    GET_VOLUME(Service.CONTROLLER, 12),
    SINGLE_NODE_MULTI_WRITER(Service.CONTROLLER, 13),
    MODIFY_VOLUME(Service.CONTROLLER, 14),
    /** The driver implements ControllerGetVolumeHealth (CSI 1.13). */
    GET_VOLUME_HEALTH(Service.CONTROLLER, 16),
    /** The driver implements ControllerListVolumeHealth (CSI 1.13). */
    LIST_VOLUME_HEALTH(Service.CONTROLLER, 17),
    /** The driver takes consistent snapshots of several volumes. */
    CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT(Service.GROUP_CONTROLLER, 1),
    /** The node service expands file systems. */
    NODE_EXPAND_VOLUME(Service.NODE, 3);

    private final Service service;
    private final int number;

    DriverCapability(Service service, int number) {
      this.service = service;
      this.number = number;
    }

    /** Returns the service that reports the ability. */
    public Service service() {
      return service;
    }

    /** Returns the number in the service's capability enum. */
    public int number() {
      return number;
    }
  }

  /** Services that report abilities. */
  public enum Service {
    PLUGIN,
    CONTROLLER,
    GROUP_CONTROLLER,
    NODE
  }
}
