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
import org.junit.jupiter.api.Timeout;

/** Checks that snapshots are kept until the volumes restored from them exist. */
@Timeout(300)
class SnapshotSourcesTest extends CsiFixture {
  private static final String DRIVER = CsiCluster.DRIVER;
  private static final String HELD =
      "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

  private final AtomicBoolean slow = new AtomicBoolean(true);
  private final Settings able =
      Settings.of(
              DRIVER,
              DriverCapability.CONTROLLER_SERVICE,
              DriverCapability.CREATE_DELETE_VOLUME,
              DriverCapability.CREATE_DELETE_SNAPSHOT)
          .with(m ->
              m.equals("CreateVolume") && slow.get()
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
  private String cut(String snapshot, List<String> finalizers) throws Exception {
    return cut("default", snapshot, finalizers);
  }

  private String cut(String namespace, String snapshot, List<String> finalizers) throws Exception {
    String handle = store.snapshots().add(snapshot, "any", 1 << 30, "").id();
    kinds.snapshot(namespace, snapshot, DRIVER, handle, finalizers);
    return handle;
  }

  private boolean isHeld(String snapshot) {
    return kinds.snapshot("default", snapshot).contains(HELD);
  }

  /** The snapshot is deleted during the restore and goes when the last volume exists. */
  @Test
  void snapshot_deletedDuringRestore_waitsForVolumes() throws Exception {
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      String handle = cut("s", List.of());
      restore("a", "s");
      restore("b", "s");
      cluster.until("snapshot has the finalizer", () -> isHeld("s"));
      kinds.deleteSnapshot("default", "s");
      assertThat(kinds.snapshot("default", "s")).contains("deletionTimestamp");
      slow.set(false);
      cluster.until(
          "both volumes exist", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      cluster.until("object is deleted", () -> kinds.snapshot("default", "s").isEmpty());
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("CreateVolume"));
      assertThat(store.listVolumes()).hasSize(2).allMatch(item -> item.source().equals(handle));
    }
  }

  /** A foreign finalizer keeps the deleted snapshot; no restore starts from it. */
  @Test
  void snapshot_beingDeleted_isNotRestored() throws Exception {
    slow.set(false);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cut("s", List.of("example.com/other"));
      kinds.deleteSnapshot("default", "s");
      restore("a", "s");
      cluster.until("claim has the event", () -> hasEvent("snapshot default/s is being deleted"));
      assertThat(driver.calls()).isEmpty();
      assertThat(isHeld("s")).isFalse();
    }
  }

  /** The process that set the finalizer is gone. */
  @Test
  void finalizer_ofFormerProcess_isRemovedIfUnused() throws Exception {
    cut("orphan", List.of(HELD));
    cut("used", List.of(HELD));
    restore("a", "used");
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cluster.until("orphan has no finalizer", () -> !isHeld("orphan"));
      cluster.until("other snapshot is requested", () -> !driver.calls().isEmpty());
      assertThat(isHeld("used")).isTrue();
      slow.set(false);
      cluster.until("other snapshot has no finalizer", () -> !isHeld("used"));
    }
  }

  private boolean hasEvent(String text) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .anyMatch(e -> e.tree().toString().contains(text));
  }

  /**
   * Creates a claim as a server with the gate enabled would store it; the embedded server drops
   * such sources, as Kubernetes does.
   */
  private void restoreFromElsewhere(String claim) {
    JsonObject tree =
        JsonParser.parseString(
                """
                {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "metadata": {"namespace": "default", "name": "%s", "uid": "%s", "creationTimestamp": "2026-01-01T00:00:00Z"},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "volumeMode": "Filesystem",
                  "dataSourceRef": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "namespace": "other", "name": "s"}},
                 "status": {"phase": "Pending"}}
                """
                    .formatted(claim, UUID.randomUUID()))
            .getAsJsonObject();
    cluster.handlers().store(KindCatalogue.CLAIMS).write("default/" + claim, none -> tree);
  }

  private void grant(String name, String toClaimsOf) throws Exception {
    kinds.create(
        """
        {"kind": "ReferenceGrant", "apiVersion": "gateway.networking.k8s.io/v1beta1", "metadata": {"namespace": "other", "name": "%s"},
         "spec": {"from": [{"group": "", "kind": "PersistentVolumeClaim", "namespace": "%s"}], "to": [{"group": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot"}]}}
        """
            .formatted(name, toClaimsOf));
  }

  /** Returns the driver's handle. */
  private String cutElsewhere() throws Exception {
    kinds.create(
        """
        {"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "other"}}
        """);
    return cut("other", "s", List.of());
  }

  /** A grant in another namespace has no effect, and a grant can be revoked. */
  @Test
  void snapshot_otherNamespace_isRestoredWhileGranted() throws Exception {
    slow.set(false);
    String handle = cutElsewhere();
    grant("of-others", "third");
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager("--feature-gates=CrossNamespaceVolumeDataSource=true");
      restoreFromElsewhere("a");
      cluster.until(
          "claim has the event",
          () -> hasEvent("no ReferenceGrant of namespace other lets claims of namespace default"));
      assertThat(driver.calls()).isEmpty();
      assertThat(kinds.snapshot("other", "s")).doesNotContain(HELD);
      grant("ours", "default");
      cluster.until("volume is created", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      assertThat(store.listVolumes()).allMatch(item -> item.source().equals(handle));
      cluster.until("finalizer is removed", () -> !kinds.snapshot("other", "s").contains(HELD));
      kinds.api().delete("ReferenceGrant", "other", "ours", -1);
      int before = driver.calls().size();
      restoreFromElsewhere("b");
      cluster.until(
          "claim has the event",
          () ->
              cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
                  .map(e -> e.tree().toString())
                  .anyMatch(e -> e.contains("no ReferenceGrant") && e.contains("\"name\":\"b\"")));
      assertThat(driver.calls()).hasSize(before);
    }
  }

  @Test
  void grant_gateDisabled_isIgnored() throws Exception {
    slow.set(false);
    cutElsewhere();
    grant("ours", "default");
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      restoreFromElsewhere("a");
      cluster.until(
          "claim has the event",
          () -> hasEvent("data sources in other namespaces are disabled: other"));
      assertThat(driver.calls()).isEmpty();
      assertThat(kinds.snapshot("other", "s")).doesNotContain(HELD);
    }
  }
}
