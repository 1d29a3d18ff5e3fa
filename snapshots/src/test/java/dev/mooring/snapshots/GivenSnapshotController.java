package dev.mooring.snapshots;

import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;

final class GivenSnapshotController {
  private GivenSnapshotController() {}

  static StepwiseController create(FaultyCluster server, SimTime time, boolean groups) {
    return new StepwiseController(
        new SnapshotController(
                new SnapshotConfig(groups, false, Duration.ZERO),
                server.cluster().informers(),
                TestPorts.of(server, server.cluster(), time))
            .spec(),
        time);
  }
}
