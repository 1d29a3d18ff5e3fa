package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Who uses a volume.
 *
 * @param groups its pods by how they use it, in the order of the uses
 */
public record LabelView(List<Group> groups) {
  /**
   * Pods that use a volume in the same way.
   *
   * @param use how
   * @param pods the first of them by name, at least one; nobody asks for more of them
   */
  public record Group(LabelUse use, List<ObjectKey> pods) {}
}
