package dev.mooring.selinux.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.selinux.decide.LabelConflict.Property;
import dev.mooring.selinux.decide.LabelView.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds conflicts between pods that share a volume. */
public final class ConflictDecider {
  /**
   * Maximum number of conflicting pairs per volume. A thousand pods with different labels form half
   * a million pairs; the first hundred are enough to find the cause.
   */
  public static final int MAX_PAIRS = 100;

  private ConflictDecider() {}

  /** Returns the conflicts of a volume's pods: two per pair, one for each pod's event. */
  public static List<LabelConflict> decide(LabelView volume) {
    List<LabelConflict> conflicts = new ArrayList<>();
    int pairs = 0;
    for (int i = 0; i < volume.groups().size(); i++) {
      for (int j = i + 1; j < volume.groups().size(); j++) {
        Group group = volume.groups().get(i);
        Group otherGroup = volume.groups().get(j);
        Set<Property> properties = conflictingProperties(group.use(), otherGroup.use());
        if (properties.isEmpty()) {
          continue;
        }
        for (ObjectKey pod : group.pods()) {
          for (ObjectKey otherPod : otherGroup.pods()) {
            if (pairs++ == MAX_PAIRS) {
              return List.copyOf(conflicts);
            }
            properties.forEach(p ->
                addConflict(
                    conflicts,
                    p,
                    new Side(pod, group.use()),
                    new Side(otherPod, otherGroup.use())));
          }
        }
      }
    }
    return List.copyOf(conflicts);
  }

  private static Set<Property> conflictingProperties(LabelUse use, LabelUse otherUse) {
    Set<Property> properties = new TreeSet<>();
    if (use.label().isConflicting(otherUse.label())) {
      properties.add(Property.LABEL);
    }
    if (!use.changePolicy().equals(otherUse.changePolicy())) {
      properties.add(Property.CHANGE_POLICY);
    }
    return properties;
  }

  private record Side(ObjectKey pod, LabelUse use) {
    String value(Property property) {
      return switch (property) {
        case LABEL -> use.label().text();
        case CHANGE_POLICY -> use.changePolicy();
      };
    }
  }

  private static void addConflict(
      List<LabelConflict> conflicts, Property property, Side side, Side otherSide) {
    LabelConflict conflict =
        new LabelConflict(
            property, side.pod(), side.value(property), otherSide.pod(), otherSide.value(property));
    conflicts.add(conflict);
    conflicts.add(conflict.reversed());
  }
}
