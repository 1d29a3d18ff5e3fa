package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;

/**
 * Two pods that cannot use a volume at the same time on a node, as one of them sees it.
 *
 * @param property what they differ in
 * @param pod the one that it is told to
 * @param value what that one has
 * @param other the other one
 * @param otherValue what the other one has
 */
public record Conflict(
    Property property, ObjectKey pod, String value, ObjectKey other, String otherValue) {
  /** What two pods may differ in. */
  public enum Property {
    LABEL("SELinuxLabel"),
    CHANGE_POLICY("SELinuxChangePolicy");

    private final String text;

    Property(String text) {
      this.text = text;
    }

    /** As metrics and events call it. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** The same, as the other one sees it. */
  Conflict reversed() {
    return new Conflict(property, other, otherValue, pod, value);
  }

  /** The event's reason. */
  public String reason() {
    return property + "Conflict";
  }

  /** For people; nothing of another namespace is told. */
  public String message() {
    boolean neighbours = pod.namespace().equals(other.namespace());
    return property
        + " \""
        + value
        + "\" conflicts with "
        + (neighbours
            ? "pod "
                + other.name()
                + ", which uses the same volume with "
                + property
                + " \""
                + otherValue
                + "\""
            : "another pod, which uses the same volume with another " + property)
        + ". If both run on one node, only one of them may access the volume.";
  }
}
