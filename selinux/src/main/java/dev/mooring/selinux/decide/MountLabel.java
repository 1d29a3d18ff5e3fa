package dev.mooring.selinux.decide;

import dev.mooring.model.PodMounts.SeLinuxOptions;
import java.util.List;

/**
 * A label as far as a pod says it: {@code user:role:type:level}. Parts that are left out are empty,
 * because only the nodes know their defaults; the level has none.
 *
 * @param text the label, "" for none at all
 */
public record MountLabel(String text) implements Comparable<MountLabel> {
  /** No label. */
  public static final MountLabel NONE = new MountLabel("");

  private static final int PARTS = 4;
  private static final int LEVEL = 3;

  /** The label of those options; options that say nothing are no label. */
  static MountLabel of(SeLinuxOptions options) {
    String text = String.join(":", options.user(), options.role(), options.type(), options.level());
    return text.equals(":::") ? NONE : new MountLabel(text);
  }

  /**
   * Whether the two can be told to be different. Where one leaves out its user, role or type, it
   * may mean the other's; a level that is left out is another one than any level.
   */
  boolean conflicts(MountLabel other) {
    List<String> mine = parts();
    List<String> theirs = other.parts();
    for (int part = 0; part < PARTS; part++) {
      String my = mine.get(part);
      String their = theirs.get(part);
      boolean comparable = part == LEVEL || (!my.isEmpty() && !their.isEmpty());
      if (comparable && !my.equals(their)) {
        return true;
      }
    }
    return false;
  }

  private List<String> parts() {
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
