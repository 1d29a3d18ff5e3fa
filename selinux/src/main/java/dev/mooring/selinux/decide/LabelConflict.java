package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;

/**
 * Conflict between two pods that share a volume.
 *
 * @param pod pod that receives the event
 * @param value the property's value in {@code pod}
 * @param otherValue the property's value in {@code otherPod}
 */
public record LabelConflict(
    Property property, ObjectKey pod, String value, ObjectKey otherPod, String otherValue) {
  public enum Property {
    LABEL("SELinuxLabel"),
    CHANGE_POLICY("SELinuxChangePolicy");

    private final String text;

    Property(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  LabelConflict reversed() {
    return new LabelConflict(property, otherPod, otherValue, pod, value);
  }

  public String reason() {
    return property + "Conflict";
  }

  /** Returns the event message. It names the other pod only if both are in one namespace. */
  public String message() {
    boolean sameNamespace = pod.namespace().equals(otherPod.namespace());
    return property
        + " \""
        + value
        + "\" conflicts with "
        + (sameNamespace
            ? "pod "
                + otherPod.name()
                + ", which uses the same volume with "
                + property
                + " \""
                + otherValue
                + "\""
            : "another pod, which uses the same volume with another " + property)
        + ". If both run on one node, only one of them may access the volume.";
  }
}
