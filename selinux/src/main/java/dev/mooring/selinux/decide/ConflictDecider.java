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
        Group one = volume.groups().get(i);
        Group two = volume.groups().get(j);
        Set<Property> properties = properties(one.use(), two.use());
        if (properties.isEmpty()) {
          continue;
        }
        for (ObjectKey pod : one.pods()) {
          for (ObjectKey other : two.pods()) {
            if (pairs++ == MAX_PAIRS) {
              return List.copyOf(conflicts);
            }
            properties.forEach(
                p -> add(conflicts, p, new Side(pod, one.use()), new Side(other, two.use())));
          }
        }
      }
    }
    return List.copyOf(conflicts);
  }

  private static Set<Property> properties(LabelUse one, LabelUse two) {
    Set<Property> properties = new TreeSet<>();
    if (one.label().conflicts(two.label())) {
      properties.add(Property.LABEL);
    }
    if (!one.changePolicy().equals(two.changePolicy())) {
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

  private static void add(List<LabelConflict> to, Property property, Side one, Side two) {
    LabelConflict conflict =
        new LabelConflict(property, one.pod(), one.value(property), two.pod(), two.value(property));
    to.add(conflict);
    to.add(conflict.reversed());
  }
}
