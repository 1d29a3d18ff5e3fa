package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the CSIStorageCapacities published for a CSI driver. */
@Timeout(300)
class CsiCapacityTest extends CsiFixture {
  /** spec/csi-bridge.md, case 47. */
  @Test
  void capacity_perZone_isPublished() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.GET_CAPACITY);
    cluster.create(
        KindCatalogue.CAPACITIES,
        """
        {"metadata": {"name": "foreign", "labels": {"csi.storage.k8s.io/drivername": "csi.example.com", "csi.storage.k8s.io/managed-by": "somebody"}}, "storageClassName": "later", "capacity": "1Gi"}
        """);
    cluster.create(
        KindCatalogue.CAPACITIES,
        """
        {"metadata": {"name": "stale", "labels": {"csi.storage.k8s.io/drivername": "csi.example.com", "csi.storage.k8s.io/managed-by": "external-provisioner"}}, "storageClassName": "gone", "capacity": "1Gi"}
        """);
    try (ReferenceDriver driver = cluster.driver(able)) {
      // this driver's zones share their capacity: polling refreshes the other zone
      startManager(
          "--enable-capacity", "--capacity-namespace=default", "--capacity-poll-interval=1s");
      String all = Long.toString(VolumeStore.ROOM);
      cluster.until(
          "one object per zone, none for the deleted class",
          () ->
              cluster.countWith(KindCatalogue.CAPACITIES, all, "capacity") == 2
                  && cluster.get(KindCatalogue.CAPACITIES, "stale").isEmpty());
      assertThat(cluster.countWith(KindCatalogue.CAPACITIES, "later", "storageClassName"))
          .isEqualTo(3);
      assertThat(cluster.countWith(KindCatalogue.CAPACITIES, "now", "storageClassName")).isZero();
      for (String zone : List.of("z1", "z2")) {
        assertThat(
                cluster.countWith(
                    KindCatalogue.CAPACITIES, zone, "nodeTopology", "matchLabels", "zone"))
            .isEqualTo(1);
      }
      cluster.claim("a", "now");
      cluster.until(
          "capacity decreases",
          () ->
              cluster.countWith(
                      KindCatalogue.CAPACITIES,
                      Long.toString(VolumeStore.ROOM - (1L << 30)),
                      "capacity")
                  == 2);
      cluster.until("objects are counted", () -> counted(2));
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.until(
          "only the foreign object is left",
          () -> cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().size() == 1);
      cluster.until("no objects are counted", () -> counted(0));
      assertThat(cluster.get(KindCatalogue.CAPACITIES, "foreign")).isPresent();
      assertThat(driver.calls()).anyMatch(c -> c.contains("GetCapacity {zone=z1} {csi.storage"));
    }
  }

  private boolean counted(int objects) {
    try {
      String label = "{driver_name=\"csi.example.com\"} ";
      String now = metrics();
      return now.contains("csistoragecapacities_desired_goal" + label + objects)
          && now.contains("csistoragecapacities_desired_current" + label + objects)
          && now.contains("csistoragecapacities_obsolete" + label + "0");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Classes share the capacity: every creation, deletion and failure refreshes all of them. */
  @Test
  void capacity_volumeCreatedOrRefused_refreshesAllClasses() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Settings able =
        Settings.of(
                CsiCluster.DRIVER,
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
                DriverCapability.CREATE_DELETE_VOLUME,
                DriverCapability.GET_CAPACITY)
            .with(m ->
                m.equals("CreateVolume") && full.get()
                    ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                    : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager(
          "--enable-capacity",
          "--capacity-namespace=default",
          "--capacity-for-immediate-binding",
          "--capacity-poll-interval=1h");
      cluster.until(
          "two classes in two zones, without polling", () -> room(0) == 4 && manager.isIdle());
      cluster.claim("a", "now");
      cluster.until("its zone's capacity decreases in both classes", () -> room(1) == 2);
      assertThat(room(0)).as("no request for the other zone").isEqualTo(2);
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until("capacity increases again", () -> room(0) == 4);
      full.set(true);
      store.add("of another manager", 3L << 30, "", "");
      cluster.claim("b", "now");
      cluster.until("capacity decreases after the failure", () -> room(3) >= 2);
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("GetCapacity"));
    }
  }

  /** Counts the objects that report this many Gi as used. */
  private long room(int taken) {
    return cluster.countWith(
        KindCatalogue.CAPACITIES,
        Long.toString(VolumeStore.ROOM - ((long) taken << 30)),
        "capacity");
  }
}
