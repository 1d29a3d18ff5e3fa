package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests restarts and replacements of a CSI driver. */
class CsiDriverRestartTest extends CsiFixture {
  @Test
  void driver_restarted_claimsAreBound() throws Exception {
    cluster.createClaim("early", "now");
    startManager();
    for (int run = 0; run < 2; run++) {
      String name = "c-" + run;
      try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
        cluster.createClaim(name, "now");
        int boundClaims = run + 2;
        cluster.await(
            "claim is bound",
            () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == boundClaims);
        assertThat(driver.calls()).isNotEmpty();
      }
    }
    assertThat(store.listVolumes()).hasSize(3);
  }

  /**
   * The driver restarts between two calls with more capabilities. The bridge detects the change
   * without a failed call.
   */
  @Test
  void driver_replaced_newCapabilitiesAreUsed() throws Exception {
    Settings initialSettings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME);
    try (ReferenceDriver driver = cluster.startDriver(initialSettings)) {
      startManager();
      cluster.createClaim("a", "now");
      cluster.await(
          "claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.expandClaim("a", "2Gi");
      assertThat(driver.calls()).hasSize(1);
    }
    Settings extendedSettings =
        initialSettings.replacedBy(
            "2",
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.EXPAND_VOLUME);
    Settings slowSettings =
        extendedSettings.with(method ->
            method.equals("ControllerGetCapabilities") ? new Fault.Slow(500) : Fault.NONE);
    try (ReferenceDriver driver = cluster.startDriver(slowSettings)) {
      cluster.await("claim is expanded", () -> cluster.countClaims("2Gi") == 1);
      assertThat(driver.calls()).allMatch(call -> call.startsWith("ControllerExpandVolume"));
    }
    AtomicInteger infoCalls = new AtomicInteger();
    Settings foreignSettings =
        Settings.of(
                "other.example.com",
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.CREATE_DELETE_VOLUME)
            .with(method -> {
              infoCalls.addAndGet(method.equals("GetPluginInfo") ? 1 : 0);
              return Fault.NONE;
            });
    try (ReferenceDriver driver = cluster.startDriver(foreignSettings)) {
      cluster.createClaim("b", "now");
      cluster.await("driver is identified repeatedly", () -> infoCalls.get() > 2);
      assertThat(driver.calls()).isEmpty();
    }
    try (ReferenceDriver driver = cluster.startDriver(extendedSettings)) {
      cluster.await(
          "second claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(driver.calls()).isNotEmpty();
    }
  }
}
