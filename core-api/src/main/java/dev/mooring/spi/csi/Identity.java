package dev.mooring.spi.csi;

import java.util.Set;

/**
 * Who a driver is and what it can do.
 *
 * @param name its name
 * @param version its own version, "" if it does not say
 * @param abilities what it can do
 */
public record Identity(String name, String version, Set<Ability> abilities) {
  /** Whether it can do that. */
  public boolean can(Ability ability) {
    return abilities.contains(ability);
  }

  /** What a driver may be able to do; those that nobody here asks for are left out. */
  public enum Ability {
    /** Its Controller service is there at all. */
    CONTROLLER_SERVICE(Service.PLUGIN, 1),
    /** Not every volume is reachable from everywhere. */
    VOLUME_ACCESSIBILITY_CONSTRAINTS(Service.PLUGIN, 2),
    /** Its GroupController service is there. */
    GROUP_CONTROLLER_SERVICE(Service.PLUGIN, 3),
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
    /** It says in what condition volumes are. */
    VOLUME_CONDITION(Service.CONTROLLER, 11),
    /** One volume can be asked about. */
    GET_VOLUME(Service.CONTROLLER, 12),
    SINGLE_NODE_MULTI_WRITER(Service.CONTROLLER, 13),
    MODIFY_VOLUME(Service.CONTROLLER, 14),
    /** It makes snapshots of several volumes that are all of the same moment. */
    CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT(Service.GROUP_CONTROLLER, 1),
    /** The node side grows file systems. */
    NODE_EXPAND_VOLUME(Service.NODE, 3);

    private final Service service;
    private final int number;

    Ability(Service service, int number) {
      this.service = service;
      this.number = number;
    }

    /** Whose capability it is. */
    public Service service() {
      return service;
    }

    /** Its number among those of the service. */
    public int number() {
      return number;
    }
  }

  /** The services that say what they can do. */
  public enum Service {
    PLUGIN,
    CONTROLLER,
    GROUP_CONTROLLER,
    NODE
  }
}
