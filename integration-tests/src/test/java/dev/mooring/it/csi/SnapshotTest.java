package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.SnapshotStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the creation, restore, retention and deletion of a CSI driver's snapshots. */
class SnapshotTest extends SnapshotFixture {
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS);

  private void startWithClasses() throws Exception {
    SnapshotResources.install(cluster.handlers());
    createSnapshotClass("keeps", "Retain", false);
    createSnapshotClass("goes", "Delete", false);
    startManager();
  }

  private void awaitReady(String snapshot) {
    cluster.await("snapshot " + snapshot + " is ready", () -> isReady(snapshotType(), snapshot));
  }

  private void awaitEmptyCluster() {
    cluster.await(
        "all objects are deleted",
        () -> cluster.isEmpty(snapshotType()) && cluster.isEmpty(contentType()));
    assertThat(snapshotStore.listSnapshots()).isEmpty();
    assertThat(snapshotStore.twice()).isEmpty();
  }

  @Test
  void snapshot_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      awaitReady("s");
      cluster.await("claim has no finalizer", () -> !hasSourceFinalizer("a"));
      cluster.await(
          "snapshot has the finalizer for its content",
          () ->
              finalizers(cluster.find(snapshotType(), "s").orElseThrow())
                  .contains("snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"));
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
      SnapshotStore.Cut storedSnapshot = snapshotStore.listSnapshots().getFirst();
      assertThat(storedSnapshot.name())
          .isEqualTo("snapshot-" + textOf(snapshotType(), "s", "metadata", "uid"));
      assertThat(storedSnapshot.volume()).isEqualTo(cluster.store().listVolumes().getFirst().id());
      assertThat(storedSnapshot.parameters()).isEqualTo("{tier=cold}");
      assertThat(textOf(snapshotType(), "s", "status", "restoreSize")).isEqualTo("1Gi");
      assertThat(textOf(snapshotType(), "s", "status", "creationTime"))
          .isEqualTo(Instant.ofEpochSecond(storedSnapshot.seconds()).toString());
      JsonObject content = cluster.anyObject(contentType());
      assertThat(JsonBodies.textAt(content, "metadata", "name"))
          .isEqualTo("snapcontent-" + textOf(snapshotType(), "s", "metadata", "uid"))
          .isEqualTo(textOf(snapshotType(), "s", "status", "boundVolumeSnapshotContentName"));
      assertThat(JsonBodies.textAt(content, "status", "snapshotHandle"))
          .isEqualTo(storedSnapshot.id());
      assertThat(JsonBodies.textAt(content, "spec", "sourceVolumeMode")).isEqualTo("Filesystem");
      awaitNoCreationInProgress(contentType());

      restoreSnapshot("b", "s");
      cluster.await("clone is bound", () -> isBound("b"));
      assertThat(cluster.store().listVolumes())
          .anyMatch(item -> item.source().equals(storedSnapshot.id()));

      cluster.delete(snapshotType(), "s");
      awaitEmptyCluster();
    }
  }

  @Test
  void deletion_policyRetain_driverSnapshotRemains() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "keeps");
      awaitReady("s");
      cluster.delete(snapshotType(), "s");
      cluster.await("snapshot is deleted", () -> cluster.isEmpty(snapshotType()));
      assertThat(cluster.isEmpty(contentType())).isFalse();
      cluster.delete(
          contentType(), JsonBodies.textAt(cluster.anyObject(contentType()), "metadata", "name"));
      cluster.await("content is deleted", () -> cluster.isEmpty(contentType()));
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
    }
  }

  @Test
  void snapshot_withoutClass_usesDefaultClass() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "");
      cluster.await(
          "status reports a missing class",
          () ->
              textOf(snapshotType(), "s", "status", "error", "message")
                  .contains("cannot find default snapshot class"));
      createSnapshotClass("usual", "Delete", true);
      awaitReady("s");
      assertThat(textOf(snapshotType(), "s", "spec", "volumeSnapshotClassName")).isEqualTo("usual");
      assertThat(textOf(snapshotType(), "s", "status", "error", "message")).isEmpty();
    }
  }

  @Test
  void existingSnapshot_contentCreatedLater_isBound() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      SnapshotStore.Cut storedSnapshot = snapshotStore.add("by hand", "vol-gone", 1 << 20, "");
      cluster.create(
          snapshotType(),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"volumeSnapshotContentName": "c"}}}
          """);
      cluster.await(
          "status reports the missing content",
          () ->
              textOf(snapshotType(), "s", "status", "error", "message")
                  .equals("VolumeSnapshotContent is missing"));
      createContent(storedSnapshot, "s", "c");
      awaitReady("s");
      assertThat(textOf(contentType(), "c", "spec", "volumeSnapshotRef", "uid"))
          .isEqualTo(textOf(snapshotType(), "s", "metadata", "uid"));
      assertThat(textOf(snapshotType(), "s", "status", "restoreSize")).isEqualTo("1Mi");
      cluster.delete(snapshotType(), "s");
      awaitEmptyCluster();
    }
  }

  @Test
  void creation_lostResponse_createsOneSnapshot() throws Exception {
    AtomicInteger remainingLosses = new AtomicInteger(3);
    Settings lossySettings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateSnapshot") && remainingLosses.getAndDecrement() > 0
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.startDriver(lossySettings)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      awaitReady("s");
      assertThat(snapshotStore.countCreated()).isEqualTo(1);
      assertThat(snapshotStore.twice()).isEmpty();
    }
  }

  @Test
  void deletion_afterLostResponse_deletesSnapshot() throws Exception {
    AtomicBoolean losesResponses = new AtomicBoolean(true);
    Settings lossySettings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateSnapshot") && losesResponses.get()
                ? new Fault.Lost(Status.Code.UNAVAILABLE)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.startDriver(lossySettings)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      cluster.await("snapshot exists, response lost", () -> snapshotStore.countCreated() == 1);
      cluster.delete(snapshotType(), "s");
      cluster.await(
          "content has the handle",
          () ->
              cluster
                  .anyObject(contentType())
                  .getAsJsonObject("metadata")
                  .has("deletionTimestamp"));
      losesResponses.set(false);
      awaitEmptyCluster();
    }
  }

  @Test
  void deletion_afterUncertainCreation_waitsForResult() throws Exception {
    AtomicInteger creationCalls = new AtomicInteger();
    AtomicBoolean rejectsCreation = new AtomicBoolean(true);
    Settings failingSettings =
        ALL_CAPABILITIES.with(method -> {
          if (!method.equals("CreateSnapshot") || !rejectsCreation.get()) {
            return Fault.NONE;
          }
          return creationCalls.getAndIncrement() == 0
              ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
              : new Fault.Refused(Status.Code.INTERNAL);
        });
    try (ReferenceDriver _ = cluster.startDriver(failingSettings)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      cluster.await("a later call was rejected", () -> creationCalls.get() > 2);
      cluster.delete(snapshotType(), "s");
      int previousCalls = creationCalls.get();
      cluster.await("creation is requested again", () -> creationCalls.get() > previousCalls + 2);
      assertThat(cluster.isEmpty(contentType())).isFalse();
      rejectsCreation.set(false);
      awaitEmptyCluster();
    }
  }

  @Test
  void creation_driverStopped_isRetried() throws Exception {
    AtomicBoolean isSlow = new AtomicBoolean(true);
    Settings slowSettings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateSnapshot") && isSlow.get() ? new Fault.Slow(600) : Fault.NONE);
    ReferenceDriver firstDriver = cluster.startDriver(slowSettings);
    try {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      cluster.await(
          "creation is requested",
          () -> firstDriver.calls().stream().anyMatch(call -> call.startsWith("CreateSnapshot")));
    } finally {
      firstDriver.close();
    }
    isSlow.set(false);
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      awaitReady("s");
      assertThat(snapshotStore.twice()).isEmpty();
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
    }
  }

  @Test
  void snapshot_uploading_becomesReadyLater() throws Exception {
    snapshotStore.slow(true);
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      cluster.await(
          "snapshot is taken",
          () -> !textOf(snapshotType(), "s", "status", "creationTime").isEmpty());
      assertThat(isReady(snapshotType(), "s")).isFalse();
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.await(
          "claim waits for the snapshot",
          () ->
              finalizers(cluster.find(KindCatalogue.CLAIMS, "a").orElseThrow())
                  .equals(List.of("snapshot.storage.kubernetes.io/pvc-as-source-protection")));
      snapshotStore.slow(false);
      awaitReady("s");
      cluster.await("claim is deleted", () -> cluster.find(KindCatalogue.CLAIMS, "a").isEmpty());
      assertThat(snapshotStore.countCreated()).isEqualTo(1);
    }
  }

  @Test
  void deletion_duringRestore_endsAfterClaimDeletion() throws Exception {
    AtomicBoolean isFull = new AtomicBoolean();
    Settings settings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateVolume") && isFull.get()
                ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.startDriver(settings)) {
      startWithClasses();
      createBoundClaim("a", "");
      createSnapshot("s", "a", "goes");
      awaitReady("s");
      isFull.set(true);
      restoreSnapshot("b", "s");
      awaitProvisioningFailure();
      cluster.delete(snapshotType(), "s");
      awaitDeletionPendingEvent();
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
      cluster.delete(KindCatalogue.CLAIMS, "b");
      awaitEmptyCluster();
    }
  }

  @Test
  void snapshot_kindsInstalledAfterStart_becomesReady() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startManager();
      createBoundClaim("a", "");
      SnapshotResources.install(cluster.handlers());
      createSnapshotClass("goes", "Delete", false);
      createSnapshot("s", "a", "goes");
      awaitReady("s");
    }
  }
}
