package dev.mooring.csi.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.state.ModifyMemory;
import dev.mooring.csi.state.ResizeMemory;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResizeEventHandlersTest {
  private final SimTime time = new SimTime();
  private final ResizeMemory resizeMemory = new ResizeMemory(time, Duration.ofMinutes(5), false);
  private final ModifyMemory modifyMemory = new ModifyMemory(time, Duration.ofMinutes(5));
  private final ResizeEventHandlers handlers =
      new ResizeEventHandlers(
          "d",
          new SharedInformers(),
          resizeMemory,
          modifyMemory,
          new WorkQueue<ObjectKey>("q", time));

  /** The watch missed the deletion: no later event names the former uid. */
  @Test
  void claimChanged_replaced_forgetsFormerClaim() {
    Claim claim = DriverClaims.claim().build();
    Claim later = TestObjects.like(claim).uid("later").build();
    resizeMemory.recordRefusal(claim, StatusCode.INVALID_ARGUMENT);
    modifyMemory.recordProblem(claim, "no class", false);
    handlers.claimChanged(new Change.Updated<>(claim, later));
    assertThat(resizeMemory.isFinallyRefused(claim)).isFalse();
    assertThat(modifyMemory.recordProblem(claim, "no class", false)).isTrue();
  }
}
