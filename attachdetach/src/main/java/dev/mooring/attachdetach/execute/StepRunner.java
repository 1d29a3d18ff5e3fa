package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.Holder;
import dev.mooring.attachdetach.decide.Step;
import dev.mooring.attachdetach.decide.Target;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeView;
import dev.mooring.attachdetach.world.ActualWorld;
import dev.mooring.attachdetach.world.DesiredWorld;
import dev.mooring.operation.Completion;
import dev.mooring.time.Time;
import java.util.List;
import java.util.function.Consumer;

/** Does what was decided about one volume on one node. Thread-safe. */
public final class StepRunner {
  private final DesiredWorld desired;
  private final ActualWorld actual;
  private final Operations operations;
  private final Jobs jobs;
  private final Fencing fencing;
  private final Consumer<VolumeNode> wake;
  private final Time time;

  /**
   * Does nothing yet.
   *
   * @param wake has a volume looked at again; must be quick
   */
  public StepRunner(
      DesiredWorld desired,
      ActualWorld actual,
      Operations operations,
      Jobs jobs,
      Fencing fencing,
      Consumer<VolumeNode> wake,
      Time time) {
    this.desired = desired;
    this.actual = actual;
    this.operations = operations;
    this.jobs = jobs;
    this.fencing = fencing;
    this.wake = wake;
    this.time = time;
  }

  /** Whether it would help to know that the node is dead. */
  public static boolean isSuspect(Step step) {
    return step instanceof Step.Hold(Holder holder) && holder.why() != Holder.Why.IN_USE;
  }

  /**
   * Does it.
   *
   * @param view what was decided upon
   * @param awaited whether another node waits for the volume
   * @param investigates whether a suspect node is looked at
   */
  public void run(VolumeView view, Step step, boolean awaited, boolean investigates) {
    VolumeId volume = view.id();
    switch (step) {
      case Step.Keep(String node) -> actual.wanted(volume, node);
      case Step.Busy _ -> {}
      case Step.Blocked(String _, List<Holder> holders) ->
          holders.forEach(holder -> operations.hurryDetach(volume, holder.node()));
      case Step.Attach(String node) -> {
        Target target = desired.target(volume);
        if (target == null || target.exclusive() != view.exclusive()) {
          wake.accept(new VolumeNode(volume, node)); // what was decided upon is over
        } else {
          attach(volume, node, target);
        }
      }
      case Step.Detach(String node, Step.Grounds grounds) -> {
        actual.unwanted(volume, node, time.nanos());
        operations.detach(volume, node, awaited, turn -> jobs.detach(volume, node, grounds, turn));
      }
      case Step.Hold(Holder holder) -> {
        actual.unwanted(volume, holder.node(), time.nanos());
        if (investigates && isSuspect(step)) {
          investigate(volume, holder.node());
        }
      }
    }
  }

  /**
   * The volume counts as possibly attached from before the operation begins: its pod may be gone
   * and another node's turn have come before the operation's thread has run for the first time.
   */
  private void attach(VolumeId volume, String node, Target target) {
    boolean news = actual.perhaps(volume, node, target);
    actual.wanted(volume, node);
    boolean begun = operations.attach(volume, node, target, () -> jobs.attach(target, node, news));
    if (news && !begun) {
      actual.detached(volume, node);
    }
  }

  private void investigate(VolumeId volume, String node) {
    operations.look(
        "node " + node + " for " + volume,
        () -> {
          if (fencing.investigate(volume, node)) {
            wake.accept(new VolumeNode(volume, node));
          }
          return Completion.DONE;
        });
  }
}
