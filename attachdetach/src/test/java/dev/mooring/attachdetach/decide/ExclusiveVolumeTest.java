package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.NodeView.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invariant of exclusive volumes. */
class ExclusiveVolumeTest extends AttachDeciderFixture {
  /** No step attaches an exclusive volume to a second node, whatever the state of the nodes. */
  @Test
  void decide_exclusiveVolumeAndAnyNodeStates_attachesToOneNode() {
    for (boolean isNeeded1 : new boolean[] {true, false}) {
      for (AttachState attachState1 : AttachState.values()) {
        for (Operation operation1 : Operation.values()) {
          for (AttachState attachState2 : AttachState.values()) {
            for (Operation operation2 : Operation.values()) {
              TestNode a =
                  new TestNode(
                      "a",
                      isNeeded1,
                      attachState1,
                      operation1,
                      false,
                      State.READY,
                      false,
                      false,
                      null);
              TestNode b =
                  new TestNode(
                      "b", true, attachState2, operation2, false, State.READY, false, false, null);
              List<AttachStep> steps = decide(true, RULES, a, b);
              boolean isABusy =
                  attachState1 != AttachState.DETACHED || operation1 != Operation.NONE;
              boolean isBBusy =
                  attachState2 != AttachState.DETACHED || operation2 != Operation.NONE;
              if (steps.contains(new AttachStep.Attach("b"))) {
                assertThat(isABusy).as("%s", steps).isFalse();
              }
              if (steps.contains(new AttachStep.Attach("a"))) {
                assertThat(isBBusy).as("%s", steps).isFalse();
              }
              assertThat(steps.stream().filter(s -> s instanceof AttachStep.Attach).count())
                  .isLessThanOrEqualTo(1);
            }
          }
        }
      }
    }
  }
}
