package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.reference.Fault;
import dev.mooring.reference.GroupStore;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.SnapshotStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests group snapshots of a CSI driver's volumes: created, retained or deleted together. */
@Timeout(300)
class GroupSnapshotTest extends SnapshotFixture {
  private static final Settings ABLE =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);

  private GroupStore store;

  @BeforeEach
  void takeStore() {
    store = cluster.store().groups();
  }

  private void start() throws Exception {
    SnapshotResources.install(cluster.handlers());
    SnapshotResources.installGroups(cluster.handlers());
    groupClass("keeps", "Retain", false);
    groupClass("goes", "Delete", false);
    startWithGroups();
  }

  private void startWithGroups() throws Exception {
    startManager("--feature-gates=CSIVolumeGroupSnapshot=true");
  }

  private ResourceType groups() {
    return type("volumegroupsnapshots");
  }

  private ResourceType groupContents() {
    return type("volumegroupsnapshotcontents");
  }

  private void groupClass(String name, String policy, boolean byDefault) throws Exception {
    classOf("Group", name, policy, byDefault);
  }

  private void group(String name, String app, String className) throws Exception {
    cluster.create(
        groups(),
        """
        {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"selector": {"matchLabels": {"app": "%s"}}}%s}}
        """
            .formatted(
                name,
                app,
                className.isEmpty()
                    ? ""
                    : ", \"volumeGroupSnapshotClassName\": \"" + className + "\""));
  }

  private void threeClaims() throws Exception {
    boundClaim("a", "db");
    boundClaim("b", "db");
    boundClaim("c", "web");
  }

  private void untilReady(String group) {
    cluster.until("group " + group + " is ready", () -> isReady(groups(), group));
    cluster.until("snapshots are ready", () -> all(snapshots()).stream().allMatch(this::ready));
  }

  private boolean ready(JsonObject snapshot) {
    return JsonBodies.textAt(snapshot, "status", "readyToUse").equals("true");
  }

  private void untilNothingIsLeft() {
    cluster.until(
        "all objects are deleted",
        () ->
            cluster.isEmpty(groups())
                && cluster.isEmpty(groupContents())
                && cluster.isEmpty(snapshots())
                && cluster.isEmpty(contents()));
    assertThat(snapshotStore.listSnapshots()).isEmpty();
    assertThat(snapshotStore.twice()).isEmpty();
    assertThat(store.offences()).isEmpty();
  }

  @Test
  void groupSnapshot_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver driver = cluster.driver(ABLE)) {
      start();
      threeClaims();
      group("g", "db", "goes");
      untilReady("g");
      String uid = text(groups(), "g", "metadata", "uid");
      assertThat(store.createdIds()).containsExactly("groupsnapshot-" + uid);
      assertThat(snapshotStore.listSnapshots())
          .hasSize(2)
          .allMatch(cut -> cut.parameters().equals("{tier=cold}"));
      JsonObject content = cluster.one(groupContents());
      assertThat(JsonBodies.textAt(content, "metadata", "name"))
          .isEqualTo("groupsnapcontent-" + uid)
          .isEqualTo(text(groups(), "g", "status", "boundVolumeGroupSnapshotContentName"));
      untilNoCreationInProgress(groupContents());
      assertThat(text(groups(), "g", "status", "creationTime"))
          .isEqualTo(
              Instant.ofEpochSecond(snapshotStore.listSnapshots().getFirst().seconds()).toString());

      assertThat(all(snapshots())).hasSize(2);
      for (JsonObject snapshot : all(snapshots())) {
        assertThat(JsonBodies.textAt(snapshot, "status", "volumeGroupSnapshotName")).isEqualTo("g");
        assertThat(JsonBodies.textAt(snapshot, "status", "restoreSize")).isEqualTo("1Gi");
        assertThat(finalizers(snapshot))
            .contains("snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection");
        assertThat(snapshot.getAsJsonObject("metadata").get("ownerReferences").toString())
            .contains("VolumeGroupSnapshot", uid);
        assertThat(JsonBodies.textAt(snapshot, "spec", "source", "persistentVolumeClaimName"))
            .isIn("a", "b");
        JsonObject own =
            cluster
                .get(
                    contents(),
                    JsonBodies.textAt(snapshot, "status", "boundVolumeSnapshotContentName"))
                .orElseThrow();
        assertThat(JsonBodies.textAt(own, "status", "snapshotHandle")).startsWith("snap-");
        assertThat(JsonBodies.textAt(own, "status", "volumeGroupSnapshotHandle"))
            .isEqualTo(JsonBodies.textAt(content, "status", "volumeGroupSnapshotHandle"));
      }
      cluster.until("claims have no finalizer", () -> !isHeld("a") && !isHeld("b"));

      cluster.delete(groups(), "g");
      untilNothingIsLeft();
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("DeleteSnapshot"));
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("CreateSnapshot"));
    }
  }

  @Test
  void deletion_policyRetain_keepsSnapshot() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      threeClaims();
      group("g", "db", "keeps");
      untilReady("g");
      cluster.delete(groups(), "g");
      cluster.until(
          "group and snapshots are deleted",
          () -> cluster.isEmpty(groups()) && cluster.isEmpty(snapshots()));
      assertThat(all(groupContents())).hasSize(1);
      assertThat(all(contents())).hasSize(2);
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      for (JsonObject content : all(contents())) {
        cluster.delete(contents(), JsonBodies.textAt(content, "metadata", "name"));
      }
      cluster.delete(
          groupContents(), JsonBodies.textAt(cluster.one(groupContents()), "metadata", "name"));
      cluster.until(
          "their contents are deleted",
          () -> cluster.isEmpty(groupContents()) && cluster.isEmpty(contents()));
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
    }
  }

  @Test
  void class_missing_usesDriversDefault() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      group("g", "db", "");
      cluster.until(
          "event reports missing claims",
          () -> text(groups(), "g", "status", "error", "message").contains("not applied to any"));
      threeClaims();
      cluster.until(
          "event reports a missing class",
          () ->
              text(groups(), "g", "status", "error", "message")
                  .contains("cannot find default group snapshot class"));
      groupClass("usual", "Delete", true);
      untilReady("g");
      assertThat(text(groups(), "g", "spec", "volumeGroupSnapshotClassName")).isEqualTo("usual");
      assertThat(text(groups(), "g", "status", "error", "message")).isEmpty();
    }
  }

  @Test
  void memberSnapshot_deletedAlone_isKept() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      threeClaims();
      group("g", "db", "goes");
      untilReady("g");
      cluster.delete(
          snapshots(), JsonBodies.textAt(all(snapshots()).getFirst(), "metadata", "name"));
      untilDeletionIsExplained();
      assertThat(all(snapshots())).hasSize(2);
      assertThat(all(contents())).hasSize(2);
      cluster.delete(groups(), "g");
      untilNothingIsLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deletion_uncertainCreation_destroysSnapshots(boolean restarted) throws Exception {
    AtomicBoolean losing = new AtomicBoolean(true);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateVolumeGroupSnapshot") && losing.get()
                ? new Fault.Lost(Status.Code.UNAVAILABLE)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      threeClaims();
      group("g", "db", "goes");
      cluster.until("snapshot exists, response lost", () -> store.createdIds().size() == 1);
      assertThat(isHeld("a")).isTrue();
      if (restarted) {
        manager.stop();
      }
      cluster.delete(groups(), "g");
      if (restarted) {
        startWithGroups();
      }
      cluster.until(
          "content has the handle",
          () -> cluster.one(groupContents()).getAsJsonObject("metadata").has("deletionTimestamp"));
      losing.set(false);
      untilNothingIsLeft();
      cluster.until("claims have no finalizer", () -> !isHeld("a") && !isHeld("b"));
    }
  }

  @Test
  void creation_lostResponse_createsOne() throws Exception {
    AtomicInteger lost = new AtomicInteger(3);
    Settings forgetful =
        ABLE.with(method ->
            method.equals("CreateVolumeGroupSnapshot") && lost.getAndDecrement() > 0
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.driver(forgetful)) {
      start();
      threeClaims();
      group("g", "db", "goes");
      untilReady("g");
      assertThat(store.createdIds()).hasSize(1);
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      cluster.delete(groups(), "g");
      untilNothingIsLeft();
    }
  }

  @Test
  void uploadingSnapshot_becomesReadyLater() throws Exception {
    snapshotStore.slow(true);
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      threeClaims();
      group("g", "db", "goes");
      cluster.until(
          "snapshot is taken", () -> !text(groups(), "g", "status", "creationTime").isEmpty());
      assertThat(isReady(groups(), "g")).isFalse();
      cluster.until("snapshots exist", () -> all(snapshots()).size() == 2);
      assertThat(isHeld("a")).isTrue();
      snapshotStore.slow(false);
      untilReady("g");
      cluster.until("claims have no finalizer", () -> !isHeld("a") && !isHeld("b"));
      cluster.delete(groups(), "g");
      untilNothingIsLeft();
    }
  }

  @Test
  void driverWithoutGroups_groupSnapshot_getsError() throws Exception {
    try (ReferenceDriver driver =
        cluster.driver(
            Settings.of(
                CsiCluster.DRIVER,
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.CREATE_DELETE_VOLUME,
                DriverCapability.CREATE_DELETE_SNAPSHOT))) {
      start();
      threeClaims();
      group("g", "db", "goes");
      cluster.until(
          "event reports it",
          () ->
              text(groups(), "g", "status", "error", "message")
                  .contains("cannot create group snapshots"));
      cluster.delete(groups(), "g");
      untilNothingIsLeft();
      assertThat(driver.calls()).noneMatch(call -> call.contains("Group"));
    }
  }

  @Test
  void existingGroupSnapshot_isBoundWithSnapshots() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      start();
      String handle = store.add("by hand", List.of("vol-x", "vol-y"));
      List<SnapshotStore.Cut> cuts = store.of("by hand");
      cluster.create(
          groupContents(),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotContent", "metadata": {"name": "gc"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"groupSnapshotHandles": {"volumeGroupSnapshotHandle": "%s", "volumeSnapshotHandles": ["%s", "%s"]}}, "volumeGroupSnapshotRef": {"name": "g", "namespace": "default"}}}
          """
              .formatted(CsiCluster.DRIVER, handle, cuts.get(0).id(), cuts.get(1).id()));
      for (int i = 0; i < 2; i++) {
        snapshotOf(cuts.get(i), "s" + i, "c" + i);
      }
      cluster.create(
          groups(),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"volumeGroupSnapshotContentName": "gc"}}}
          """);
      untilReady("g");
      cluster.until(
          "snapshots refer to their group",
          () ->
              Set.of("s0", "s1").stream()
                  .allMatch(
                      s -> text(snapshots(), s, "status", "volumeGroupSnapshotName").equals("g")));
      assertThat(text(groupContents(), "gc", "spec", "volumeGroupSnapshotRef", "uid"))
          .isEqualTo(text(groups(), "g", "metadata", "uid"));
      cluster.delete(groups(), "g");
      untilNothingIsLeft();
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
      threeClaims();
      group("g", "db", "goes");
      untilReady("g");
      full.set(true);
      restore("copy", JsonBodies.textAt(all(snapshots()).getFirst(), "metadata", "name"));
      untilCloneIsAttempted();
      cluster.delete(groups(), "g");
      untilDeletionIsExplained();
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      cluster.delete(KindCatalogue.CLAIMS, "copy");
      untilNothingIsLeft();
    }
  }

  @Test
  void groupKindsMissing_snapshots_areMade() throws Exception {
    try (ReferenceDriver _ = cluster.driver(ABLE)) {
      SnapshotResources.install(cluster.handlers());
      snapshotClass("goes", "Delete", false);
      startWithGroups();
      boundClaim("a", "db");
      snapshot("s", "a", "goes");
      cluster.until("snapshot is ready", () -> isReady(snapshots(), "s"));
      cluster.until("claim has no finalizer", () -> !isHeld("a"));
      cluster.handlers().delete(snapshots(), "default", "s", WriteOptions.PLAIN);
      cluster.until("all objects are deleted", () -> cluster.isEmpty(contents()));
      assertThat(snapshotStore.listSnapshots()).isEmpty();
    }
  }
}
