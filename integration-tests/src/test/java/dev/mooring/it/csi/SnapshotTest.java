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
import org.junit.jupiter.api.Timeout;

/** Tests snapshots of a CSI driver's volumes: created, restored, retained or deleted. */
@Timeout(300)
class SnapshotTest extends SnapshotFixture {
  private static final Settings ABLE =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS);

  private void start() throws Exception {
    SnapshotResources.install(cluster.handlers());
    snapshotClass("keeps", "Retain", false);
    snapshotClass("goes", "Delete", false);
    startManager();
  }

  private void untilReady(String snapshot) {
    cluster.until("snapshot " + snapshot + " is ready", () -> isReady(snapshots(), snapshot));
  }

  private void untilNothingIsLeft() {
    cluster.until(
        "all objects are deleted",
        () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
    assertThat(snapshotStore.listSnapshots()).isEmpty();
    assertThat(snapshotStore.twice()).isEmpty();
  }

  @Test
  void snapshot_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      untilReady("s");
      cluster.until("claim has no finalizer", () -> !isHeld("a"));
      cluster.until(
          "snapshot is kept for its content",
          () ->
              finalizers(cluster.get(snapshots(), "s").orElseThrow())
                  .contains("snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"));
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
      SnapshotStore.Cut cut = snapshotStore.listSnapshots().getFirst();
      assertThat(cut.name()).isEqualTo("snapshot-" + text(snapshots(), "s", "metadata", "uid"));
      assertThat(cut.volume()).isEqualTo(cluster.store().listVolumes().getFirst().id());
      assertThat(cut.parameters()).isEqualTo("{tier=cold}");
      assertThat(text(snapshots(), "s", "status", "restoreSize")).isEqualTo("1Gi");
      assertThat(text(snapshots(), "s", "status", "creationTime"))
          .isEqualTo(Instant.ofEpochSecond(cut.seconds()).toString());
      JsonObject content = cluster.one(contents());
      assertThat(JsonBodies.textAt(content, "metadata", "name"))
          .isEqualTo("snapcontent-" + text(snapshots(), "s", "metadata", "uid"))
          .isEqualTo(text(snapshots(), "s", "status", "boundVolumeSnapshotContentName"));
      assertThat(JsonBodies.textAt(content, "status", "snapshotHandle")).isEqualTo(cut.id());
      assertThat(JsonBodies.textAt(content, "spec", "sourceVolumeMode")).isEqualTo("Filesystem");
      untilNoCreationInProgress(contents());

      restore("b", "s");
      cluster.until("clone is bound", () -> isBound("b"));
      assertThat(cluster.store().listVolumes()).anyMatch(item -> item.source().equals(cut.id()));

      cluster.delete(snapshots(), "s");
      untilNothingIsLeft();
    }
  }

  @Test
  void deletion_policyRetain_keepsSnapshot() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "keeps");
      untilReady("s");
      cluster.delete(snapshots(), "s");
      cluster.until("snapshot is deleted", () -> cluster.isEmpty(snapshots()));
      assertThat(cluster.isEmpty(contents())).isFalse();
      cluster.delete(contents(), JsonBodies.textAt(cluster.one(contents()), "metadata", "name"));
      cluster.until("content is deleted", () -> cluster.isEmpty(contents()));
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
    }
  }

  @Test
  void class_missing_usesDriversDefault() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "");
      cluster.until(
          "event reports that none exists",
          () ->
              text(snapshots(), "s", "status", "error", "message")
                  .contains("cannot find default snapshot class"));
      snapshotClass("usual", "Delete", true);
      untilReady("s");
      assertThat(text(snapshots(), "s", "spec", "volumeSnapshotClassName")).isEqualTo("usual");
      assertThat(text(snapshots(), "s", "status", "error", "message")).isEmpty();
    }
  }

  @Test
  void existingSnapshot_isBound() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      SnapshotStore.Cut cut = snapshotStore.add("by hand", "vol-gone", 1 << 20, "");
      cluster.create(
          snapshots(),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"volumeSnapshotContentName": "c"}}}
          """);
      cluster.until(
          "event reports the missing content",
          () ->
              text(snapshots(), "s", "status", "error", "message")
                  .equals("VolumeSnapshotContent is missing"));
      contentOf(cut, "s", "c");
      untilReady("s");
      assertThat(text(contents(), "c", "spec", "volumeSnapshotRef", "uid"))
          .isEqualTo(text(snapshots(), "s", "metadata", "uid"));
      assertThat(text(snapshots(), "s", "status", "restoreSize")).isEqualTo("1Mi");
      cluster.delete(snapshots(), "s");
      untilNothingIsLeft();
    }
  }

  @Test
  void creation_lostResponse_createsOne() throws Exception {
    AtomicInteger lost = new AtomicInteger(3);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && lost.getAndDecrement() > 0
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      untilReady("s");
      assertThat(snapshotStore.countCreated()).isEqualTo(1);
      assertThat(snapshotStore.twice()).isEmpty();
    }
  }

  @Test
  void deletion_uncertainCreation_destroysSnapshot() throws Exception {
    AtomicBoolean losing = new AtomicBoolean(true);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && losing.get()
                ? new Fault.Lost(Status.Code.UNAVAILABLE)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      cluster.until("snapshot exists, response lost", () -> snapshotStore.countCreated() == 1);
      cluster.delete(snapshots(), "s");
      cluster.until(
          "content has the handle",
          () -> cluster.one(contents()).getAsJsonObject("metadata").has("deletionTimestamp"));
      losing.set(false);
      untilNothingIsLeft();
    }
  }

  @Test
  void creation_inconclusiveError_staysUncertain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean refusing = new AtomicBoolean(true);
    Settings driver =
        ABLE.with(method -> {
          if (!method.equals("CreateSnapshot") || !refusing.get()) {
            return Fault.NONE;
          }
          return calls.getAndIncrement() == 0
              ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
              : new Fault.Refused(Status.Code.INTERNAL);
        });
    try (ReferenceDriver _ = cluster.driver(driver)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      cluster.until("a later call was rejected", () -> calls.get() > 2);
      cluster.delete(snapshots(), "s");
      int then = calls.get();
      cluster.until("creation is requested again", () -> calls.get() > then + 2);
      assertThat(cluster.isEmpty(contents())).isFalse();
      refusing.set(false);
      untilNothingIsLeft();
    }
  }

  @Test
  void creation_driverDies_isRetried() throws Exception {
    AtomicBoolean dying = new AtomicBoolean(true);
    Settings slow =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && dying.get() ? new Fault.Slow(600) : Fault.NONE);
    ReferenceDriver first = cluster.driver(slow);
    try {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      cluster.until(
          "creation is requested",
          () -> first.calls().stream().anyMatch(call -> call.startsWith("CreateSnapshot")));
    } finally {
      first.close();
    }
    dying.set(false);
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      untilReady("s");
      assertThat(snapshotStore.twice()).isEmpty();
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
    }
  }

  @Test
  void uploadingSnapshot_becomesReadyLater() throws Exception {
    snapshotStore.slow(true);
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      cluster.until(
          "snapshot is taken", () -> !text(snapshots(), "s", "status", "creationTime").isEmpty());
      assertThat(isReady(snapshots(), "s")).isFalse();
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until(
          "claim waits for the snapshot",
          () ->
              finalizers(cluster.get(KindCatalogue.CLAIMS, "a").orElseThrow())
                  .equals(List.of("snapshot.storage.kubernetes.io/pvc-as-source-protection")));
      snapshotStore.slow(false);
      untilReady("s");
      cluster.until("claim is deleted", () -> cluster.get(KindCatalogue.CLAIMS, "a").isEmpty());
      assertThat(snapshotStore.countCreated()).isEqualTo(1);
    }
  }

  @Test
  void deletion_duringRestore_waits() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Settings settings =
        ABLE.with(method ->
            method.equals("CreateVolume") && full.get()
                ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(settings)) {
      start();
      boundClaim("a", "");
      snapshot("s", "a", "goes");
      untilReady("s");
      full.set(true);
      restore("b", "s");
      untilCloneIsAttempted();
      cluster.delete(snapshots(), "s");
      untilDeletionIsExplained();
      assertThat(snapshotStore.listSnapshots()).hasSize(1);
      cluster.delete(KindCatalogue.CLAIMS, "b");
      untilNothingIsLeft();
    }
  }

  @Test
  void kindsInstalledLater_areFound() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      startManager();
      boundClaim("a", "");
      SnapshotResources.install(cluster.handlers());
      snapshotClass("goes", "Delete", false);
      snapshot("s", "a", "goes");
      untilReady("s");
    }
  }
}
