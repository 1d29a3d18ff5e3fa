package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the VolumeAttributesClass that a volume is changed to. */
public final class ModifyRules {
  // Condition type: a change is in progress.
  public static final String MODIFYING = "ModifyingVolume";

  // Condition type: the last change failed.
  public static final String ERROR = "ModifyVolumeError";

  // State: the class does not exist yet.
  public static final String PENDING = "Pending";

  // State: the driver may be working on the change.
  public static final String IN_PROGRESS = "InProgress";

  // State: the driver refused permanently.
  public static final String INFEASIBLE = "Infeasible";

  private static final Set<String> MODIFY_CONDITIONS = Set.of(MODIFYING, ERROR);

  public sealed interface ModifyPlan {
    record Nothing() implements ModifyPlan {}

    // The request was withdrawn before the driver was called: remove the conditions.
    record Cancel() implements ModifyPlan {}

    // isResumed: the driver may be working on the change.
    record Change(String target, boolean isResumed) implements ModifyPlan {}
  }

  private ModifyRules() {}

  // The API server refuses a class on an in-tree volume, even if a CSI driver serves it.
  public static boolean canHaveClass(Volume volume) {
    return volume.source().type().equals("csi");
  }

  public static ModifyPlan plan(Claim claim, boolean mayBeCalling) {
    String requested = claim.attributesClass();
    Claim.Modification modification = claim.status().modification();
    boolean hasNoModification = modification.equals(Claim.Modification.NONE);
    if (hasNoModification && requested.equals(claim.status().attributesClass())) {
      return new ModifyPlan.Nothing();
    }
    boolean isInProgress = modification.state().equals(IN_PROGRESS);
    if (isInProgress && (mayBeCalling || requested.isEmpty())) {
      return new ModifyPlan.Change(modification.target(), true);
    }
    if (!requested.isEmpty()) {
      return new ModifyPlan.Change(requested, false);
    }
    boolean hasCondition =
        claim.status().conditions().stream().anyMatch(c -> c.type().equals(MODIFYING));
    return hasCondition ? new ModifyPlan.Cancel() : new ModifyPlan.Nothing();
  }

  public static List<Condition> withoutModifyConditions(List<Condition> conditions) {
    return conditions.stream().filter(c -> !MODIFY_CONDITIONS.contains(c.type())).toList();
  }

  // A condition with the same status and reason keeps its transition time.
  public static List<Condition> mergeConditions(
      List<Condition> conditions, List<Condition> newConditions) {
    List<Condition> merged = new ArrayList<>();
    Map<String, Condition> replacedConditions = new HashMap<>();
    for (Condition condition : conditions) {
      if (newConditions.stream().anyMatch(n -> n.type().equals(condition.type()))) {
        replacedConditions.put(condition.type(), condition);
      } else {
        merged.add(condition);
      }
    }
    for (Condition condition : newConditions) {
      merged.add(keepTransition(condition, replacedConditions.get(condition.type())));
    }
    return List.copyOf(merged);
  }

  private static Condition keepTransition(Condition condition, @Nullable Condition replaced) {
    if (replaced == null
        || !replaced.status().equals(condition.status())
        || !replaced.reason().equals(condition.reason())) {
      return condition;
    }
    return new Condition(
        condition.type(),
        condition.status(),
        condition.reason(),
        condition.message(),
        condition.probed(),
        replaced.changed());
  }
}
