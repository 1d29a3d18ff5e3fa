package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.cluster.RbacRule;
import dev.mooring.csi.CsiConfig;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestrictedServer;
import dev.mooring.it.RightsTrial;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Uses every feature of mode {@code csi}. A second process binds, attaches and snapshots. */
final class CsiTrial implements RightsTrial {
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.MODIFY_VOLUME,
          DriverCapability.GET_CAPACITY,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          DriverCapability.LIST_VOLUMES,
          DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);

  private static final String POD_NAME = "mooring-0";
  private static final int DEPLOYMENT_OWNER_LEVEL = 2;
  private static final List<String> FLAGS =
      List.of(
          "--endpoints=off",
          "--controllers=csi-bridge",
          "--enable-snapshots",
          "--enable-capacity",
          "--capacity-namespace=default",
          "--feature-gates=CrossNamespaceVolumeDataSource=true,CSIVolumeGroupSnapshot=true",
          "--csi-retry-interval-start=20ms",
          "--csi-retry-interval-max=300ms");

  private static final List<String> FULL_ACCESS_FLAGS =
      List.of(
          "--endpoints=off",
          "--leader-elect=false",
          "--feature-gates=CSIVolumeGroupSnapshot=true",
          "--controllers=persistentvolume-binder-controller,persistentvolume-attach-detach-controller,persistentvolumeclaim-protection-controller,persistentvolume-protection-controller,snapshot-controller");

  @Override
  public List<RbacRule> rights() throws Exception {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("--csi-endpoint=" + CsiCluster.DRIVER + "=unix:///csi/csi.sock");
    List<RbacRule> rights = new ArrayList<>(RunFlags.rights(flags));
    // the test process has no variable that names its pod
    rights.addAll(
        CsiConfig.DEFAULTS
            .with(
                new CsiConfig.Capacity(
                    "default",
                    Duration.ofMinutes(1),
                    false,
                    new CsiConfig.CapacityOwner(POD_NAME, DEPLOYMENT_OWNER_LEVEL)))
            .rights()
            .list());
    return rights;
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    return new CsiStage(folder);
  }

  private static final class CsiStage implements Stage {
    private final CsiCluster cluster;
    private final RestrictedServer restrictedServer;
    private final ReferenceDriver driver;
    private final ControllerManager fullAccessManager;
    private final SourceKinds kinds;

    CsiStage(Path folder) throws Exception {
      Path auditLog = folder.resolve("audit.log");
      cluster =
          new CsiCluster(
              folder,
              1,
              CsiCluster.RegisteredDriver.reference(false),
              RestrictedServer.config(auditLog));
      restrictedServer = RestrictedServer.of(auditLog, cluster.server());
      driver = cluster.startDriver(ALL_CAPABILITIES);
      fullAccessManager =
          RunFlags.manager(
              FULL_ACCESS_FLAGS,
              Resources.hostBridge(),
              KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "Java-http-client"));
      SnapshotResources.install(cluster.handlers());
      SnapshotResources.installGroups(cluster.handlers());
      kinds = SourceKinds.installGrants(cluster);
      createInitialObjects();
    }

    private void createInitialObjects() throws Exception {
      cluster.create(
          KindCatalogue.SECRETS,
          "{\"metadata\": {\"name\": \"s\"}, \"data\": {\"key\": \"dmFsdWU=\"}}");
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "secret"}, "provisioner": "%s", "allowVolumeExpansion": true, "reclaimPolicy": "Delete",
           "parameters": {"csi.storage.k8s.io/provisioner-secret-name": "s", "csi.storage.k8s.io/provisioner-secret-namespace": "default"}}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "wrong"}, "provisioner": "%s", "parameters": {"csi.storage.k8s.io/provisioner-secret-name": "none", "csi.storage.k8s.io/provisioner-secret-namespace": "default"}}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "known"}, "provisioner": "%s", "volumeBindingMode": "WaitForFirstConsumer"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          findType("volumesnapshotclasses"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          findType("volumegroupsnapshotclasses"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.createAttributesClass("gold", "100");
      createControllerPod();
      // an earlier version or the sidecar created it
      cluster.create(
          KindCatalogue.CAPACITIES,
          """
          {"metadata": {"name": "left", "labels": {"csi.storage.k8s.io/drivername": "%s", "csi.storage.k8s.io/managed-by": "external-provisioner"}},
           "nodeTopology": {}, "storageClassName": "known", "capacity": "1Gi"}
          """
              .formatted(CsiCluster.DRIVER));
    }

    private void createControllerPod() throws Exception {
      kinds
          .api()
          .post(
              "/apis/apps/v1/namespaces/default/replicasets",
              parseJson(
                  """
                  {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "mooring", "ownerReferences": [
                    {"apiVersion": "apps/v1", "kind": "Deployment", "name": "mooring", "uid": "%s", "controller": true}]},
                   "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "mooring"}}, "template": {"metadata": {"labels": {"app": "mooring"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
                  """
                      .formatted(UUID.randomUUID())));
      cluster.create(
          KindCatalogue.PODS,
          """
          {"metadata": {"name": "%s", "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "mooring", "uid": "%s", "controller": true}]},
           "spec": {"containers": [{"name": "c", "image": "i"}]}}
          """
              .formatted(POD_NAME, UUID.randomUUID()));
    }

    private static JsonObject parseJson(String json) {
      return JsonParser.parseString(json).getAsJsonObject();
    }

    private ResourceType findType(String plural) {
      return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
    }

    @Override
    public RestrictedServer server() {
      return restrictedServer;
    }

    @Override
    public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
      List<String> args = new ArrayList<>(List.of("run", "--mode=replace"));
      args.addAll(FLAGS);
      args.add(cluster.endpointFlag());
      args.add("--capacity-ownerref-level=" + DEPLOYMENT_OWNER_LEVEL);
      args.add("--kubeconfig=" + kubeconfig);
      args.add("--plugins=" + Resources.csiPlugins());
      fullAccessManager.start();
      try (JavaProcess process =
          JavaProcess.startMooring(Map.of("POD_NAME", POD_NAME), args.toArray(String[]::new))) {
        process.awaitLine(line -> line.contains("running "));
        cluster.createClaim("never", "wrong");
        playClaimLifecycle();
        awaitCapacity();
        restoreFromOtherNamespace();
        attachInlineVolume();
        if (awaitRepeat) {
          cluster.await(
              "event is repeated",
              () ->
                  cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
                      .map(event -> event.tree().toString())
                      .anyMatch(
                          event -> event.contains("\"series\":{") && event.contains("\"never\"")));
        }
        cluster.delete(KindCatalogue.PODS, "a");
        cluster.await("no volume is attached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
        for (String claim : List.of("a", "b", "c", "d")) {
          cluster.delete(KindCatalogue.CLAIMS, claim);
        }
        cluster.await("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void playClaimLifecycle() throws Exception {
      cluster.createClaim("a", "secret");
      cluster.createPod("a", "a");
      cluster.await("pod runs", () -> isRunning("a"));
      cluster.expandClaim("a", "2Gi");
      cluster.await("claim is expanded", () -> cluster.countClaims("2Gi") == 1);
      cluster.setAttributesClass("a", "copper");
      cluster.await("claim waits for a missing class", () -> isModified("Pending"));
      cluster.setAttributesClass("a", "gold");
      cluster.await(
          "claim has the class gold",
          () ->
              cluster.countObjects(
                      KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                  == 1);
      playSnapshot();
      playGroupSnapshot();
    }

    private boolean isRunning(String pod) {
      return textOf(KindCatalogue.PODS, pod, "status", "phase").equals("Running");
    }

    private boolean isModified(String status) {
      return textOf(KindCatalogue.CLAIMS, "a", "status", "modifyVolumeStatus", "status")
          .equals(status);
    }

    private String textOf(ResourceType type, String name, String... path) {
      return cluster.find(type, name).map(object -> JsonBodies.textAt(object, path)).orElse("");
    }

    private void playSnapshot() throws Exception {
      cluster.create(
          findType("volumesnapshots"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"persistentVolumeClaimName": "a"}, "volumeSnapshotClassName": "goes"}}
          """);
      cluster.await(
          "snapshot is ready",
          () -> textOf(findType("volumesnapshots"), "s", "status", "readyToUse").equals("true"));
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "b"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "2Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}}}
          """);
      cluster.await("claim is restored", () -> isBound("b"));
      cluster.delete(findType("volumesnapshots"), "s");
      cluster.await("object is deleted", () -> cluster.isEmpty(findType("volumesnapshotcontents")));
    }

    private void playGroupSnapshot() throws Exception {
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "d", "labels": {"app": "db"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}}}
          """);
      cluster.await("claim is bound", () -> isBound("d"));
      cluster.create(
          findType("volumegroupsnapshots"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"selector": {"matchLabels": {"app": "db"}}}, "volumeGroupSnapshotClassName": "goes"}}
          """);
      cluster.await(
          "group is ready",
          () ->
              textOf(findType("volumegroupsnapshots"), "g", "status", "readyToUse").equals("true"));
      cluster.delete(findType("volumegroupsnapshots"), "g");
      cluster.await(
          "group and snapshots are deleted",
          () ->
              cluster.isEmpty(findType("volumegroupsnapshotcontents"))
                  && cluster.isEmpty(findType("volumesnapshotcontents")));
    }

    private boolean isBound(String claim) {
      return textOf(KindCatalogue.CLAIMS, claim, "status", "phase").equals("Bound");
    }

    private void awaitCapacity() throws Exception {
      cluster.await(
          "leftover object belongs to the Deployment and has the current capacity",
          () ->
              cluster
                  .find(KindCatalogue.CAPACITIES, "left")
                  .filter(capacityObject -> capacityObject.toString().contains("Deployment"))
                  .filter(capacityObject ->
                      !JsonBodies.textAt(capacityObject, "capacity").equals("1Gi"))
                  .isPresent());
      cluster.await(
          "capacity is published",
          () -> cluster.countObjects(KindCatalogue.CAPACITIES, "later", "storageClassName") == 1);
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.await(
          "capacity object of the deleted class is deleted",
          () -> cluster.countObjects(KindCatalogue.CAPACITIES, "later", "storageClassName") == 0);
    }

    private void restoreFromOtherNamespace() throws Exception {
      kinds.create(
          "{\"kind\": \"Namespace\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"other\"}}");
      kinds.create(
          """
          {"kind": "ReferenceGrant", "apiVersion": "gateway.networking.k8s.io/v1beta1", "metadata": {"namespace": "other", "name": "g"},
           "spec": {"from": [{"group": "", "kind": "PersistentVolumeClaim", "namespace": "default"}], "to": [{"group": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot"}]}}
          """);
      String handle = cluster.store().snapshots().add("x", "any", 1 << 30, "").id();
      kinds.create(
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"namespace": "other", "name": "x"}, "spec": {"source": {"volumeSnapshotContentName": "x"}}}
          """);
      cluster.create(
          findType("volumesnapshotcontents"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "x"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"snapshotHandle": "%s"}, "volumeSnapshotRef": {"name": "x", "namespace": "other"}}}
          """
              .formatted(CsiCluster.DRIVER, handle));
      JsonObject claim =
          parseJson(
              """
              {"metadata": {"name": "c", "namespace": "default", "uid": "%s", "annotations": {}},
               "spec": {"accessModes": ["ReadWriteOnce"], "volumeMode": "Filesystem", "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}},
                "dataSourceRef": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "namespace": "other", "name": "x"}},
               "status": {"phase": "Pending"}}
              """
                  .formatted(UUID.randomUUID()));
      cluster.handlers().store(KindCatalogue.CLAIMS).write("default/c", absent -> claim);
      cluster.await("claim is restored from another namespace", () -> isBound("c"));
    }

    private void attachInlineVolume() throws Exception {
      cluster.create(
          KindCatalogue.ATTACHMENTS,
          """
          {"metadata": {"name": "inline"}, "spec": {"attacher": "%1$s", "nodeName": "node-1", "source": {"inlineVolumeSpec":
            {"accessModes": ["ReadWriteOnce"], "csi": {"driver": "%1$s", "volumeHandle": "%2$s"}}}}}
          """
              .formatted(CsiCluster.DRIVER, cluster.store().listVolumes().getLast().id()));
      cluster.await(
          "volume is attached",
          () -> textOf(KindCatalogue.ATTACHMENTS, "inline", "status", "attached").equals("true"));
      cluster.delete(KindCatalogue.ATTACHMENTS, "inline");
    }

    @Override
    public void close() throws Exception {
      fullAccessManager.stop();
      driver.close();
      cluster.close();
    }
  }
}
