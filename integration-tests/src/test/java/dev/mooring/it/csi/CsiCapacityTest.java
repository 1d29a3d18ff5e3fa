package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the CSIStorageCapacities published for a CSI driver. */
class CsiCapacityTest extends CsiFixture {
  @Test
  void capacity_classPerZone_isPublishedAndCleanedUp() throws Exception {
    Settings settings =
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
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      // the zones of this driver share their capacity, and polling refreshes the other zone
      startManager(
          "--enable-capacity", "--capacity-namespace=default", "--capacity-poll-interval=1s");
      String totalCapacity = Long.toString(VolumeStore.ROOM);
      cluster.await(
          "one object per zone, none for the deleted class",
          () ->
              cluster.countObjects(KindCatalogue.CAPACITIES, totalCapacity, "capacity") == 2
                  && cluster.find(KindCatalogue.CAPACITIES, "stale").isEmpty());
      assertThat(cluster.countObjects(KindCatalogue.CAPACITIES, "later", "storageClassName"))
          .isEqualTo(3);
      assertThat(cluster.countObjects(KindCatalogue.CAPACITIES, "now", "storageClassName"))
          .isZero();
      for (String zone : List.of("z1", "z2")) {
        assertThat(
                cluster.countObjects(
                    KindCatalogue.CAPACITIES, zone, "nodeTopology", "matchLabels", "zone"))
            .isEqualTo(1);
      }
      cluster.createClaim("a", "now");
      cluster.await(
          "capacity decreases",
          () ->
              cluster.countObjects(
                      KindCatalogue.CAPACITIES,
                      Long.toString(VolumeStore.ROOM - (1L << 30)),
                      "capacity")
                  == 2);
      cluster.await("objects are counted", () -> hasObjectMetrics(2));
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.await(
          "only the foreign object exists",
          () -> cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().size() == 1);
      cluster.await("no objects are counted", () -> hasObjectMetrics(0));
      assertThat(cluster.find(KindCatalogue.CAPACITIES, "foreign")).isPresent();
      assertThat(driver.calls())
          .anyMatch(call -> call.contains("GetCapacity {zone=z1} {csi.storage"));
    }
  }

  private boolean hasObjectMetrics(int objectCount) {
    try {
      String label = "{driver_name=\"csi.example.com\"} ";
      String metrics = fetchMetrics();
      return metrics.contains("csistoragecapacities_desired_goal" + label + objectCount)
          && metrics.contains("csistoragecapacities_desired_current" + label + objectCount)
          && metrics.contains("csistoragecapacities_obsolete" + label + "0");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Classes share the capacity. Every creation, deletion and failure refreshes all classes. */
  @Test
  void capacity_volumeCreatedOrRefused_refreshesAllClasses() throws Exception {
    AtomicBoolean isFull = new AtomicBoolean();
    Settings settings =
        Settings.of(
                CsiCluster.DRIVER,
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
                DriverCapability.CREATE_DELETE_VOLUME,
                DriverCapability.GET_CAPACITY)
            .with(method ->
                method.equals("CreateVolume") && isFull.get()
                    ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                    : Fault.NONE);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager(
          "--enable-capacity",
          "--capacity-namespace=default",
          "--capacity-for-immediate-binding",
          "--capacity-poll-interval=1h");
      cluster.await(
          "two classes in two zones, without polling",
          () -> countWithUsedSpace(0) == 4 && manager.isIdle());
      cluster.createClaim("a", "now");
      cluster.await(
          "capacity of the zone decreases in both classes", () -> countWithUsedSpace(1) == 2);
      assertThat(countWithUsedSpace(0)).as("no request for the other zone").isEqualTo(2);
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.await("capacity increases again", () -> countWithUsedSpace(0) == 4);
      isFull.set(true);
      store.add("of another manager", 3L << 30, "", "");
      cluster.createClaim("b", "now");
      cluster.await("capacity decreases after the failure", () -> countWithUsedSpace(3) >= 2);
      assertThat(driver.calls()).anyMatch(call -> call.startsWith("GetCapacity"));
    }
  }

  /** A rollout replaces the ReplicaSet that owns the objects. */
  @Test
  void capacity_objectOfEarlierController_isUpdatedAndGetsNewOwner() throws Exception {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "mooring-0", "ownerReferences": [
          {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "new", "uid": "00000000-0000-4000-8000-000000000002", "controller": true}]},
         "spec": {"containers": [{"name": "c", "image": "i"}]}}
        """);
    cluster.create(
        KindCatalogue.CAPACITIES,
        """
        {"metadata": {"name": "left", "labels": {"csi.storage.k8s.io/drivername": "csi.example.com", "csi.storage.k8s.io/managed-by": "external-provisioner"},
          "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "old", "uid": "00000000-0000-4000-8000-000000000001", "controller": true}]},
         "nodeTopology": {}, "storageClassName": "later", "capacity": "1Gi"}
        """);
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.GET_CAPACITY);
    try (ReferenceDriver _ = cluster.startDriver(settings);
        JavaProcess _ =
            JavaProcess.startMooring(
                Map.of("POD_NAME", "mooring-0"),
                "run",
                "--mode=replace",
                "--controllers=csi-bridge",
                "--endpoints=off",
                "--leader-elect=false",
                "--enable-capacity",
                "--capacity-namespace=default",
                "--capacity-ownerref-level=1",
                cluster.endpointFlag(),
                "--kubeconfig=" + cluster.kubeconfig(),
                "--plugins=" + Resources.csiPlugins())) {
      cluster.await("the object has a new owner and the current capacity", this::isTakenOver);
    }
  }

  private boolean isTakenOver() {
    return cluster
        .find(KindCatalogue.CAPACITIES, "left")
        .filter(
            object -> JsonBodies.textAt(object, "capacity").equals(Long.toString(VolumeStore.ROOM)))
        .map(object -> object.getAsJsonObject("metadata").get("ownerReferences").toString())
        .filter(owners -> owners.contains("\"new\"") && !owners.contains("\"old\""))
        .isPresent();
  }

  /** Counts the objects that report this many Gi as used. */
  private long countWithUsedSpace(int usedGib) {
    return cluster.countObjects(
        KindCatalogue.CAPACITIES,
        Long.toString(VolumeStore.ROOM - ((long) usedGib << 30)),
        "capacity");
  }
}
