package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.Identity.Ability;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much room a CSI driver has where, as CSIStorageCapacities say it. */
@Timeout(300)
class CsiCapacityTest extends CsiFixture {
  /** spec/csi-bridge.md, case 47. */
  @Test
  void itIsSaidHowMuchRoomThereIsWhere() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
            Ability.CREATE_DELETE_VOLUME,
            Ability.GET_CAPACITY);
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
      // the zones of this driver share their room: the other one's is seen when it is asked again
      startManager(
          "--enable-capacity", "--capacity-namespace=default", "--capacity-poll-interval=1s");
      String all = Long.toString(VolumeStore.ROOM);
      cluster.until(
          "each zone has one, and the class that is gone has none",
          () ->
              cluster.having(KindCatalogue.CAPACITIES, all, "capacity") == 2
                  && cluster.get(KindCatalogue.CAPACITIES, "stale").isEmpty());
      assertThat(cluster.having(KindCatalogue.CAPACITIES, "later", "storageClassName"))
          .isEqualTo(3);
      assertThat(cluster.having(KindCatalogue.CAPACITIES, "now", "storageClassName")).isZero();
      for (String zone : List.of("z1", "z2")) {
        assertThat(
                cluster.having(
                    KindCatalogue.CAPACITIES, zone, "nodeTopology", "matchLabels", "zone"))
            .isEqualTo(1);
      }
      cluster.claim("a", "now");
      cluster.until(
          "there is less room",
          () ->
              cluster.having(
                      KindCatalogue.CAPACITIES,
                      Long.toString(VolumeStore.ROOM - (1L << 30)),
                      "capacity")
                  == 2);
      cluster.until("they are counted", () -> counted(2));
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.until(
          "only the foreign one is left",
          () -> cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().size() == 1);
      cluster.until("none are counted", () -> counted(0));
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

  /** Classes share what there is: whatever is made, destroyed or refused is seen in all of them. */
  @Test
  void roomThatIsTakenOrMissingIsSaidAtOnceForEveryClass() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Settings able =
        Settings.of(
                CsiCluster.DRIVER,
                Ability.CONTROLLER_SERVICE,
                Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
                Ability.CREATE_DELETE_VOLUME,
                Ability.GET_CAPACITY)
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
          "two classes in two zones, and nobody who asks again",
          () -> room(0) == 4 && manager.isIdle());
      cluster.claim("a", "now");
      cluster.until("its zone has less, in both classes", () -> room(1) == 2);
      assertThat(room(0)).as("nobody asked about the other zone").isEqualTo(2);
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until("it has more again", () -> room(0) == 4);
      full.set(true);
      store.add("of somebody else", 3L << 30, "", "");
      cluster.claim("b", "now");
      cluster.until("there is less than was thought", () -> room(3) >= 2);
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("GetCapacity"));
    }
  }

  /** How many objects say that so many Gi are taken. */
  private long room(int taken) {
    return cluster.having(
        KindCatalogue.CAPACITIES,
        Long.toString(VolumeStore.ROOM - ((long) taken << 30)),
        "capacity");
  }
}
