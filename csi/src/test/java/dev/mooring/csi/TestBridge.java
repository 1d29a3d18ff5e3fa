package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.GivenListWatch;
import java.time.Duration;

/** Creates the {@link DriverBridge} of one driver. No VolumeSnapshot exists. */
final class TestBridge {
  private TestBridge() {}

  static DriverBridge of(
      String name,
      CsiConnection driver,
      CsiConfig config,
      SharedInformers informers,
      ClusterPorts ports) {
    return new DriverBridge(
        new CsiBridge.Driver(name, driver, config, DriverNames.OF_VOLUMES),
        GivenListWatch.empty(),
        informers,
        ports,
        new DeletionBreaker(0, Duration.ofMinutes(10), ports.time()));
  }
}
