package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Pods of one volume, grouped by label and policy.
 *
 * @param groups groups in the order of {@link LabelUse}
 */
public record LabelView(List<Group> groups) {
  public record Group(LabelUse use, List<ObjectKey> pods) {}
}
