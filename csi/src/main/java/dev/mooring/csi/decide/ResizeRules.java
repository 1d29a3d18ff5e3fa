package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** To what size a volume is grown, and what the claim says meanwhile (spec/expander.md 5). */
public final class ResizeRules {
  /** The volume is being made larger. */
  public static final String RESIZING = "Resizing";

  /** A node has yet to make the file system larger. */
  public static final String NODE_PENDING = "FileSystemResizePending";

  /** The driver refused. */
  public static final String CONTROLLER_ERROR = "ControllerResizeError";

  private static final Set<String> OF_RESIZE =
      Set.of(RESIZING, NODE_PENDING, CONTROLLER_ERROR, "NodeResizeError");

  private ResizeRules() {}

  /**
   * The size to ask the driver for; empty if it is not asked.
   *
   * @param size the volume's size
   * @param refusedForGood whether the driver refused the last size, and nothing is running
   * @param atDriver whether the driver itself grows volumes, not only its node side
   */
  public static Optional<Quantity> target(
      Claim claim, Quantity size, boolean refusedForGood, boolean atDriver) {
    Quantity asked = claim.request();
    Quantity allocated = claim.status().resize().allocated();
    Quantity begun = allocated == null ? asked : allocated;
    ResizeState state = claim.status().resize().state();
    if (size.compareTo(asked) < 0) {
      return switch (state) {
        case NODE_INFEASIBLE -> Optional.of(begun);
        case NODE_PENDING, NODE_IN_PROGRESS ->
            size.covers(begun) ? Optional.empty() : Optional.of(begun);
        case CONTROLLER_IN_PROGRESS -> Optional.of(refusedForGood ? asked : begun);
        case NONE, CONTROLLER_INFEASIBLE -> Optional.of(asked);
      };
    }
    return switch (state) {
      case NODE_PENDING, NODE_IN_PROGRESS -> Optional.empty();
      case NODE_INFEASIBLE -> Optional.of(atDriver ? begun : asked);
      case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE -> Optional.of(begun);
      case NONE ->
          allocated == null && holds(claim, NODE_PENDING) ? Optional.empty() : Optional.of(begun);
    };
  }

  private static boolean holds(Claim claim, String type) {
    return claim.status().conditions().stream()
        .anyMatch(c -> c.type().equals(type) && c.status().equals("True"));
  }

  /** Those conditions, with that one new; others of growth go unless they are kept. */
  public static List<Condition> with(
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

  /** Those conditions that have nothing to do with growth. */
  public static List<Condition> without(List<Condition> before) {
    return before.stream().filter(c -> !OF_RESIZE.contains(c.type())).toList();
  }
}
