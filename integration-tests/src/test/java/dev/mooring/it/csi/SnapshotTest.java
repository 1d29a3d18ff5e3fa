package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.SnapshotResources;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.SnapshotShelf;
import dev.mooring.spi.csi.Identity.Ability;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of a CSI driver's volumes: made, filled into volumes, kept or destroyed. */
@Timeout(300)
class SnapshotTest {
  private static final Settings ABLE =
      Settings.of(
          CsiCluster.DRIVER,
          Ability.CONTROLLER_SERVICE,
          Ability.CREATE_DELETE_VOLUME,
          Ability.CREATE_DELETE_SNAPSHOT,
          Ability.LIST_SNAPSHOTS);

  @TempDir private Path folder;
  private CsiCluster cluster;
  private SnapshotShelf shelf;
  private Manager manager;

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new CsiCluster(folder, 1, false);
    shelf = cluster.shelf().snapshots();
  }

  @AfterEach
  void stop() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    cluster.close();
  }

  private void start() throws Exception {
    SnapshotResources.install(cluster.verbs());
    snapshotClass("keeps", "Retain", false);
    snapshotClass("goes", "Delete", false);
    startManager();
  }

  private void startManager() throws Exception {
    manager =
        RunFlags.manager(
            List.of(
                "--endpoints=127.0.0.1:0",
                "--leader-elect=false",
                "--controllers=*,snapshot-controller",
                "--enable-snapshots",
                cluster.endpointFlag(),
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"),
            Resources.csiPlugins(),
            KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test"));
    manager.start();
  }

  private ResourceType snapshots() {
    return SnapshotResources.type(cluster.verbs(), "volumesnapshots").orElseThrow();
  }

  private ResourceType contents() {
    return SnapshotResources.type(cluster.verbs(), "volumesnapshotcontents").orElseThrow();
  }

  private void snapshotClass(String name, String policy, boolean byDefault) throws Exception {
    cluster.create(
        SnapshotResources.type(cluster.verbs(), "volumesnapshotclasses").orElseThrow(),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "%s", "annotations": {"snapshot.storage.kubernetes.io/is-default-class": "%s"}}, "driver": "%s", "deletionPolicy": "%s", "parameters": {"tier": "cold"}}
        """
            .formatted(name, byDefault, CsiCluster.DRIVER, policy));
  }

  private void snapshot(String name, String claim, String className) throws Exception {
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

  private void restore(String claim, String snapshot) throws Exception {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "%s"}}}
        """
            .formatted(claim, snapshot));
  }

  private void boundClaim(String name) throws Exception {
    cluster.claim(name, "now");
    cluster.until("claim " + name + " is bound", () -> isBound(name));
  }

  private boolean isBound(String claim) {
    return text(KindCatalogue.CLAIMS, claim, "status", "phase").equals("Bound");
  }

  private String text(ResourceType type, String name, String... path) {
    return cluster.get(type, name).map(o -> JsonBodies.text(o, path)).orElse("");
  }

  private boolean isReady(String snapshot) {
    return cluster
        .get(snapshots(), snapshot)
        .map(o -> o.getAsJsonObject("status"))
        .map(status -> status.get("readyToUse"))
        .filter(ready -> ready.getAsBoolean())
        .isPresent();
  }

  private void untilReady(String snapshot) {
    cluster.until("snapshot " + snapshot + " is ready", () -> isReady(snapshot));
  }

  private static List<String> finalizers(JsonObject object) {
    JsonArray all = object.getAsJsonObject("metadata").getAsJsonArray("finalizers");
    return all == null ? List.of() : all.asList().stream().map(f -> f.getAsString()).toList();
  }

  @Test
  void aSnapshotsWholeLife() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      untilReady("s");
      cluster.until(
          "the claim is let go",
          () ->
              !finalizers(cluster.get(KindCatalogue.CLAIMS, "a").orElseThrow())
                  .contains("snapshot.storage.kubernetes.io/pvc-as-source-protection"));
      cluster.until(
          "the snapshot is held for its content",
          () ->
              finalizers(cluster.get(snapshots(), "s").orElseThrow())
                  .contains("snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"));
      assertThat(shelf.all()).hasSize(1);
      SnapshotShelf.Cut cut = shelf.all().getFirst();
      assertThat(cut.name()).isEqualTo("snapshot-" + text(snapshots(), "s", "metadata", "uid"));
      assertThat(cut.volume()).isEqualTo(cluster.shelf().all().getFirst().id());
      assertThat(cut.parameters()).isEqualTo("{tier=cold}");
      assertThat(text(snapshots(), "s", "status", "restoreSize")).isEqualTo("1Gi");
      assertThat(text(snapshots(), "s", "status", "creationTime"))
          .isEqualTo(Instant.ofEpochSecond(cut.seconds()).toString());
      JsonObject content = cluster.one(contents());
      assertThat(JsonBodies.text(content, "metadata", "name"))
          .isEqualTo("snapcontent-" + text(snapshots(), "s", "metadata", "uid"))
          .isEqualTo(text(snapshots(), "s", "status", "boundVolumeSnapshotContentName"));
      assertThat(JsonBodies.text(content, "status", "snapshotHandle")).isEqualTo(cut.id());
      assertThat(JsonBodies.text(content, "spec", "sourceVolumeMode")).isEqualTo("Filesystem");
      assertThat(content.getAsJsonObject("metadata").toString()).doesNotContain("being-created");

      restore("b", "s");
      cluster.until("the copy is bound", () -> isBound("b"));
      assertThat(cluster.shelf().all()).anyMatch(item -> item.source().equals(cut.id()));

      cluster.delete(snapshots(), "s");
      cluster.until(
          "all of it is gone", () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
      assertThat(shelf.all()).isEmpty();
      assertThat(shelf.twice()).isEmpty();
    }
  }

  @Test
  void policyRetainKeepsIt() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "keeps");
      untilReady("s");
      cluster.delete(snapshots(), "s");
      cluster.until("the snapshot is gone", () -> cluster.isEmpty(snapshots()));
      assertThat(cluster.isEmpty(contents())).isFalse();
      cluster.delete(contents(), JsonBodies.text(cluster.one(contents()), "metadata", "name"));
      cluster.until("its content is gone too", () -> cluster.isEmpty(contents()));
      assertThat(shelf.all()).hasSize(1);
    }
  }

  @Test
  void theDefaultClassIsTheDriversOwn() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "");
      cluster.until(
          "it says that there is none",
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
  void oneThatWasThereBeforeIsBound() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      SnapshotShelf.Cut cut = shelf.add("by hand", "vol-gone", 1 << 20, "");
      cluster.create(
          snapshots(),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"volumeSnapshotContentName": "c"}}}
          """);
      cluster.until(
          "it says that its content is missing",
          () ->
              text(snapshots(), "s", "status", "error", "message")
                  .equals("VolumeSnapshotContent is missing"));
      cluster.create(
          contents(),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "c"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"snapshotHandle": "%s"}, "volumeSnapshotRef": {"name": "s", "namespace": "default"}}}
          """
              .formatted(CsiCluster.DRIVER, cut.id()));
      untilReady("s");
      assertThat(text(contents(), "c", "spec", "volumeSnapshotRef", "uid"))
          .isEqualTo(text(snapshots(), "s", "metadata", "uid"));
      assertThat(text(snapshots(), "s", "status", "restoreSize")).isEqualTo("1Mi");
      cluster.delete(snapshots(), "s");
      cluster.until(
          "all of it is gone", () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
      assertThat(shelf.all()).isEmpty();
    }
  }

  @Test
  void aLostAnswerMakesNoSecondOneAndLeaksNone() throws Exception {
    AtomicInteger lost = new AtomicInteger(3);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && lost.getAndDecrement() > 0
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      untilReady("s");
      assertThat(shelf.made()).isEqualTo(1);
      assertThat(shelf.twice()).isEmpty();
    }
  }

  @Test
  void oneThatMayHaveBeenMadeIsDestroyedWithItsSnapshot() throws Exception {
    AtomicBoolean losing = new AtomicBoolean(true);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && losing.get()
                ? new Fault.Lost(Status.Code.UNAVAILABLE)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      cluster.until("it was cut, and nobody heard", () -> shelf.made() == 1);
      cluster.delete(snapshots(), "s");
      cluster.until(
          "its content learns that",
          () -> cluster.one(contents()).getAsJsonObject("metadata").has("deletionTimestamp"));
      losing.set(false);
      cluster.until(
          "all of it is gone", () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
      assertThat(shelf.all()).isEmpty();
      assertThat(shelf.twice()).isEmpty();
    }
  }

  @Test
  void aRefusalThatProvesNothingIsNoEndOfWhatWasBegun() throws Exception {
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
      boundClaim("a");
      snapshot("s", "a", "goes");
      cluster.until("it was refused since", () -> calls.get() > 2);
      cluster.delete(snapshots(), "s");
      int then = calls.get();
      cluster.until("it is asked for all the same", () -> calls.get() > then + 2);
      assertThat(cluster.isEmpty(contents())).isFalse();
      refusing.set(false);
      cluster.until(
          "all of it is gone", () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
      assertThat(shelf.all()).isEmpty();
    }
  }

  @Test
  void aDriverThatDiesInTheMidstIsAskedAgain() throws Exception {
    AtomicBoolean dying = new AtomicBoolean(true);
    Settings slow =
        ABLE.with(method ->
            method.equals("CreateSnapshot") && dying.get() ? new Fault.Slow(600) : Fault.NONE);
    ReferenceDriver first = cluster.driver(slow);
    try {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      cluster.until(
          "it is asked for",
          () -> first.calls().stream().anyMatch(call -> call.startsWith("CreateSnapshot")));
    } finally {
      first.close();
    }
    dying.set(false);
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      untilReady("s");
      assertThat(shelf.twice()).isEmpty();
      assertThat(shelf.all()).hasSize(1);
    }
  }

  @Test
  void oneThatIsUploadedIsReadyLater() throws Exception {
    shelf.slow(true);
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      cluster.until("it is cut", () -> !text(snapshots(), "s", "status", "creationTime").isEmpty());
      assertThat(isReady("s")).isFalse();
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until(
          "the claim waits for it",
          () ->
              finalizers(cluster.get(KindCatalogue.CLAIMS, "a").orElseThrow())
                  .equals(List.of("snapshot.storage.kubernetes.io/pvc-as-source-protection")));
      shelf.slow(false);
      untilReady("s");
      cluster.until("the claim is gone", () -> cluster.get(KindCatalogue.CLAIMS, "a").isEmpty());
      assertThat(shelf.made()).isEqualTo(1);
    }
  }

  @Test
  void oneThatIsFilledIntoAVolumeWaits() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Settings settings =
        ABLE.with(method ->
            method.equals("CreateVolume") && full.get()
                ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(settings)) {
      start();
      boundClaim("a");
      snapshot("s", "a", "goes");
      untilReady("s");
      full.set(true);
      restore("b", "s");
      cluster.until(
          "the copy is tried",
          () -> cluster.having(KindCatalogue.EVENTS, "ProvisioningFailed", "reason") > 0);
      cluster.delete(snapshots(), "s");
      cluster.until(
          "it says why it stays",
          () -> cluster.having(KindCatalogue.EVENTS, "SnapshotDeletePending", "reason") > 0);
      assertThat(shelf.all()).hasSize(1);
      cluster.delete(KindCatalogue.CLAIMS, "b");
      cluster.until(
          "all of it is gone", () -> cluster.isEmpty(snapshots()) && cluster.isEmpty(contents()));
      assertThat(shelf.all()).isEmpty();
    }
  }

  @Test
  void kindsThatComeLaterAreFound() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      startManager();
      boundClaim("a");
      SnapshotResources.install(cluster.verbs());
      snapshotClass("goes", "Delete", false);
      snapshot("s", "a", "goes");
      untilReady("s");
    }
  }
}
