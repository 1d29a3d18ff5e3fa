package dev.mooring.storage.decide;

import dev.mooring.model.Claim.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Conditions and annotations of claims and volumes during an expansion. */
public final class ResizeConditions {
  public static final String PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

  public static final String RESIZING = "Resizing";

  public static final String NODE_PENDING = "FileSystemResizePending";

  public static final String CONTROLLER_ERROR = "ControllerResizeError";

  private static final Set<String> OF_RESIZE =
      Set.of(RESIZING, NODE_PENDING, CONTROLLER_ERROR, "NodeResizeError");

  private ResizeConditions() {}

  public static List<Condition> withoutResizeConditions(List<Condition> conditions) {
    return conditions.stream().filter(c -> !OF_RESIZE.contains(c.type())).toList();
  }

  /** Replaces all expansion conditions; keeps the condition unchanged if it is already set. */
  public static List<Condition> replaceAll(List<Condition> conditions, Condition condition) {
    return merge(conditions, condition, c -> !OF_RESIZE.contains(c.type()));
  }

  /** Adds the condition; keeps it unchanged if it is already set. */
  public static List<Condition> add(List<Condition> conditions, Condition condition) {
    return merge(conditions, condition, _ -> true);
  }

  /**
   * Adds the condition at the end with its new transition time; removes other expansion conditions
   * unless {@code keepsOthers}.
   */
  public static List<Condition> renew(
      List<Condition> existing, Condition condition, boolean keepsOthers) {
    List<Condition> result = new ArrayList<>();
    for (Condition present : existing) {
      boolean hasSameType = present.type().equals(condition.type());
      boolean isDropped = OF_RESIZE.contains(present.type()) && !keepsOthers;
      if (!hasSameType && !isDropped) {
        result.add(present);
      }
    }
    result.add(condition);
    return List.copyOf(result);
  }

  private static List<Condition> merge(
      List<Condition> existing, Condition condition, Predicate<Condition> isRetained) {
    List<Condition> result = new ArrayList<>();
    boolean isPresent = false;
    for (Condition present : existing) {
      if (present.type().equals(condition.type())) {
        result.add(present.status().equals(condition.status()) ? present : condition);
        isPresent = true;
      } else if (isRetained.test(present)) {
        result.add(present);
      }
    }
    if (!isPresent) {
      result.add(condition);
    }
    return List.copyOf(result);
  }
}
