package dev.mooring.it.csi;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.reference.SnapshotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;

/** A cluster whose process makes snapshots and group snapshots. */
abstract class SnapshotFixture extends CsiFixture {
  private static final String HELD = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

  SnapshotStore snapshotStore;

  SnapshotFixture() {
    super(1, false);
  }

  @BeforeEach
  void findSnapshots() {
    snapshotStore = store.snapshots();
  }

  @Override
  void startManager(String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(List.of("--controllers=*,snapshot-controller", "--enable-snapshots"));
    flags.addAll(List.of(more));
    super.startManager(flags.toArray(String[]::new));
  }

  ResourceType type(String plural) {
    return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
  }

  ResourceType snapshots() {
    return type("volumesnapshots");
  }

  ResourceType contents() {
    return type("volumesnapshotcontents");
  }

  /** Creates a class of snapshots, or of groups if {@code group} is set. */
  void classOf(String group, String name, String policy, boolean byDefault) throws Exception {
    cluster.create(
        type("volume" + group.toLowerCase(Locale.ROOT) + "snapshotclasses"),
        """
        {"apiVersion": "%1$ssnapshot.storage.k8s.io/v1", "kind": "Volume%2$sSnapshotClass", "metadata": {"name": "%3$s", "annotations": {"%1$ssnapshot.storage.kubernetes.io/is-default-class": "%4$s"}}, "driver": "%5$s", "deletionPolicy": "%6$s", "parameters": {"tier": "cold"}}
        """
            .formatted(
                group.toLowerCase(Locale.ROOT), group, name, byDefault, CsiCluster.DRIVER, policy));
  }

  void snapshotClass(String name, String policy, boolean byDefault) throws Exception {
    classOf("", name, policy, byDefault);
  }

  /** Creates a snapshot of the claim; "" stands for no class. */
  void snapshot(String name, String claim, String className) throws Exception {
    cluster.create(
        snapshots(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"persistentVolumeClaimName": "%s"}%s}}
        """
            .formatted(
                name,
                claim,
                className.isEmpty() ? "" : ", \"volumeSnapshotClassName\": \"" + className + "\""));
  }

  /** Creates a snapshot and its content for existing storage of the driver. */
  void snapshotOf(SnapshotStore.Cut cut, String name, String content) throws Exception {
    cluster.create(
        snapshots(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"volumeSnapshotContentName": "%s"}}}
        """
            .formatted(name, content));
    contentOf(cut, name, content);
  }

  void contentOf(SnapshotStore.Cut cut, String name, String content) throws Exception {
    cluster.create(
        contents(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "%s"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"snapshotHandle": "%s"}, "volumeSnapshotRef": {"name": "%s", "namespace": "default"}}}
        """
            .formatted(content, CsiCluster.DRIVER, cut.id(), name));
  }

  void boundClaim(String name, String app) throws Exception {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "labels": {"app": "%s"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, app));
    cluster.until("claim " + name + " is bound", () -> isBound(name));
  }

  boolean isBound(String claim) {
    return text(KindCatalogue.CLAIMS, claim, "status", "phase").equals("Bound");
  }

  String text(ResourceType type, String name, String... path) {
    return cluster.get(type, name).map(o -> JsonBodies.textAt(o, path)).orElse("");
  }

  boolean isReady(ResourceType type, String name) {
    return text(type, name, "status", "readyToUse").equals("true");
  }

  List<JsonObject> all(ResourceType type) {
    return cluster.handlers().store(type).list("").objects().stream()
        .map(StoredObject::tree)
        .toList();
  }

  static List<String> finalizers(JsonObject object) {
    JsonArray all = object.getAsJsonObject("metadata").getAsJsonArray("finalizers");
    return all == null ? List.of() : all.asList().stream().map(f -> f.getAsString()).toList();
  }

  /** Returns whether a finalizer protects the claim as the source of a snapshot. */
  boolean isHeld(String claim) {
    return finalizers(cluster.get(KindCatalogue.CLAIMS, claim).orElseThrow()).contains(HELD);
  }

  /**
   * The annotation for a possibly started creation goes with a write after the one that sets
   * readyToUse.
   */
  void untilNoCreationInProgress(ResourceType type) {
    cluster.until(
        "no creation is in progress",
        () -> all(type).stream().noneMatch(c -> c.get("metadata").toString().contains("-created")));
  }

  /** Waits for the event that explains why a snapshot cannot be deleted yet. */
  void untilDeletionIsExplained() {
    cluster.until(
        "event explains why it is kept",
        () -> cluster.countWith(KindCatalogue.EVENTS, "SnapshotDeletePending", "reason") > 0);
  }

  /** Waits for an attempt to provision, which fails. */
  void untilCloneIsAttempted() {
    cluster.until(
        "clone is attempted",
        () -> cluster.countWith(KindCatalogue.EVENTS, "ProvisioningFailed", "reason") > 0);
  }
}
