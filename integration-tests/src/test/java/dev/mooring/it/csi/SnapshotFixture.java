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

/** A cluster whose controllers create snapshots and group snapshots. */
abstract class SnapshotFixture extends CsiFixture {
  private static final String SOURCE_FINALIZER =
      "snapshot.storage.kubernetes.io/pvc-as-source-protection";

  SnapshotStore snapshotStore;

  SnapshotFixture() {
    this(1, false);
  }

  SnapshotFixture(int nodeCount, boolean zones) {
    super(nodeCount, zones);
  }

  @BeforeEach
  void findSnapshotStore() {
    snapshotStore = store.snapshots();
  }

  @Override
  void startManager(String... extraFlags) throws Exception {
    List<String> flags =
        new ArrayList<>(List.of("--controllers=*,snapshot-controller", "--enable-snapshots"));
    flags.addAll(List.of(extraFlags));
    super.startManager(flags.toArray(String[]::new));
  }

  ResourceType findType(String plural) {
    return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
  }

  ResourceType snapshotType() {
    return findType("volumesnapshots");
  }

  ResourceType contentType() {
    return findType("volumesnapshotcontents");
  }

  /** Creates a class of snapshots, or of groups if {@code group} is set. */
  void createClass(String group, String name, String policy, boolean isDefault) throws Exception {
    cluster.create(
        findType("volume" + group.toLowerCase(Locale.ROOT) + "snapshotclasses"),
        """
        {"apiVersion": "%1$ssnapshot.storage.k8s.io/v1", "kind": "Volume%2$sSnapshotClass", "metadata": {"name": "%3$s", "annotations": {"%1$ssnapshot.storage.kubernetes.io/is-default-class": "%4$s"}}, "driver": "%5$s", "deletionPolicy": "%6$s", "parameters": {"tier": "cold"}}
        """
            .formatted(
                group.toLowerCase(Locale.ROOT), group, name, isDefault, CsiCluster.DRIVER, policy));
  }

  void createSnapshotClass(String name, String policy, boolean isDefault) throws Exception {
    createClass("", name, policy, isDefault);
  }

  /** Creates a snapshot of the claim; "" means no class. */
  void createSnapshot(String name, String claim, String className) throws Exception {
    cluster.create(
        snapshotType(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"persistentVolumeClaimName": "%s"}%s}}
        """
            .formatted(
                name,
                claim,
                className.isEmpty() ? "" : ", \"volumeSnapshotClassName\": \"" + className + "\""));
  }

  /** Creates a snapshot and its content for existing storage of the driver. */
  void createSnapshotWithContent(SnapshotStore.Cut storedSnapshot, String name, String content)
      throws Exception {
    cluster.create(
        snapshotType(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"volumeSnapshotContentName": "%s"}}}
        """
            .formatted(name, content));
    createContent(storedSnapshot, name, content);
  }

  void createContent(SnapshotStore.Cut storedSnapshot, String name, String content)
      throws Exception {
    cluster.create(
        contentType(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "%s"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"snapshotHandle": "%s"}, "volumeSnapshotRef": {"name": "%s", "namespace": "default"}}}
        """
            .formatted(content, CsiCluster.DRIVER, storedSnapshot.id(), name));
  }

  void createBoundClaim(String name, String app) throws Exception {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "labels": {"app": "%s"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, app));
    cluster.await("claim " + name + " is bound", () -> isBound(name));
  }

  boolean isBound(String claim) {
    return textOf(KindCatalogue.CLAIMS, claim, "status", "phase").equals("Bound");
  }

  String textOf(ResourceType type, String name, String... path) {
    return cluster.find(type, name).map(object -> JsonBodies.textAt(object, path)).orElse("");
  }

  boolean isReady(ResourceType type, String name) {
    return textOf(type, name, "status", "readyToUse").equals("true");
  }

  List<JsonObject> listObjects(ResourceType type) {
    return cluster.handlers().store(type).list("").objects().stream()
        .map(StoredObject::tree)
        .toList();
  }

  static List<String> finalizers(JsonObject object) {
    JsonArray finalizerArray = object.getAsJsonObject("metadata").getAsJsonArray("finalizers");
    return finalizerArray == null
        ? List.of()
        : finalizerArray.asList().stream().map(finalizer -> finalizer.getAsString()).toList();
  }

  /** Returns whether a finalizer protects the claim as the source of a snapshot. */
  boolean hasSourceFinalizer(String claim) {
    return finalizers(cluster.find(KindCatalogue.CLAIMS, claim).orElseThrow())
        .contains(SOURCE_FINALIZER);
  }

  /**
   * A write after the one that sets readyToUse removes the annotation for a possibly started
   * creation.
   */
  void awaitNoCreationInProgress(ResourceType type) {
    cluster.await(
        "no creation is in progress",
        () ->
            listObjects(type).stream()
                .noneMatch(object -> object.get("metadata").toString().contains("-created")));
  }

  /** Waits for the event that explains why a snapshot cannot be deleted yet. */
  void awaitDeletionPendingEvent() {
    cluster.await(
        "event explains why the snapshot remains",
        () -> cluster.countObjects(KindCatalogue.EVENTS, "SnapshotDeletePending", "reason") > 0);
  }

  /** Waits for the event of a failed provisioning. */
  void awaitProvisioningFailure() {
    cluster.await(
        "clone is attempted",
        () -> cluster.countObjects(KindCatalogue.EVENTS, "ProvisioningFailed", "reason") > 0);
  }
}
