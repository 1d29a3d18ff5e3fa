package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.cluster.RbacRule;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the snapshot controller. Another process manages volumes and snapshots of the driver. */
final class SnapshotControllerTrial implements RightsTrial {
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);

  private final boolean withGroups;
  private final List<String> flags;

  SnapshotControllerTrial(boolean withGroups) {
    this.withGroups = withGroups;
    this.flags =
        List.of(
            "--controllers=snapshot-controller",
            "--endpoints=off",
            "--feature-gates=CSIVolumeGroupSnapshot=" + withGroups);
  }

  @Override
  public List<RbacRule> rights() throws Exception {
    return RunFlags.rights(flags);
  }

  @Override
  public boolean canRepeatEvents() {
    return false;
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    return new SnapshotStage(folder, flags, withGroups);
  }

  private static final class SnapshotStage implements Stage {
    private final Path folder;
    private final List<String> flags;
    private final boolean withGroups;
    private final CsiCluster cluster;
    private final RestrictedServer restrictedServer;
    private final ReferenceDriver driver;
    private final ControllerManager fullAccessManager;

    SnapshotStage(Path folder, List<String> flags, boolean withGroups) throws Exception {
      this.folder = folder;
      this.flags = flags;
      this.withGroups = withGroups;
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
              List.of(
                  "--endpoints=off",
                  "--leader-elect=false",
                  "--controllers=persistentvolume-binder-controller,persistentvolumeclaim-protection-controller,csi-bridge",
                  "--enable-snapshots",
                  "--feature-gates=CSIVolumeGroupSnapshot=" + withGroups,
                  cluster.endpointFlag(),
                  "--csi-retry-interval-start=20ms",
                  "--csi-retry-interval-max=300ms"),
              Resources.hostBridge(),
              KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "Java-http-client"));
      SnapshotResources.install(cluster.handlers());
      SnapshotResources.installGroups(cluster.handlers());
      cluster.create(
          findType("volumegroupsnapshotclasses"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          findType("volumesnapshotclasses"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes", "annotations": {"mooring.dev/deletion-delay": "1s"}}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
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
      args.addAll(flags);
      args.add("--kubeconfig=" + kubeconfig);
      args.add("--plugins=" + Files.createDirectory(folder.resolve("none")));
      fullAccessManager.start();
      try (JavaProcess process = JavaProcess.startMooring(args.toArray(String[]::new))) {
        process.awaitLine(line -> line.contains("running "));
        cluster.createClaim("a", "now");
        cluster.await(
            "claim is bound",
            () ->
                cluster
                    .find(KindCatalogue.CLAIMS, "a")
                    .filter(claim -> JsonBodies.textAt(claim, "status", "phase").equals("Bound"))
                    .isPresent());
        createSnapshot("s", "a", "goes");
        cluster.await("snapshot is ready", () -> isReady("s"));
        createWaitingClaim(
            "w", "elsewhere"); // the controller reads waiting claims before it deletes a snapshot
        cluster.delete(findType("volumesnapshots"), "s");
        cluster.await(
            "all objects are deleted",
            () ->
                cluster.isEmpty(findType("volumesnapshots"))
                    && cluster.isEmpty(findType("volumesnapshotcontents")));
        if (withGroups) {
          playGroup();
        }
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void playGroup() throws Exception {
      cluster.create(
          findType("volumegroupsnapshots"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"selector": {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}, {"key": "other", "operator": "DoesNotExist"}]}}, "volumeGroupSnapshotClassName": "goes"}}
          """);
      cluster.delete(KindCatalogue.CLAIMS, "w"); // it will never be bound
      cluster.await(
          "group is ready",
          () ->
              cluster
                  .find(findType("volumegroupsnapshots"), "g")
                  .filter(group -> JsonBodies.textAt(group, "status", "readyToUse").equals("true"))
                  .isPresent());
      cluster.delete(findType("volumegroupsnapshots"), "g");
      cluster.await(
          "group is deleted",
          () ->
              cluster.isEmpty(findType("volumegroupsnapshots"))
                  && cluster.isEmpty(findType("volumegroupsnapshotcontents"))
                  && cluster.isEmpty(findType("volumesnapshots"))
                  && cluster.isEmpty(findType("volumesnapshotcontents")));
    }

    private void createSnapshot(String name, String claim, String className) throws Exception {
      cluster.create(
          findType("volumesnapshots"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"persistentVolumeClaimName": "%s"}, "volumeSnapshotClassName": "%s"}}
          """
              .formatted(name, claim, className));
    }

    private void createWaitingClaim(String claim, String snapshot) throws Exception {
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "nobody", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "%s"}}}
          """
              .formatted(claim, snapshot));
    }

    private boolean isReady(String name) {
      return cluster
          .find(findType("volumesnapshots"), name)
          .filter(snapshot -> JsonBodies.textAt(snapshot, "status", "readyToUse").equals("true"))
          .isPresent();
    }

    @Override
    public void close() throws Exception {
      fullAccessManager.stop();
      driver.close();
      cluster.close();
    }
  }
}
