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

/** The snapshot controller, beside a driver whose volumes and snapshots other processes manage. */
final class SnapshotControllerTrial implements RightsTrial {
  private static final Settings ABLE =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS,
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);

  private final boolean groups;
  private final List<String> flags;

  SnapshotControllerTrial(boolean groups) {
    this.groups = groups;
    this.flags =
        List.of(
            "--controllers=snapshot-controller",
            "--endpoints=off",
            "--feature-gates=CSIVolumeGroupSnapshot=" + groups);
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
    return new Cut(folder, flags, groups);
  }

  private static final class Cut implements Stage {
    private final Path folder;
    private final List<String> flags;
    private final boolean groups;
    private final CsiCluster cluster;
    private final RestrictedServer granted;
    private final ReferenceDriver driver;
    private final ControllerManager others;

    Cut(Path folder, List<String> flags, boolean groups) throws Exception {
      this.folder = folder;
      this.flags = flags;
      this.groups = groups;
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
              List.of(
                  "--endpoints=off",
                  "--leader-elect=false",
                  "--controllers=persistentvolume-binder-controller,persistentvolumeclaim-protection-controller,csi-bridge",
                  "--enable-snapshots",
                  "--feature-gates=CSIVolumeGroupSnapshot=" + groups,
                  cluster.endpointFlag(),
                  "--csi-retry-interval-start=20ms",
                  "--csi-retry-interval-max=300ms"),
              Resources.csiPlugins(),
              KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "Java-http-client"));
      SnapshotResources.install(cluster.handlers());
      SnapshotResources.installGroups(cluster.handlers());
      cluster.create(
          type("volumegroupsnapshotclasses"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          type("volumesnapshotclasses"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
          """
              .formatted(CsiCluster.DRIVER));
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
      args.addAll(flags);
      args.add("--kubeconfig=" + kubeconfig);
      args.add("--plugins=" + Files.createDirectory(folder.resolve("none")));
      others.start();
      try (JavaProcess process = JavaProcess.mooring(args.toArray(String[]::new))) {
        process.awaitLine(line -> line.contains("running "));
        cluster.claim("a", "now");
        cluster.until(
            "claim is bound",
            () ->
                cluster
                    .get(KindCatalogue.CLAIMS, "a")
                    .filter(a -> JsonBodies.textAt(a, "status", "phase").equals("Bound"))
                    .isPresent());
        snapshot("s", "a", "goes");
        cluster.until("snapshot is ready", () -> isReady("s"));
        waits("w", "elsewhere"); // its claims are checked before a snapshot is deleted
        cluster.delete(type("volumesnapshots"), "s");
        cluster.until(
            "all objects are deleted",
            () ->
                cluster.isEmpty(type("volumesnapshots"))
                    && cluster.isEmpty(type("volumesnapshotcontents")));
        if (groups) {
          playGroup();
        }
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void playGroup() throws Exception {
      cluster.create(
          type("volumegroupsnapshots"),
          """
          {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "g"}, "spec": {"source": {"selector": {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}, {"key": "other", "operator": "DoesNotExist"}]}}, "volumeGroupSnapshotClassName": "goes"}}
          """);
      cluster.delete(KindCatalogue.CLAIMS, "w"); // it will never be bound
      cluster.until(
          "group is ready",
          () ->
              cluster
                  .get(type("volumegroupsnapshots"), "g")
                  .filter(g -> JsonBodies.textAt(g, "status", "readyToUse").equals("true"))
                  .isPresent());
      cluster.delete(type("volumegroupsnapshots"), "g");
      cluster.until(
          "group is deleted",
          () ->
              cluster.isEmpty(type("volumegroupsnapshots"))
                  && cluster.isEmpty(type("volumegroupsnapshotcontents"))
                  && cluster.isEmpty(type("volumesnapshots"))
                  && cluster.isEmpty(type("volumesnapshotcontents")));
    }

    private void snapshot(String name, String claim, String className) throws Exception {
      cluster.create(
          type("volumesnapshots"),
          """
          {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "%s"}, "spec": {"source": {"persistentVolumeClaimName": "%s"}, "volumeSnapshotClassName": "%s"}}
          """
              .formatted(name, claim, className));
    }

    private void waits(String claim, String snapshot) throws Exception {
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "nobody", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "%s"}}}
          """
              .formatted(claim, snapshot));
    }

    private boolean isReady(String name) {
      return cluster
          .get(type("volumesnapshots"), name)
          .filter(s -> JsonBodies.textAt(s, "status", "readyToUse").equals("true"))
          .isPresent();
    }

    @Override
    public void close() throws Exception {
      others.stop();
      driver.close();
      cluster.close();
    }
  }
}
