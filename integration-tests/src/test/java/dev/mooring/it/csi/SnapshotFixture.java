package dev.mooring.it.csi;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import dev.mooring.reference.SnapshotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;

/** A cluster whose process makes snapshots, of single volumes and of groups. */
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

  /** Starts it with snapshots of its own making, and those flags more. */
  @Override
  void startManager(String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(List.of("--controllers=*,snapshot-controller", "--enable-snapshots"));
    flags.addAll(List.of(more));
    super.startManager(flags.toArray(String[]::new));
  }

  ResourceType type(String plural) {
    return SnapshotResources.type(cluster.handlers(), plural).orElseThrow();
  }

  ResourceType snapshots() {
    return type("volumesnapshots");
  }

  ResourceType contents() {
    return type("volumesnapshotcontents");
  }

  /** A class of snapshots, or of groups if {@code group} says so. */
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

  /** A wish for one of that claim; of no class if that is "". */
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

  /** A snapshot and the content that it names, of what the driver has already. */
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

  /** A bound claim with that label. */
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
    return cluster.get(type, name).map(o -> JsonBodies.text(o, path)).orElse("");
  }

  boolean isReady(ResourceType type, String name) {
    return text(type, name, "status", "readyToUse").equals("true");
  }

  List<JsonObject> all(ResourceType type) {
    return cluster.handlers().store(type).list("").objects().stream().map(Stored::tree).toList();
  }

  static List<String> finalizers(JsonObject object) {
    JsonArray all = object.getAsJsonObject("metadata").getAsJsonArray("finalizers");
    return all == null ? List.of() : all.asList().stream().map(f -> f.getAsString()).toList();
  }

  /** Whether the claim is held for a snapshot that is made of it. */
  boolean isHeld(String claim) {
    return finalizers(cluster.get(KindCatalogue.CLAIMS, claim).orElseThrow()).contains(HELD);
  }

  /** The note that the driver may have begun goes with a write after the one that says ready. */
  void untilNothingIsBeingCreated(ResourceType type) {
    cluster.until(
        "nothing is being created",
        () -> all(type).stream().noneMatch(c -> c.get("metadata").toString().contains("-created")));
  }

  /** What a user is told to wait for when a snapshot may not go yet. */
  void untilItSaysWhyItStays() {
    cluster.until(
        "it says why it stays",
        () -> cluster.having(KindCatalogue.EVENTS, "SnapshotDeletePending", "reason") > 0);
  }

  /** No volume can be made. */
  void untilACopyIsTried() {
    cluster.until(
        "the copy is tried",
        () -> cluster.having(KindCatalogue.EVENTS, "ProvisioningFailed", "reason") > 0);
  }
}
