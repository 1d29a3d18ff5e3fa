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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests volumes whose data an administrator wants to retain, with a full manager and a driver. */
@Timeout(300)
class KeptVolumesTest extends CsiFixture {
  private static final String GONE = "11111111-2222-3333-4444-555555555555";

  private void volume(String name, Consumer<JsonObject> change) throws Exception {
    cluster
        .handlers()
        .update(
            KindCatalogue.VOLUMES,
            "",
            name,
            WriteOptions.PLAIN,
            tree -> {
              change.accept(tree);
              return tree;
            });
  }

  private String boundVolume(String claim) throws Exception {
    cluster.claim(claim, "now");
    cluster.until(claim + " is bound", () -> isBound(claim));
    return JsonBodies.textAt(
        cluster.get(KindCatalogue.CLAIMS, claim).orElseThrow(), "spec", "volumeName");
  }

  private boolean isBound(String claim) {
    return cluster
        .get(KindCatalogue.CLAIMS, claim)
        .filter(c -> JsonBodies.textAt(c, "status", "phase").equals("Bound"))
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
  private String handleWithoutVolume() throws Exception {
    String made = boundVolume("first");
    String handle =
        JsonBodies.textAt(
            cluster.get(KindCatalogue.VOLUMES, made).orElseThrow(), "spec", "csi", "volumeHandle");
    manager.stop();
    manager = null;
    volume(made, tree -> tree.getAsJsonObject("metadata").remove("finalizers"));
    cluster.delete(KindCatalogue.VOLUMES, made);
    return handle;
  }

  private void restore(String handle) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pvc-%s", "annotations": {"pv.kubernetes.io/provisioned-by": "%s", "pv.kubernetes.io/bound-by-controller": "yes"}}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "now", "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "went", "uid": "%s"}, "csi": {"driver": "%s", "volumeHandle": "%s"}}}
        """
            .formatted(GONE, CsiCluster.DRIVER, GONE, CsiCluster.DRIVER, handle));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void restoredVolume_claimMissing_isKeptWithEvent(boolean running) throws Exception {
    try (ReferenceDriver _ = cluster.driver(CsiCluster.ABLE)) {
      startManager();
      String handle = handleWithoutVolume();
      if (running) {
        startManager();
        restore(handle);
      } else {
        restore(handle);
        startManager();
      }
      cluster.until("volume has an event", () -> hasEvent("pvc-" + GONE, "VolumeKept"));
      cluster.until("controllers are idle", manager::isIdle);
      assertThat(store.listVolumes()).extracting(item -> item.id()).contains(handle);
      assertThat(cluster.get(KindCatalogue.VOLUMES, "pvc-" + GONE)).isPresent();
      volume(
          "pvc-" + GONE,
          tree ->
              tree.getAsJsonObject("metadata")
                  .getAsJsonObject("annotations")
                  .addProperty("mooring.dev/never-bound", "destroy"));
      cluster.until("volume is deleted after the decision", () -> store.listVolumes().isEmpty());
    }
  }

  @Test
  void releasedVolume_freedDuringDeletion_isNotBound() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    ReferenceDriver.Settings waiting =
        CsiCluster.ABLE.with(method -> {
          if (method.equals("DeleteVolume")) {
            asked.countDown();
            try {
              answer.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return Fault.NONE;
        });
    try (ReferenceDriver _ = cluster.driver(waiting)) {
      startManager();
      String volume = boundVolume("a");
      cluster.delete(KindCatalogue.CLAIMS, "a");
      asked.await();
      volume(volume, tree -> tree.getAsJsonObject("spec").remove("claimRef"));
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "b"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "volumeName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
          """
              .formatted(volume));
      cluster.until("b has an event", () -> hasEvent("b", "VolumeMismatch"));
      answer.countDown();
      cluster.until(
          "object is deleted", () -> cluster.get(KindCatalogue.VOLUMES, volume).isEmpty());
      assertThat(isBound("b")).isFalse();
      assertThat(store.listVolumes()).isEmpty();
    }
  }
}
