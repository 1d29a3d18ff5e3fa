package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Quantity;
import dev.mooring.storage.decide.ResizeConditions;
import java.util.Optional;

/** Chooses the target size of a volume. */
public final class ResizeRules {
  private ResizeRules() {}

  // Reports whether a change of the claim requires a reconcile. A finished change of the attributes
  // class may be followed by a change to another class, requested meanwhile.
  public static boolean isRelevantChange(Claim old, Claim current) {
    return old.isReplacedBy(current)
        || old.request().compareTo(current.request()) != 0
        || old.status().storage().compareTo(current.status().storage()) != 0
        || old.status().resize().state() != current.status().resize().state()
        || !old.attributesClass().equals(current.attributesClass())
        || !old.status().attributesClass().equals(current.status().attributesClass())
        || !old.meta()
            .annotation(CsiMigration.RESIZER)
            .equals(current.meta().annotation(CsiMigration.RESIZER))
        || old.phase() != current.phase();
  }

  public static Optional<Quantity> chooseTarget(
      Claim claim, Quantity size, boolean isFinallyRefused, boolean growsAtDriver) {
    Quantity requested = claim.request();
    Quantity allocated = claim.status().resize().allocated();
    Quantity startedSize = allocated == null ? requested : allocated;
    ResizeState state = claim.status().resize().state();
    if (size.compareTo(requested) < 0) {
      return switch (state) {
        case NODE_INFEASIBLE -> Optional.of(startedSize);
        case NODE_PENDING, NODE_IN_PROGRESS ->
            size.covers(startedSize)
                ? Optional.of(requested).filter(any -> hasNodeFinished(claim, size))
                : Optional.of(startedSize);
        case CONTROLLER_IN_PROGRESS -> Optional.of(isFinallyRefused ? requested : startedSize);
        case NONE, CONTROLLER_INFEASIBLE -> Optional.of(requested);
      };
    }
    return switch (state) {
      case NODE_PENDING, NODE_IN_PROGRESS -> Optional.empty();
      case NODE_INFEASIBLE -> Optional.of(growsAtDriver ? startedSize : requested);
      case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE -> Optional.of(startedSize);
      case NONE ->
          allocated == null && hasCondition(claim, ResizeConditions.NODE_PENDING)
              ? Optional.empty()
              : Optional.of(startedSize);
    };
  }

  // A late write may restore the state after the kubelet has finished, which then does nothing.
  private static boolean hasNodeFinished(Claim claim, Quantity size) {
    return claim.status().storage().covers(size);
  }

  private static boolean hasCondition(Claim claim, String type) {
    return claim.status().conditions().stream()
        .anyMatch(c -> c.type().equals(type) && c.status().equals("True"));
  }
}
