package dev.mooring.selinux.decide;

import dev.mooring.model.PodMounts.SeLinuxOptions;
import java.util.List;

/**
 * SELinux label from a pod's spec: {@code user:role:type:level}. A part that the pod omits is
 * empty, because only the node knows its default. The level has no default.
 *
 * @param text the label; "" if the pod sets no part
 */
public record MountLabel(String text) implements Comparable<MountLabel> {
  public static final MountLabel NONE = new MountLabel("");

  private static final int PARTS = 4;
  private static final int LEVEL = 3;

  static MountLabel of(SeLinuxOptions options) {
    String text = String.join(":", options.user(), options.role(), options.type(), options.level());
    return text.equals(":::") ? NONE : new MountLabel(text);
  }

  /**
   * Reports whether the labels certainly differ. An omitted user, role or type may equal any other;
   * an omitted level equals only an omitted level.
   */
  boolean isConflicting(MountLabel otherLabel) {
    List<String> labelParts = splitParts();
    List<String> otherParts = otherLabel.splitParts();
    for (int index = 0; index < PARTS; index++) {
      String value = labelParts.get(index);
      String otherValue = otherParts.get(index);
      boolean isComparable = index == LEVEL || (!value.isEmpty() && !otherValue.isEmpty());
      if (isComparable && !value.equals(otherValue)) {
        return true;
      }
    }
    return false;
  }

  private List<String> splitParts() {
    return text.isEmpty() ? List.of("", "", "", "") : List.of(text.split(":", PARTS));
  }

  @Override
  public int compareTo(MountLabel other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
