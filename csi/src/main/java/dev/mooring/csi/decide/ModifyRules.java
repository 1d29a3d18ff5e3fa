package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** To which VolumeAttributesClass a volume is changed (spec/expander.md 6). */
public final class ModifyRules {
  /** The volume is being changed. */
  public static final String MODIFYING = "ModifyingVolume";

  /** The driver refused. */
  public static final String ERROR = "ModifyVolumeError";

  /** The class is not there yet. */
  public static final String PENDING = "Pending";

  /** The driver is asked, or may still be at it. */
  public static final String IN_PROGRESS = "InProgress";

  /** The driver refused for good. */
  public static final String INFEASIBLE = "Infeasible";

  private static final Set<String> OF_MODIFY = Set.of(MODIFYING, ERROR);

  /** What is to be done. */
  public sealed interface Plan {
    /** Nothing. */
    record Nothing() implements Plan {}

    /** The wish was taken back before anything was done. */
    record Cancel() implements Plan {}

    /** The volume is changed to that class. */
    record Change(String target) implements Plan {}
  }

  private ModifyRules() {}

  /**
   * Decides.
   *
   * @param uncertain whether the driver may still be at what it was asked last
   */
  public static Plan plan(Claim claim, boolean uncertain) {
    String wanted = claim.attributesClass();
    Claim.Modification begun = claim.status().modification();
    boolean none = begun.equals(Claim.Modification.NONE);
    if (none && wanted.equals(claim.status().attributesClass())) {
      return new Plan.Nothing();
    }
    boolean running = begun.state().equals(IN_PROGRESS);
    if (running && (uncertain || wanted.isEmpty())) {
      return new Plan.Change(begun.target());
    }
    if (!wanted.isEmpty()) {
      return new Plan.Change(wanted);
    }
    boolean told = claim.status().conditions().stream().anyMatch(c -> c.type().equals(MODIFYING));
    return told ? new Plan.Cancel() : new Plan.Nothing();
  }

  /** Those conditions that have nothing to do with a change. */
  public static List<Condition> without(List<Condition> before) {
    return before.stream().filter(c -> !OF_MODIFY.contains(c.type())).toList();
  }

  /** Those conditions, with these instead of the ones of their types. */
  public static List<Condition> with(List<Condition> before, List<Condition> now) {
    List<Condition> all = new ArrayList<>();
    for (Condition condition : before) {
      if (now.stream().noneMatch(n -> n.type().equals(condition.type()))) {
        all.add(condition);
      }
    }
    all.addAll(now);
    return List.copyOf(all);
  }
}
