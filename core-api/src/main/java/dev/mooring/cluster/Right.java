package dev.mooring.cluster;

import java.util.Locale;

/**
 * One thing that a controller does at the API server and has to be allowed there. Roles are made of
 * these.
 *
 * @param verb what it does
 * @param target what to
 * @param purpose what does not work without it, as the subject of a sentence: "binding claims"
 */
public record Right(Verb verb, Target target, String purpose) {
  /** What can be done, by the names that roles have for it. */
  public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    PATCH,
    UPDATE,
    DELETE;

    /** As it stands in a role. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What it is done to.
   *
   * @param group API group, "" for core
   * @param resource plural, with its subresource if it is about one: {@code nodes/status}
   * @param namespace the only one in which it is done; "" for all, and for what is in none; {@link
   *     #WHERE_CLASSES_SAY} for those that the parameters of classes name
   * @param name of the only object that it is done to, "" for all
   */
  public record Target(String group, String resource, String namespace, String name) {
    /** No namespace is called so: which ones it is about is not known before classes are read. */
    public static final String WHERE_CLASSES_SAY = "?";

    /** Whether it is about one namespace only. */
    public boolean isNamespaced() {
      return !namespace.isEmpty();
    }

    /** The same in that namespace. */
    public Target in(String other) {
      return new Target(group, resource, other, name);
    }

    /** {@code resource.group}, or {@code resource}. */
    @Override
    public String toString() {
      return group.isEmpty() ? resource : resource + "." + group;
    }
  }

  /** The verb and what it is done to. */
  @Override
  public String toString() {
    return verb
        + " "
        + target
        + (target.name.isEmpty() ? "" : " " + target.name)
        + (target.isNamespaced() ? " in " + target.namespace : "");
  }
}
