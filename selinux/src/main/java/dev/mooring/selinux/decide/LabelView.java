package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Pods of one volume, grouped by label and policy.
 *
 * @param groups groups in the order of {@link LabelUse}
 */
public record LabelView(List<Group> groups) {
  /**
   * Pods with the same label and policy.
   *
   * @param pods at least one; the first by name, up to the limit of the view
   */
  public record Group(LabelUse use, List<ObjectKey> pods) {}
}
