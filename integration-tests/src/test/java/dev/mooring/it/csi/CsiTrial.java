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
import java.util.Optional;
import java.util.UUID;

/** Uses every feature of mode {@code csi}; a second process binds, attaches and snapshots. */
final class CsiTrial implements RightsTrial {
  private static final Settings ABLE =
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

  private static final String POD = "mooring-0";
  private static final int OF_ITS_DEPLOYMENT = 2;
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
    CsiConfig plain = CsiConfig.DEFAULTS;
    rights.addAll(
        new CsiConfig(
                plain.timeout(),
                plain.workers(),
                plain.minRetryDelay(),
                plain.maxRetryDelay(),
                plain.listing(),
                plain.options(),
                Optional.of(
                    new CsiConfig.Capacity(
                        "default",
                        Duration.ofMinutes(1),
                        false,
                        new CsiConfig.CapacityOwner(POD, OF_ITS_DEPLOYMENT))),
                plain.sources(),
                plain.node(),
                plain.snapshots())
            .rights()
            .list());
    return rights;
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    return new Driven(folder);
  }

  private static final class Driven implements Stage {
    private final CsiCluster cluster;
    private final RestrictedServer granted;
    private final ReferenceDriver driver;
    private final ControllerManager others;
    private final SourceKinds kinds;

    Driven(Path folder) throws Exception {
      Path log = folder.resolve("audit.log");
      cluster =
          new CsiCluster(
              folder,
              1,
              CsiCluster.RegisteredDriver.reference(false),
              RestrictedServer.config(log));
      granted = RestrictedServer.on(log, cluster.server());
      driver = cluster.driver(ABLE);
      others =
          RunFlags.manager(
              FULL_ACCESS_FLAGS,
              Resources.csiPlugins(),
              KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "Java-http-client"));
      SnapshotResources.install(cluster.handlers());
      SnapshotResources.installGroups(cluster.handlers());
      kinds = SourceKinds.grants(cluster);
      furnish();
    }

    private void furnish() throws Exception {
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
          type("volumesnapshotclasses"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          type("volumegroupsnapshotclasses"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.attributesClass("gold", "100");
      ownPod();
      // as an earlier version or the sidecar leaves it
      cluster.create(
          KindCatalogue.CAPACITIES,
          """
          {"metadata": {"name": "left", "labels": {"csi.storage.k8s.io/drivername": "%s", "csi.storage.k8s.io/managed-by": "external-provisioner"}},
           "nodeTopology": {}, "storageClassName": "known", "capacity": "1Gi"}
          """
              .formatted(CsiCluster.DRIVER));
    }

    private void ownPod() throws Exception {
      kinds
          .api()
          .post(
              "/apis/apps/v1/namespaces/default/replicasets",
              parsed(
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
              .formatted(POD, UUID.randomUUID()));
    }

    private static JsonObject parsed(String json) {
      return JsonParser.parseString(json).getAsJsonObject();
    }

    private ResourceType type(String plural) {
      return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
    }

    @Override
    public RestrictedServer granted() {
      return granted;
    }

    @Override
    public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
      List<String> args = new ArrayList<>(List.of("run", "--mode=replace"));
      args.addAll(FLAGS);
      args.add(cluster.endpointFlag());
      args.add("--capacity-ownerref-level=" + OF_ITS_DEPLOYMENT);
      args.add("--kubeconfig=" + kubeconfig);
      args.add("--plugins=" + Resources.csiPlugins());
      others.start();
      try (JavaProcess process =
          JavaProcess.mooring(Map.of("POD_NAME", POD), args.toArray(String[]::new))) {
        process.awaitLine(line -> line.contains("running "));
        cluster.claim("never", "wrong");
        life();
        awaitCapacity();
        restoreFromOtherNamespace();
        attachInlineVolume();
        if (awaitRepeat) {
          cluster.until(
              "event is repeated",
              () ->
                  cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
                      .map(e -> e.tree().toString())
                      .anyMatch(e -> e.contains("\"series\":{") && e.contains("\"never\"")));
        }
        cluster.delete(KindCatalogue.PODS, "a");
        cluster.until("no volume is attached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
        for (String claim : List.of("a", "b", "c", "d")) {
          cluster.delete(KindCatalogue.CLAIMS, claim);
        }
        cluster.until("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void life() throws Exception {
      cluster.claim("a", "secret");
      cluster.pod("a", "a");
      cluster.until("pod runs", () -> isRunning("a"));
      cluster.grow("a", "2Gi");
      cluster.until("claim is expanded", () -> cluster.countOfSize("2Gi") == 1);
      cluster.modify("a", "copper");
      cluster.until("claim waits for a missing class", () -> isModified("Pending"));
      cluster.modify("a", "gold");
      cluster.until(
          "claim has the class gold",
          () ->
              cluster.countWith(
                      KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                  == 1);
      snapshot();
      group();
    }

    private boolean isRunning(String pod) {
      return text(KindCatalogue.PODS, pod, "status", "phase").equals("Running");
    }

    private boolean isModified(String status) {
      return text(KindCatalogue.CLAIMS, "a", "status", "modifyVolumeStatus", "status")
          .equals(status);
    }

    private String text(ResourceType type, String name, String... path) {
      return cluster.get(type, name).map(o -> JsonBodies.textAt(o, path)).orElse("");
    }

    private void snapshot() throws Exception {
      cluster.create(
          type("volumesnapshots"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"persistentVolumeClaimName": "a"}, "volumeSnapshotClassName": "goes"}}
          """);
      cluster.until(
          "snapshot is ready",
          () -> text(type("volumesnapshots"), "s", "status", "readyToUse").equals("true"));
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "b"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "2Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}}}
          """);
      cluster.until("claim is restored", () -> isBound("b"));
      cluster.delete(type("volumesnapshots"), "s");
      cluster.until("object is deleted", () -> cluster.isEmpty(type("volumesnapshotcontents")));
    }

    private void group() throws Exception {
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "d", "labels": {"app": "db"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}}}
          """);
      cluster.until("claim is bound", () -> isBound("d"));
      cluster.create(
          type("volumegroupsnapshots"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"selector": {"matchLabels": {"app": "db"}}}, "volumeGroupSnapshotClassName": "goes"}}
          """);
      cluster.until(
          "group is ready",
          () -> text(type("volumegroupsnapshots"), "g", "status", "readyToUse").equals("true"));
      cluster.delete(type("volumegroupsnapshots"), "g");
      cluster.until(
          "group and snapshots are deleted",
          () ->
              cluster.isEmpty(type("volumegroupsnapshotcontents"))
                  && cluster.isEmpty(type("volumesnapshotcontents")));
    }

    private boolean isBound(String claim) {
      return text(KindCatalogue.CLAIMS, claim, "status", "phase").equals("Bound");
    }

    private void awaitCapacity() throws Exception {
      cluster.until(
          "leftover object belongs to the Deployment and has the current capacity",
          () ->
              cluster
                  .get(KindCatalogue.CAPACITIES, "left")
                  .filter(left -> left.toString().contains("Deployment"))
                  .filter(left -> !JsonBodies.textAt(left, "capacity").equals("1Gi"))
                  .isPresent());
      cluster.until(
          "capacity is published",
          () -> cluster.countWith(KindCatalogue.CAPACITIES, "later", "storageClassName") == 1);
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.until(
          "no room for it",
          () -> cluster.countWith(KindCatalogue.CAPACITIES, "later", "storageClassName") == 0);
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
          type("volumesnapshotcontents"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "x"}, "spec": {"driver": "%s", "deletionPolicy": "Delete", "source": {"snapshotHandle": "%s"}, "volumeSnapshotRef": {"name": "x", "namespace": "other"}}}
          """
              .formatted(CsiCluster.DRIVER, handle));
      JsonObject claim =
          parsed(
              """
              {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c", "namespace": "default", "uid": "%s", "annotations": {}},
               "spec": {"accessModes": ["ReadWriteOnce"], "volumeMode": "Filesystem", "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}},
                "dataSourceRef": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "namespace": "other", "name": "x"}},
               "status": {"phase": "Pending"}}
              """
                  .formatted(UUID.randomUUID()));
      cluster.handlers().store(KindCatalogue.CLAIMS).write("default/c", none -> claim);
      cluster.until("claim is restored from another namespace", () -> isBound("c"));
    }

    private void attachInlineVolume() throws Exception {
      cluster.create(
          KindCatalogue.ATTACHMENTS,
          """
          {"metadata": {"name": "inline"}, "spec": {"attacher": "%1$s", "nodeName": "node-1", "source": {"inlineVolumeSpec":
            {"accessModes": ["ReadWriteOnce"], "csi": {"driver": "%1$s", "volumeHandle": "%2$s"}}}}}
          """
              .formatted(CsiCluster.DRIVER, cluster.store().listVolumes().getLast().id()));
      cluster.until(
          "volume is attached",
          () -> text(KindCatalogue.ATTACHMENTS, "inline", "status", "attached").equals("true"));
      cluster.delete(KindCatalogue.ATTACHMENTS, "inline");
    }

    @Override
    public void close() throws Exception {
      others.stop();
      driver.close();
      cluster.close();
    }
  }
}
