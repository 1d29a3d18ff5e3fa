package dev.mooring.storage.decide;

import dev.mooring.model.Claim.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What a claim and its volume say while they grow (spec/expander.md 2.3 and 5). */
public final class ResizeConditions {
  /** Annotation of a volume: what its claim had before the volume began to grow. */
  public static final String PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

  /** The volume is being made larger. */
  public static final String RESIZING = "Resizing";

  /** A node has yet to make the file system larger. */
  public static final String NODE_PENDING = "FileSystemResizePending";

  /** The storage refused. */
  public static final String CONTROLLER_ERROR = "ControllerResizeError";

  private static final Set<String> OF_RESIZE =
      Set.of(RESIZING, NODE_PENDING, CONTROLLER_ERROR, "NodeResizeError");

  private ResizeConditions() {}

  /** Those that have nothing to do with growth. */
  public static List<Condition> without(List<Condition> conditions) {
    return conditions.stream().filter(c -> !OF_RESIZE.contains(c.type())).toList();
  }

  /** That one holds, and no other of growth; if it held before it stays as it is. */
  public static List<Condition> only(List<Condition> conditions, Condition now) {
    return with(conditions, now, c -> !OF_RESIZE.contains(c.type()));
  }

  /** That one holds too; if it held before it stays as it is. */
  public static List<Condition> also(List<Condition> conditions, Condition now) {
    return with(conditions, now, _ -> true);
  }

  /** Those conditions, with that one new, the last; others of growth go unless they are kept. */
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
