package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests health events about volumes and nodes on claims. */
class CsiHealthTest extends CsiFixture {
  /**
   * Covers external-health-monitor for drivers that list volumes and for drivers that are queried
   * per volume.
   */
  @ParameterizedTest
  @EnumSource(names = {"LIST_VOLUMES", "GET_VOLUME"})
  void volumeCondition_abnormal_emitsEventOnClaim(DriverCapability queryCapability)
      throws Exception {
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.VOLUME_CONDITION,
            queryCapability);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager("--csi-list-volumes-interval=100ms");
      cluster.createClaim("a", "now");
      cluster.createClaim("b", "now");
      cluster.await(
          "claims are bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      String id = store.listVolumes().getFirst().id();
      store.ail(id, "lost its disk");
      cluster.await(
          "claim has the event",
          () -> countEvents("VolumeConditionAbnormal", "lost its disk") == 1);
      store.ail(id, "");
      cluster.await(
          "claim has the recovery event",
          () ->
              countEvents("VolumeConditionNormal", "The Volume returns to the healthy state") == 1);
      assertThat(driver.calls()).isNotEmpty();
      assertThat(cluster.countObjects(KindCatalogue.EVENTS, "VolumeConditionAbnormal", "reason"))
          .as("no other claim has an event")
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH",
    "LIST_VOLUME_HEALTH, VOLUME_CONDITION",
    "GET_VOLUME_HEALTH, VOLUME_CONDITION"
  })
  void volumeHealth_problem_isInStatusOfClaim(
      DriverCapability queryCapability, DriverCapability otherCapability) throws Exception {
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.LIST_VOLUMES,
            queryCapability,
            otherCapability);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager("--csi-list-volumes-interval=100ms");
      for (String name : List.of("a", "b", "c")) {
        cluster.createClaim(name, "now");
      }
      cluster.await(
          "claims are bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 3);
      String first = store.listVolumes().getFirst().id();
      store.ail(first, "lost its disk");
      store.ail(store.listVolumes().getLast().id(), "is slow");
      cluster.await(
          "claims have the status",
          () -> countIllClaims("lost its disk") == 1 && countIllClaims("is slow") == 1);
      assertThat(countIllClaims("Inaccessible")).isEqualTo(2);
      store.ail(first, "");
      cluster.await("claim has recovered", () -> countIllClaims("lost its disk") == 0);
      assertThat(countIllClaims("is slow")).isEqualTo(1);
      assertThat(countEvents("VolumeConditionAbnormal", "")).isZero();
      assertThat(driver.calls()).isNotEmpty();
    }
  }

  private long countIllClaims(String text) {
    return cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects().stream()
        .filter(claim -> claim.tree().toString().contains("\"healthConditions\""))
        .filter(claim -> claim.tree().toString().contains(text))
        .count();
  }

  @Test
  void nodeOfPod_deleted_emitsEventOnClaim() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      startManager("--enable-node-watcher");
      cluster.createClaim("a", "later");
      cluster.createPod("a", "a");
      cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
      String node = JsonBodies.textAt(cluster.anyObject(KindCatalogue.PODS), "spec", "nodeName");
      cluster.delete(KindCatalogue.NODES, node);
      cluster.await(
          "claim has the event",
          () ->
              countEvents(
                      "NodeFailed",
                      "Pods: [ a ] consuming PVC: a in namespace: default are now on a failed node: "
                          + node)
                  == 1);
      assertThat(driver.calls()).isNotEmpty();
    }
  }

  private long countEvents(String reason, String note) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .filter(event -> JsonBodies.textAt(event.tree(), "reason").equals(reason))
        .filter(event -> event.tree().toString().contains(note))
        .count();
  }
}
