package dev.mooring.cluster;

import java.util.Locale;

/**
 * RBAC permission of a controller. The generated roles consist of these.
 *
 * @param purpose function that fails without it, as the subject of a sentence: "binding claims"
 */
public record RbacRule(Verb verb, Target target, String purpose) {
  public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    PATCH,
    UPDATE,
    DELETE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Resources that a right covers.
   *
   * @param group API group; "" for core
   * @param resource plural, with the subresource if any: {@code nodes/status}
   * @param namespace "" for all namespaces and for cluster-scoped objects; {@link
   *     #WHERE_CLASSES_SAY} for the namespaces named in parameters of classes
   * @param name the only object covered; "" for all
   */
  public record Target(String group, String resource, String namespace, String name) {
    /**
     * Placeholder: the namespaces are known only after the classes have been read. Not a valid
     * name.
     */
    public static final String NAMESPACES_OF_CLASSES = "?";

    public boolean isNamespaced() {
      return !namespace.isEmpty();
    }

    public Target inNamespace(String newNamespace) {
      return new Target(group, resource, newNamespace, name);
    }

    @Override
    public String toString() {
      return group.isEmpty() ? resource : resource + "." + group;
    }
  }

  @Override
  public String toString() {
    return verb
        + " "
        + target
        + (target.name.isEmpty() ? "" : " " + target.name)
        + (target.isNamespaced() ? " in " + target.namespace : "");
  }
}
