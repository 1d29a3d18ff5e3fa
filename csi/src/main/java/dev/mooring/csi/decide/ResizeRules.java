package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Migration;
import dev.mooring.model.Quantity;
import dev.mooring.storage.decide.ResizeConditions;
import java.util.Optional;

/** To what size a volume is grown (spec/expander.md 5). */
public final class ResizeRules {
  private ResizeRules() {}

  /**
   * Whether a claim is to be looked at again. A change to one class that has come to its end may be
   * followed by that to another one, which the user has asked for meanwhile.
   */
  public static boolean concerns(Claim before, Claim now) {
    return before.request().compareTo(now.request()) != 0
        || before.status().storage().compareTo(now.status().storage()) != 0
        || before.status().resize().state() != now.status().resize().state()
        || !before.attributesClass().equals(now.attributesClass())
        || !before.status().attributesClass().equals(now.status().attributesClass())
        || !before
            .meta()
            .annotation(Migration.RESIZER)
            .equals(now.meta().annotation(Migration.RESIZER))
        || before.phase() != now.phase();
  }

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
          allocated == null && holds(claim, ResizeConditions.NODE_PENDING)
              ? Optional.empty()
              : Optional.of(begun);
    };
  }

  private static boolean holds(Claim claim, String type) {
    return claim.status().conditions().stream()
        .anyMatch(c -> c.type().equals(type) && c.status().equals("True"));
  }
}
