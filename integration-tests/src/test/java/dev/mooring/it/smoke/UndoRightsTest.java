package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.cluster.RbacRule;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.it.RestrictedServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.undo.UndoRights;
import dev.mooring.testkit.TestWait;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests delayed deletions and {@code mooring undo} with exactly the generated rights. */
@Isolated("replaces the standard streams")
@Timeout(120)
class UndoRightsTest {
  private static final String ANNOTATIONS =
      "'mooring.dev/condemned-until': '2099-01-01T00:00:00Z', 'mooring.dev/condemned-since': '2026-01-01T00:00:00Z'";

  @TempDir private Path folder;
  private RestrictedServer server;

  @BeforeEach
  void start() throws Exception {
    server = RestrictedServer.start(folder);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private ObjectHandlers handlers() {
    return server.server().handlers();
  }

  private void create(ResourceType type, String json) throws Exception {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    handlers()
        .create(type, type.namespaced() ? "default" : "", object.deepCopy(), WriteOptions.PLAIN);
    if (object.has("status")) {
      String name = JsonBodies.textAt(object, "metadata", "name");
      handlers()
          .update(
              type,
              "",
              name,
              WriteOptions.STATUS,
              current -> {
                current.add("status", object.get("status"));
                return current;
              });
    }
  }

  private List<JsonObject> list(ResourceType type) {
    return handlers().store(type).list("").objects().stream().map(StoredObject::tree).toList();
  }

  private void createCondemnedVolume() throws Exception {
    create(
        KindCatalogue.VOLUMES,
        "{'metadata': {'name': 'disk', 'annotations': {%s, 'mooring.dev/condemned-claim-uid': 'c'}}, 'spec': {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'storageClassName': 'x', 'persistentVolumeReclaimPolicy': 'Delete', 'claimRef': {'kind': 'PersistentVolumeClaim', 'apiVersion': 'v1', 'namespace': 'default', 'name': 'data', 'uid': 'c'}, 'nfs': {'server': 's', 'path': '/'}}, 'status': {'phase': 'Released'}}"
            .formatted(ANNOTATIONS));
  }

  private void createCondemnedSnapshot() throws Exception {
    SnapshotResources.install(handlers());
    create(
        SnapshotResources.findType(handlers(), "volumesnapshotcontents").orElseThrow(),
        "{'apiVersion': 'snapshot.storage.k8s.io/v1', 'kind': 'VolumeSnapshotContent', 'metadata': {'name': 'content', 'annotations': {%s, 'mooring.dev/condemned-snapshot-uid': 's'}}, 'spec': {'driver': 'd', 'deletionPolicy': 'Delete', 'source': {'volumeHandle': 'v'}, 'volumeSnapshotRef': {'namespace': 'default', 'name': 'monday', 'uid': 's'}}, 'status': {'snapshotHandle': 'h', 'readyToUse': true}}"
            .formatted(ANNOTATIONS));
  }

  private void assertRightsSuffice(List<RbacRule> rights) throws Exception {
    Path kubeconfig = server.kubeconfig(folder, rights);
    CommandResult result =
        CommandResult.ofCommand("undo", "--kubeconfig=" + kubeconfig, "-n", "default");
    assertThat(result.out()).as(result.output()).contains("is restored with");
    Set<String> unused = server.grantedRights();
    unused.removeAll(server.usedRights());
    assertThat(unused).as("unused").isEmpty();
  }

  @Test
  void undoOfVolume_generatedRights_sufficeAndAreUsed() throws Exception {
    createCondemnedVolume();
    assertRightsSuffice(UndoRights.of("default", true));
    assertThat(list(KindCatalogue.CLAIMS)).hasSize(1);
  }

  @Test
  void undoOfSnapshot_generatedRights_sufficeAndAreUsed() throws Exception {
    createCondemnedSnapshot();
    assertRightsSuffice(UndoRights.ofSnapshots("default", true));
    assertThat(list(SnapshotResources.findType(handlers(), "volumesnapshots").orElseThrow()))
        .hasSize(1);
  }

  @Test
  void undoOfNamespace_snapshotsUnreadable_restoresClaimsAndSaysSo() throws Exception {
    createCondemnedVolume();
    createCondemnedSnapshot();
    Path kubeconfig = server.kubeconfig(folder, UndoRights.of("default", true));
    CommandResult result =
        CommandResult.ofCommand("undo", "--kubeconfig=" + kubeconfig, "-n", "default");
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    assertThat(result.out()).contains("claim default/data is restored");
    assertThat(result.errors())
        .contains("snapshots are not restored, because they cannot be listed")
        .contains("volumesnapshotcontents");
  }

  @Test
  void undoOfNamespace_volumesUnreadable_restoresSnapshotsAndSaysSo() throws Exception {
    createCondemnedVolume();
    createCondemnedSnapshot();
    Path kubeconfig = server.kubeconfig(folder, UndoRights.ofSnapshots("default", true));
    CommandResult result =
        CommandResult.ofCommand("undo", "--kubeconfig=" + kubeconfig, "-n", "default");
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    assertThat(result.out()).contains("snapshot default/monday is restored");
    assertThat(result.errors()).contains("the volumes cannot be listed");
  }

  @Test
  void undoOfNamespace_noClaimCanReturn_restoresSnapshotsAndNamesEachProblem() throws Exception {
    createCondemnedVolume();
    createCondemnedSnapshot();
    create(
        KindCatalogue.CLAIMS,
        "{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'x', 'resources': {'requests': {'storage': '1Gi'}}}}");
    Path kubeconfig =
        server.kubeconfig(
            folder,
            Stream.concat(
                    UndoRights.of("default", true).stream(),
                    UndoRights.ofSnapshots("default", true).stream())
                .toList());
    CommandResult result =
        CommandResult.ofCommand("undo", "--kubeconfig=" + kubeconfig, "-n", "default");
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    assertThat(result.out()).contains("snapshot default/monday is restored");
    assertThat(result.errors()).contains("claim default/data exists already");
  }

  @Test
  void undoOfVolume_withoutRightToCreateClaims_namesItAndWritesNothing() throws Exception {
    createCondemnedVolume();
    Path kubeconfig =
        server.kubeconfig(
            folder,
            UndoRights.of("default", false).stream()
                .filter(right -> right.verb() != RbacRule.Verb.CREATE)
                .toList());
    long version = handlers().store(KindCatalogue.VOLUMES).version();
    CommandResult result = CommandResult.ofCommand("undo", "--kubeconfig=" + kubeconfig, "pv/disk");
    assertThat(result.code()).as(result.output()).isNotZero();
    assertThat(result.errors()).contains("persistentvolumeclaims");
    assertThat(handlers().store(KindCatalogue.VOLUMES).version()).isEqualTo(version);
  }

  @Test
  void deletionDelay_generatedRights_condemnVolumeWithManifest() throws Exception {
    List<String> flags =
        List.of(
            "--endpoints=off",
            "--leader-elect=false",
            "--enable-hostpath-provisioner=true",
            "--deletion-delay=72h");
    create(
        KindCatalogue.CLASSES,
        "{'metadata': {'name': 'host'}, 'provisioner': 'kubernetes.io/host-path'}");
    Path kubeconfig = server.kubeconfig(folder, flags, right -> false);
    ControllerManager manager =
        RunFlags.manager(
            flags, Resources.plugins(), KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    try {
      manager.start();
      create(
          KindCatalogue.CLAIMS,
          "{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'host', 'resources': {'requests': {'storage': '1Gi'}}}}");
      TestWait.until(
          "claim is bound",
          () ->
              list(KindCatalogue.CLAIMS).stream()
                  .allMatch(c -> JsonBodies.textAt(c, "status", "phase").equals("Bound")));
      handlers().delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
      TestWait.until(
          "volume is condemned",
          () ->
              list(KindCatalogue.VOLUMES).stream()
                  .map(v -> JsonBodies.getOrAddChild(v.deepCopy(), "metadata", "annotations"))
                  .allMatch(annotations ->
                      annotations.has("mooring.dev/condemned-until")
                          && annotations.has("mooring.dev/deleted-claim")));
      assertThat(server.forbiddenRequests()).isEmpty();
    } finally {
      manager.stop();
    }
  }
}
