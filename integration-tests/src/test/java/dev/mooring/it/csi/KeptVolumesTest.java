package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests volumes whose data an administrator wants to retain, with a full manager and a driver. */
class KeptVolumesTest extends CsiFixture {
  private static final String MISSING_CLAIM_UID = "11111111-2222-3333-4444-555555555555";

  private void updateVolume(String name, Consumer<JsonObject> volumeChange) throws Exception {
    cluster
        .handlers()
        .update(
            KindCatalogue.VOLUMES,
            "",
            name,
            WriteOptions.PLAIN,
            tree -> {
              volumeChange.accept(tree);
              return tree;
            });
  }

  private String createBoundVolume(String claim) throws Exception {
    cluster.createClaim(claim, "now");
    cluster.await(claim + " is bound", () -> isBound(claim));
    return JsonBodies.textAt(
        cluster.find(KindCatalogue.CLAIMS, claim).orElseThrow(), "spec", "volumeName");
  }

  private boolean isBound(String claim) {
    return cluster
        .find(KindCatalogue.CLAIMS, claim)
        .filter(claimObject -> JsonBodies.textAt(claimObject, "status", "phase").equals("Bound"))
        .isPresent();
  }

  private boolean hasEvent(String name, String reason) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .map(stored -> stored.copy())
        .anyMatch(event ->
            JsonBodies.textAt(event, "involvedObject", "name").equals(name)
                && JsonBodies.textAt(event, "reason").equals(reason));
  }

  /** Returns the handle of a driver volume that has no PersistentVolume. */
  private String createHandleWithoutVolume() throws Exception {
    String volumeName = createBoundVolume("first");
    String handle =
        JsonBodies.textAt(
            cluster.find(KindCatalogue.VOLUMES, volumeName).orElseThrow(),
            "spec",
            "csi",
            "volumeHandle");
    manager.stop();
    manager = null;
    updateVolume(volumeName, tree -> tree.getAsJsonObject("metadata").remove("finalizers"));
    cluster.delete(KindCatalogue.VOLUMES, volumeName);
    return handle;
  }

  private void createPreboundVolume(String handle) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pvc-%s", "annotations": {"pv.kubernetes.io/provisioned-by": "%s", "pv.kubernetes.io/bound-by-controller": "yes"}}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "now", "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "went", "uid": "%s"}, "csi": {"driver": "%s", "volumeHandle": "%s"}}}
        """
            .formatted(
                MISSING_CLAIM_UID,
                CsiCluster.DRIVER,
                MISSING_CLAIM_UID,
                CsiCluster.DRIVER,
                handle));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void restoredVolume_claimMissing_staysWithEvent(boolean isRunning) throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      startManager();
      String handle = createHandleWithoutVolume();
      if (isRunning) {
        startManager();
        createPreboundVolume(handle);
      } else {
        createPreboundVolume(handle);
        startManager();
      }
      cluster.await(
          "volume has an event", () -> hasEvent("pvc-" + MISSING_CLAIM_UID, "VolumeKept"));
      cluster.await("controllers are idle", manager::isIdle);
      assertThat(store.listVolumes()).extracting(item -> item.id()).contains(handle);
      assertThat(cluster.find(KindCatalogue.VOLUMES, "pvc-" + MISSING_CLAIM_UID)).isPresent();
      updateVolume(
          "pvc-" + MISSING_CLAIM_UID,
          tree ->
              tree.getAsJsonObject("metadata")
                  .getAsJsonObject("annotations")
                  .addProperty("mooring.dev/never-bound", "destroy"));
      cluster.await("volume is deleted after the decision", () -> store.listVolumes().isEmpty());
    }
  }

  @Test
  void releasedVolume_claimRefRemovedDuringDeletion_isNotBound() throws Exception {
    CountDownLatch deletionRequested = new CountDownLatch(1);
    CountDownLatch deletionAllowed = new CountDownLatch(1);
    ReferenceDriver.Settings waitingSettings =
        CsiCluster.ALL_CAPABILITIES.with(method -> {
          if (method.equals("DeleteVolume")) {
            deletionRequested.countDown();
            try {
              deletionAllowed.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return Fault.NONE;
        });
    try (ReferenceDriver _ = cluster.startDriver(waitingSettings)) {
      startManager();
      String volume = createBoundVolume("a");
      cluster.delete(KindCatalogue.CLAIMS, "a");
      deletionRequested.await();
      updateVolume(volume, tree -> tree.getAsJsonObject("spec").remove("claimRef"));
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "b"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "volumeName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
          """
              .formatted(volume));
      cluster.await("b has an event", () -> hasEvent("b", "VolumeMismatch"));
      deletionAllowed.countDown();
      cluster.await(
          "object is deleted", () -> cluster.find(KindCatalogue.VOLUMES, volume).isEmpty());
      assertThat(isBound("b")).isFalse();
      assertThat(store.listVolumes()).isEmpty();
    }
  }
}
