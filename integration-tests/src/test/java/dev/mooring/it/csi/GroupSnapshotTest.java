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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the creation, retention and deletion of a CSI driver's group snapshots. */
class GroupSnapshotTest extends SnapshotFixture {
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);

  private GroupStore groupStore;

  @BeforeEach
  void findGroupStore() {
    groupStore = cluster.store().groups();
  }

  private void startWithClasses() throws Exception {
    SnapshotResources.install(cluster.handlers());
    SnapshotResources.installGroups(cluster.handlers());
    createGroupClass("keeps", "Retain", false);
    createGroupClass("goes", "Delete", false);
    startWithGroups();
  }

  private void startWithGroups() throws Exception {
    startManager("--feature-gates=CSIVolumeGroupSnapshot=true");
  }

  private ResourceType groupType() {
    return findType("volumegroupsnapshots");
  }

  private ResourceType groupContentType() {
    return findType("volumegroupsnapshotcontents");
  }

  private void createGroupClass(String name, String policy, boolean isDefault) throws Exception {
    createClass("Group", name, policy, isDefault);
  }

  private void createGroup(String name, String app, String className) throws Exception {
    cluster.create(
        groupType(),
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

  private void createThreeClaims() throws Exception {
    createBoundClaim("a", "db");
    createBoundClaim("b", "db");
    createBoundClaim("c", "web");
  }

  private void awaitReady(String group) {
    cluster.await("group " + group + " is ready", () -> isReady(groupType(), group));
    cluster.await(
        "snapshots are ready",
        () -> listObjects(snapshotType()).stream().allMatch(this::isReadyToUse));
  }

  private boolean isReadyToUse(JsonObject snapshot) {
    return JsonBodies.textAt(snapshot, "status", "readyToUse").equals("true");
  }

  private void awaitEmptyCluster() {
    cluster.await(
        "all objects are deleted",
        () ->
            cluster.isEmpty(groupType())
                && cluster.isEmpty(groupContentType())
                && cluster.isEmpty(snapshotType())
                && cluster.isEmpty(contentType()));
    assertThat(snapshotStore.listSnapshots()).isEmpty();
    assertThat(snapshotStore.twice()).isEmpty();
    assertThat(groupStore.offences()).isEmpty();
  }

  @Test
  void groupSnapshot_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      awaitReady("g");
      String uid = textOf(groupType(), "g", "metadata", "uid");
      assertThat(groupStore.createdIds()).containsExactly("groupsnapshot-" + uid);
      assertThat(snapshotStore.listSnapshots())
          .hasSize(2)
          .allMatch(storedSnapshot -> storedSnapshot.parameters().equals("{tier=cold}"));
      JsonObject content = cluster.anyObject(groupContentType());
      assertThat(JsonBodies.textAt(content, "metadata", "name"))
          .isEqualTo("groupsnapcontent-" + uid)
          .isEqualTo(textOf(groupType(), "g", "status", "boundVolumeGroupSnapshotContentName"));
      awaitNoCreationInProgress(groupContentType());
      assertThat(textOf(groupType(), "g", "status", "creationTime"))
          .isEqualTo(
              Instant.ofEpochSecond(snapshotStore.listSnapshots().getFirst().seconds()).toString());

      assertThat(listObjects(snapshotType())).hasSize(2);
      for (JsonObject snapshot : listObjects(snapshotType())) {
        assertThat(JsonBodies.textAt(snapshot, "status", "volumeGroupSnapshotName")).isEqualTo("g");
        assertThat(JsonBodies.textAt(snapshot, "status", "restoreSize")).isEqualTo("1Gi");
        assertThat(finalizers(snapshot))
            .contains("snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection");
        assertThat(snapshot.getAsJsonObject("metadata").get("ownerReferences").toString())
            .contains("VolumeGroupSnapshot", uid);
        assertThat(JsonBodies.textAt(snapshot, "spec", "source", "persistentVolumeClaimName"))
            .isIn("a", "b");
        JsonObject memberContent =
            cluster
                .find(
                    contentType(),
                    JsonBodies.textAt(snapshot, "status", "boundVolumeSnapshotContentName"))
                .orElseThrow();
        assertThat(JsonBodies.textAt(memberContent, "status", "snapshotHandle"))
            .startsWith("snap-");
        assertThat(JsonBodies.textAt(memberContent, "status", "volumeGroupSnapshotHandle"))
            .isEqualTo(JsonBodies.textAt(content, "status", "volumeGroupSnapshotHandle"));
      }
      cluster.await(
          "claims have no finalizer", () -> !hasSourceFinalizer("a") && !hasSourceFinalizer("b"));

      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("DeleteSnapshot"));
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("CreateSnapshot"));
    }
  }

  @Test
  void deletion_policyRetain_driverSnapshotsRemain() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "keeps");
      awaitReady("g");
      cluster.delete(groupType(), "g");
      cluster.await(
          "group and snapshots are deleted",
          () -> cluster.isEmpty(groupType()) && cluster.isEmpty(snapshotType()));
      assertThat(listObjects(groupContentType())).hasSize(1);
      assertThat(listObjects(contentType())).hasSize(2);
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      for (JsonObject content : listObjects(contentType())) {
        cluster.delete(contentType(), JsonBodies.textAt(content, "metadata", "name"));
      }
      cluster.delete(
          groupContentType(),
          JsonBodies.textAt(cluster.anyObject(groupContentType()), "metadata", "name"));
      cluster.await(
          "their contents are deleted",
          () -> cluster.isEmpty(groupContentType()) && cluster.isEmpty(contentType()));
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
    }
  }

  @Test
  void group_withoutClass_usesDefaultClass() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createGroup("g", "db", "");
      cluster.await(
          "status reports missing claims",
          () ->
              textOf(groupType(), "g", "status", "error", "message")
                  .contains("not applied to any"));
      createThreeClaims();
      cluster.await(
          "status reports a missing class",
          () ->
              textOf(groupType(), "g", "status", "error", "message")
                  .contains("cannot find default group snapshot class"));
      createGroupClass("usual", "Delete", true);
      awaitReady("g");
      assertThat(textOf(groupType(), "g", "spec", "volumeGroupSnapshotClassName"))
          .isEqualTo("usual");
      assertThat(textOf(groupType(), "g", "status", "error", "message")).isEmpty();
    }
  }

  @Test
  void memberSnapshot_deletedAlone_staysUntilGroupIsDeleted() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      awaitReady("g");
      cluster.delete(
          snapshotType(),
          JsonBodies.textAt(listObjects(snapshotType()).getFirst(), "metadata", "name"));
      awaitDeletionPendingEvent();
      assertThat(listObjects(snapshotType())).hasSize(2);
      assertThat(listObjects(contentType())).hasSize(2);
      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deletion_afterLostResponse_deletesSnapshots(boolean isRestarted) throws Exception {
    AtomicBoolean losesResponses = new AtomicBoolean(true);
    Settings lossySettings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateVolumeGroupSnapshot") && losesResponses.get()
                ? new Fault.Lost(Status.Code.UNAVAILABLE)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.startDriver(lossySettings)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      cluster.await("snapshot exists, response lost", () -> groupStore.createdIds().size() == 1);
      assertThat(hasSourceFinalizer("a")).isTrue();
      if (isRestarted) {
        manager.stop();
      }
      cluster.delete(groupType(), "g");
      if (isRestarted) {
        startWithGroups();
      }
      cluster.await(
          "content has the handle",
          () ->
              cluster
                  .anyObject(groupContentType())
                  .getAsJsonObject("metadata")
                  .has("deletionTimestamp"));
      losesResponses.set(false);
      awaitEmptyCluster();
      cluster.await(
          "claims have no finalizer", () -> !hasSourceFinalizer("a") && !hasSourceFinalizer("b"));
    }
  }

  @Test
  void creation_lostResponse_createsOneGroup() throws Exception {
    AtomicInteger remainingLosses = new AtomicInteger(3);
    Settings lossySettings =
        ALL_CAPABILITIES.with(method ->
            method.equals("CreateVolumeGroupSnapshot") && remainingLosses.getAndDecrement() > 0
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver _ = cluster.startDriver(lossySettings)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      awaitReady("g");
      assertThat(groupStore.createdIds()).hasSize(1);
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
    }
  }

  @Test
  void group_snapshotsUploading_becomesReadyLater() throws Exception {
    snapshotStore.slow(true);
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      cluster.await(
          "snapshot is taken", () -> !textOf(groupType(), "g", "status", "creationTime").isEmpty());
      assertThat(isReady(groupType(), "g")).isFalse();
      cluster.await("snapshots exist", () -> listObjects(snapshotType()).size() == 2);
      assertThat(hasSourceFinalizer("a")).isTrue();
      snapshotStore.slow(false);
      awaitReady("g");
      cluster.await(
          "claims have no finalizer", () -> !hasSourceFinalizer("a") && !hasSourceFinalizer("b"));
      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
    }
  }

  @Test
  void group_driverWithoutGroups_hasError() throws Exception {
    try (ReferenceDriver driver =
        cluster.startDriver(
            Settings.of(
                CsiCluster.DRIVER,
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.CREATE_DELETE_VOLUME,
                DriverCapability.CREATE_DELETE_SNAPSHOT))) {
      startWithClasses();
      createThreeClaims();
      createGroup("g", "db", "goes");
      cluster.await(
          "status reports missing support",
          () ->
              textOf(groupType(), "g", "status", "error", "message")
                  .contains("cannot create group snapshots"));
      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
      assertThat(driver.calls()).noneMatch(call -> call.contains("Group"));
    }
  }

  @Test
  void existingGroupSnapshot_created_isBoundWithSnapshots() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      startWithClasses();
      String handle = groupStore.add("by hand", List.of("vol-x", "vol-y"));
      List<SnapshotStore.Cut> storedSnapshots = groupStore.of("by hand");
      cluster.create(
          groupContentType(),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotContent", "metadata": {"name": "gc"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"groupSnapshotHandles": {"volumeGroupSnapshotHandle": "%s", "volumeSnapshotHandles": ["%s", "%s"]}}, "volumeGroupSnapshotRef": {"name": "g", "namespace": "default"}}}
          """
              .formatted(
                  CsiCluster.DRIVER,
                  handle,
                  storedSnapshots.get(0).id(),
                  storedSnapshots.get(1).id()));
      for (int i = 0; i < 2; i++) {
        createSnapshotWithContent(storedSnapshots.get(i), "s" + i, "c" + i);
      }
      cluster.create(
          groupType(),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"volumeGroupSnapshotContentName": "gc"}}}
          """);
      awaitReady("g");
      cluster.await(
          "snapshots refer to their group",
          () ->
              Set.of("s0", "s1").stream()
                  .allMatch(name ->
                      textOf(snapshotType(), name, "status", "volumeGroupSnapshotName")
                          .equals("g")));
      assertThat(textOf(groupContentType(), "gc", "spec", "volumeGroupSnapshotRef", "uid"))
          .isEqualTo(textOf(groupType(), "g", "metadata", "uid"));
      cluster.delete(groupType(), "g");
      awaitEmptyCluster();
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
      createThreeClaims();
      createGroup("g", "db", "goes");
      awaitReady("g");
      isFull.set(true);
      restoreSnapshot(
          "copy", JsonBodies.textAt(listObjects(snapshotType()).getFirst(), "metadata", "name"));
      awaitProvisioningFailure();
      cluster.delete(groupType(), "g");
      awaitDeletionPendingEvent();
      assertThat(snapshotStore.listSnapshots()).hasSize(2);
      cluster.delete(KindCatalogue.CLAIMS, "copy");
      awaitEmptyCluster();
    }
  }

  @Test
  void snapshot_groupKindsMissing_isCreatedAndDeleted() throws Exception {
    try (ReferenceDriver _ = cluster.startDriver(ALL_CAPABILITIES)) {
      SnapshotResources.install(cluster.handlers());
      createSnapshotClass("goes", "Delete", false);
      startWithGroups();
      createBoundClaim("a", "db");
      createSnapshot("s", "a", "goes");
      cluster.await("snapshot is ready", () -> isReady(snapshotType(), "s"));
      cluster.await("claim has no finalizer", () -> !hasSourceFinalizer("a"));
      cluster.handlers().delete(snapshotType(), "default", "s", WriteOptions.PLAIN);
      cluster.await("all objects are deleted", () -> cluster.isEmpty(contentType()));
      assertThat(snapshotStore.listSnapshots()).isEmpty();
    }
  }
}
