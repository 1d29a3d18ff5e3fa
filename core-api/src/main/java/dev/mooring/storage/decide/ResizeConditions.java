package dev.mooring.storage.decide;

import dev.mooring.model.Claim.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Conditions and annotations of claims and volumes during an expansion (spec/expander.md 2.3 and
 * 5).
 */
public final class ResizeConditions {
  public static final String PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

  public static final String RESIZING = "Resizing";

  public static final String NODE_PENDING = "FileSystemResizePending";

  public static final String CONTROLLER_ERROR = "ControllerResizeError";

  private static final Set<String> OF_RESIZE =
      Set.of(RESIZING, NODE_PENDING, CONTROLLER_ERROR, "NodeResizeError");

  private ResizeConditions() {}

  public static List<Condition> without(List<Condition> conditions) {
    return conditions.stream().filter(c -> !OF_RESIZE.contains(c.type())).toList();
  }

  /** Replaces all expansion conditions; keeps the condition unchanged if it is already set. */
  public static List<Condition> only(List<Condition> conditions, Condition now) {
    return with(conditions, now, c -> !OF_RESIZE.contains(c.type()));
  }

  /** Adds the condition; keeps it unchanged if it is already set. */
  public static List<Condition> also(List<Condition> conditions, Condition now) {
    return with(conditions, now, _ -> true);
  }

  /**
   * Adds the condition at the end with its new transition time; removes other expansion conditions
   * unless {@code keepOthersOfGrowth}.
   */
  public static List<Condition> renewed(
      List<Condition> before, Condition now, boolean keepOthersOfGrowth) {
    List<Condition> all = new ArrayList<>();
    for (Condition condition : before) {
      boolean same = condition.type().equals(now.type());
      boolean dropped = OF_RESIZE.contains(condition.type()) && !keepOthersOfGrowth;
      if (!same && !dropped) {
        all.add(condition);
      }
    }
    all.add(now);
    return List.copyOf(all);
  }

  private static List<Condition> with(
      List<Condition> before, Condition now, Predicate<Condition> kept) {
    List<Condition> all = new ArrayList<>();
    boolean there = false;
    for (Condition condition : before) {
      if (condition.type().equals(now.type())) {
        all.add(condition.status().equals(now.status()) ? condition : now);
        there = true;
      } else if (kept.test(condition)) {
        all.add(condition);
      }
    }
    if (!there) {
      all.add(now);
    }
    return List.copyOf(all);
  }
}
