package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that snapshots remain until the volumes restored from them exist. */
class SnapshotSourcesTest extends CsiFixture {
  private static final String DRIVER = CsiCluster.DRIVER;
  private static final String SOURCE_FINALIZER =
      "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

  private final AtomicBoolean rejectsCreation = new AtomicBoolean(true);
  private final Settings settings =
      Settings.of(
              DRIVER,
              DriverCapability.CONTROLLER_SERVICE,
              DriverCapability.CREATE_DELETE_VOLUME,
              DriverCapability.CREATE_DELETE_SNAPSHOT)
          .with(method ->
              method.equals("CreateVolume") && rejectsCreation.get()
                  ? new Fault.Refused(Status.Code.ABORTED)
                  : Fault.NONE);
  private SourceKinds kinds;

  SnapshotSourcesTest() {
    super(1, false);
  }

  @BeforeEach
  void installKinds() throws Exception {
    kinds = SourceKinds.install(cluster);
  }

  /** Returns the driver's handle. */
  private String createSnapshot(String snapshot, List<String> finalizers) throws Exception {
    return createSnapshot("default", snapshot, finalizers);
  }

  private String createSnapshot(String namespace, String snapshot, List<String> finalizers)
      throws Exception {
    String handle = store.snapshots().add(snapshot, "any", 1 << 30, "").id();
    kinds.createSnapshot(namespace, snapshot, DRIVER, handle, finalizers);
    return handle;
  }

  private boolean hasSourceFinalizer(String snapshot) {
    return kinds.readSnapshotMetadata("default", snapshot).contains(SOURCE_FINALIZER);
  }

  /** A user deletes the snapshot during the restore. It disappears when the last volume exists. */
  @Test
  void snapshot_deletedDuringRestore_staysUntilVolumesExist() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      String handle = createSnapshot("s", List.of());
      restoreSnapshot("a", "s");
      restoreSnapshot("b", "s");
      cluster.await("snapshot has the finalizer", () -> hasSourceFinalizer("s"));
      kinds.deleteSnapshot("default", "s");
      assertThat(kinds.readSnapshotMetadata("default", "s")).contains("deletionTimestamp");
      rejectsCreation.set(false);
      cluster.await(
          "both volumes exist", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      cluster.await(
          "object is deleted", () -> kinds.readSnapshotMetadata("default", "s").isEmpty());
      assertThat(driver.calls()).anyMatch(call -> call.startsWith("CreateVolume"));
      assertThat(store.listVolumes()).hasSize(2).allMatch(item -> item.source().equals(handle));
    }
  }

  /** Another client's finalizer retains the deleted snapshot. No restore starts from it. */
  @Test
  void snapshot_beingDeleted_isNotRestored() throws Exception {
    rejectsCreation.set(false);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      createSnapshot("s", List.of("example.com/other"));
      kinds.deleteSnapshot("default", "s");
      restoreSnapshot("a", "s");
      cluster.await("claim has the event", () -> hasEvent("snapshot default/s is being deleted"));
      assertThat(driver.calls()).isEmpty();
      assertThat(hasSourceFinalizer("s")).isFalse();
    }
  }

  /** The process that set the finalizer has ended. */
  @Test
  void finalizer_ofEndedProcess_isRemovedIfUnused() throws Exception {
    createSnapshot("orphan", List.of(SOURCE_FINALIZER));
    createSnapshot("used", List.of(SOURCE_FINALIZER));
    restoreSnapshot("a", "used");
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      cluster.await("orphan has no finalizer", () -> !hasSourceFinalizer("orphan"));
      cluster.await("other snapshot is requested", () -> !driver.calls().isEmpty());
      assertThat(hasSourceFinalizer("used")).isTrue();
      rejectsCreation.set(false);
      cluster.await("other snapshot has no finalizer", () -> !hasSourceFinalizer("used"));
    }
  }

  private boolean hasEvent(String note) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .anyMatch(event -> event.tree().toString().contains(note));
  }

  /**
   * Creates a claim as a server with the feature gate enabled would store it. The embedded server
   * drops such sources, like Kubernetes.
   */
  private void createClaimFromOtherNamespace(String claimName) {
    JsonObject tree =
        JsonParser.parseString(
                """
                {"metadata": {"namespace": "default", "name": "%s", "uid": "%s", "creationTimestamp": "2026-01-01T00:00:00Z"},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "volumeMode": "Filesystem",
                  "dataSourceRef": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "namespace": "other", "name": "s"}},
                 "status": {"phase": "Pending"}}
                """
                    .formatted(claimName, UUID.randomUUID()))
            .getAsJsonObject();
    cluster.handlers().store(KindCatalogue.CLAIMS).write("default/" + claimName, absent -> tree);
  }

  private void createGrant(String name, String claimNamespace) throws Exception {
    kinds.create(
        """
        {"kind": "ReferenceGrant", "apiVersion": "gateway.networking.k8s.io/v1beta1", "metadata": {"namespace": "other", "name": "%s"},
         "spec": {"from": [{"group": "", "kind": "PersistentVolumeClaim", "namespace": "%s"}], "to": [{"group": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot"}]}}
        """
            .formatted(name, claimNamespace));
  }

  /** Returns the driver's handle. */
  private String createSnapshotInOtherNamespace() throws Exception {
    kinds.create(
        """
        {"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "other"}}
        """);
    return createSnapshot("other", "s", List.of());
  }

  /** A grant in another namespace has no effect, and a grant can be revoked. */
  @Test
  void snapshot_otherNamespace_isRestoredOnlyWithGrant() throws Exception {
    rejectsCreation.set(false);
    String handle = createSnapshotInOtherNamespace();
    createGrant("of-others", "third");
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager("--feature-gates=CrossNamespaceVolumeDataSource=true");
      createClaimFromOtherNamespace("a");
      cluster.await(
          "claim has the event",
          () -> hasEvent("no ReferenceGrant of namespace other lets claims of namespace default"));
      assertThat(driver.calls()).isEmpty();
      assertThat(kinds.readSnapshotMetadata("other", "s")).doesNotContain(SOURCE_FINALIZER);
      createGrant("ours", "default");
      cluster.await(
          "volume is created", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      assertThat(store.listVolumes()).allMatch(item -> item.source().equals(handle));
      cluster.await(
          "finalizer is removed",
          () -> !kinds.readSnapshotMetadata("other", "s").contains(SOURCE_FINALIZER));
      kinds.api().delete("ReferenceGrant", "other", "ours", -1);
      int previousCalls = driver.calls().size();
      createClaimFromOtherNamespace("b");
      cluster.await(
          "claim has the event",
          () ->
              cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
                  .map(event -> event.tree().toString())
                  .anyMatch(event ->
                      event.contains("no ReferenceGrant") && event.contains("\"name\":\"b\"")));
      assertThat(driver.calls()).hasSize(previousCalls);
    }
  }

  @Test
  void grant_gateDisabled_isIgnored() throws Exception {
    rejectsCreation.set(false);
    createSnapshotInOtherNamespace();
    createGrant("ours", "default");
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      createClaimFromOtherNamespace("a");
      cluster.await(
          "claim has the event",
          () -> hasEvent("data sources in other namespaces are disabled: other"));
      assertThat(driver.calls()).isEmpty();
      assertThat(kinds.readSnapshotMetadata("other", "s")).doesNotContain(SOURCE_FINALIZER);
    }
  }
}
