package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.NodeView.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invariant of exclusive volumes. */
class ExclusiveVolumeTest extends AttachDeciderFixture {
  /** No step attaches an exclusive volume to a second node, whatever the state of the nodes. */
  @Test
  void exclusiveVolume_anyNodeStates_isNeverAttachedTwice() {
    for (boolean wanted1 : new boolean[] {true, false}) {
      for (Held held1 : Held.values()) {
        for (Running running1 : Running.values()) {
          for (Held held2 : Held.values()) {
            for (Running running2 : Running.values()) {
              N a = new N("a", wanted1, held1, running1, false, State.READY, false, false, null);
              N b = new N("b", true, held2, running2, false, State.READY, false, false, null);
              List<AttachStep> steps = decide(true, RULES, a, b);
              boolean aBusy = held1 != Held.NO || running1 != Running.NOTHING;
              boolean bBusy = held2 != Held.NO || running2 != Running.NOTHING;
              if (steps.contains(new AttachStep.Attach("b"))) {
                assertThat(aBusy).as("%s", steps).isFalse();
              }
              if (steps.contains(new AttachStep.Attach("a"))) {
                assertThat(bBusy).as("%s", steps).isFalse();
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
