package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a CSI driver that restarts or is replaced. */
@Timeout(300)
class CsiDriverRestartTest extends CsiFixture {
  @Test
  void driver_restarts_claimIsRetried() throws Exception {
    cluster.claim("early", "now");
    startManager();
    for (int life = 0; life < 2; life++) {
      String name = "c-" + life;
      try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
        cluster.claim(name, "now");
        int bound = life + 2;
        cluster.until(
            "claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == bound);
        assertThat(driver.calls()).isNotEmpty();
      }
    }
    assertThat(store.listVolumes()).hasSize(3);
  }

  /**
   * The driver restarts between two calls with more capabilities; the bridge notices without a
   * failed call.
   */
  @Test
  void driver_replaced_newCapabilitiesAreUsed() throws Exception {
    Settings small =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME);
    try (ReferenceDriver driver = cluster.driver(small)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.grow("a", "2Gi");
      assertThat(driver.calls()).hasSize(1);
    }
    Settings more =
        small.replacedBy(
            "2",
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.EXPAND_VOLUME);
    Settings slow =
        more.with(m -> m.equals("ControllerGetCapabilities") ? new Fault.Slow(500) : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(slow)) {
      cluster.until("claim is expanded", () -> cluster.countOfSize("2Gi") == 1);
      assertThat(driver.calls()).allMatch(c -> c.startsWith("ControllerExpandVolume"));
    }
    AtomicInteger asked = new AtomicInteger();
    Settings foreign =
        Settings.of(
                "other.example.com",
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.CREATE_DELETE_VOLUME)
            .with(m -> {
              asked.addAndGet(m.equals("GetPluginInfo") ? 1 : 0);
              return Fault.NONE;
            });
    try (ReferenceDriver driver = cluster.driver(foreign)) {
      cluster.claim("b", "now");
      cluster.until("driver is identified repeatedly", () -> asked.get() > 2);
      assertThat(driver.calls()).isEmpty();
    }
    try (ReferenceDriver driver = cluster.driver(more)) {
      cluster.until(
          "second claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(driver.calls()).isNotEmpty();
    }
  }
}
