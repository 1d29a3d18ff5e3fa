package dev.mooring.it.uninstall;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.manager.command.RunFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring uninstall} with exactly the rights that {@code rights} prints. */
class UninstallTest {
  private static final String MOORING_FINALIZER = "mooring.dev/volume-being-made";
  private static final String HELPER_NAMESPACE = "--plugin-pods-namespace=helpers";
  private static final String LEASE = "mooring-controller-manager";
  private static final int CLAIMS_OF_TWO_PAGES = 520;

  @TempDir private Path folder;
  private RestrictedServer server;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    start("helpers", HELPER_NAMESPACE);
  }

  private void start(String subfolder, String... flags) throws Exception {
    server = RestrictedServer.start(Files.createDirectory(folder.resolve(subfolder)));
    create(
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"helpers\"}}");
    kubeconfig = server.kubeconfig(folder, RunFlags.rightsToUninstall(List.of(flags)));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private RestApi api() {
    return server.admin();
  }

  private void create(String json) throws Exception {
    api().create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createClaim(String name, String finalizers, String volume) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "finalizers": [%s],
         "annotations": {"volume.kubernetes.io/storage-provisioner": "example.com/disks", "pv.kubernetes.io/bind-completed": "yes"}},
         "spec": {"accessModes": ["ReadWriteOnce"], "volumeName": "%s", "resources": {"requests": {"storage": "1Gi"}}},
         "status": {"phase": "Pending", "conditions": [
          {"type": "Resizing", "status": "True", "reason": "r", "message": "m", "lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:00Z"},
          {"type": "mooring.dev/Waiting", "status": "True"}]}}
        """
            .formatted(name, finalizers, volume));
  }

  private void createVolume(String name, String annotations, String labels, String policy)
      throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s", "annotations": {%s}, "labels": {%s},
         "finalizers": ["kubernetes.io/pv-protection", "external-provisioner.volume.kubernetes.io/finalizer"]},
         "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "%s",
          "claimRef": {"namespace": "default", "name": "c", "uid": "u-1"}, "nfs": {"server": "s", "path": "/p"}}}
        """
            .formatted(name, annotations, labels, policy));
  }

  private void createPod(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        """
            .formatted(name));
  }

  private void createHelperPod(String name, String component) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "helpers", "labels": {"app.kubernetes.io/managed-by": "mooring", "app.kubernetes.io/component": "%s"}},
         "spec": {"containers": [{"name": "c", "image": "i"}]}}
        """
            .formatted(name, component));
  }

  private void createLease(String holder, Instant renewed, int seconds) throws Exception {
    create(
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s", "namespace": "kube-system"},
         "spec": {"holderIdentity": "%s", "leaseDurationSeconds": %d, "renewTime": "%s"}}
        """
            .formatted(
                LEASE,
                holder,
                seconds,
                renewed.truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z")));
  }

  /** Creates objects with every kind of mark that Mooring writes. */
  private void createMarkedObjects() throws Exception {
    createClaim("waiting", "\"kubernetes.io/pvc-protection\", \"" + MOORING_FINALIZER + "\"", "");
    createClaim("bound", "\"kubernetes.io/pvc-protection\"", "kept");
    createVolume("kept", "\"mooring.dev/taken-by-deleted-claim\": \"u-1\"", "", "Delete");
    createVolume("retained", "\"mooring.dev/taken-by-deleted-claim\": \"u-1\"", "", "Retain");
    createVolume(
        "nfs",
        "\"mooring.dev/nfs-on-delete\": \"archive\", \"pv.kubernetes.io/bound-by-controller\": \"yes\"",
        "\"mooring.dev/orphan\": \"true\"",
        "Delete");
    createPod("recycler-for-retained-0123456789abcdef");
    createPod("recycler-for-nfs");
    createPod("recycler");
    createHelperPod("mooring-local-path-v", "local-path-helper");
    createHelperPod("mooring-itself", "controller");
    createHelperPod("unrelated", "local-path-helper");
    createPod("mooring-local-path-elsewhere");
    createLease("other-replica", Instant.now().minusSeconds(60), 1);
  }

  private CommandResult runUninstall(String... options) {
    List<String> args =
        new ArrayList<>(List.of("uninstall", HELPER_NAMESPACE, "--kubeconfig=" + kubeconfig));
    args.addAll(List.of(options));
    return CommandResult.ofCommand(args.toArray(String[]::new));
  }

  /**
   * Returns all objects of the kinds by kind and name, without metadata that each write changes.
   */
  private Map<String, JsonObject> readObjects(String... kinds) throws Exception {
    Map<String, JsonObject> objects = new TreeMap<>();
    for (String kind : kinds) {
      for (JsonObject object : api().list(kind)) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        metadata.remove("resourceVersion");
        metadata.remove("managedFields");
        objects.put(kind + " " + metadata.get("name").getAsString(), object);
      }
    }
    return objects;
  }

  private Map<String, JsonObject> readObjects() throws Exception {
    return readObjects("PersistentVolumeClaim", "PersistentVolume", "Pod", "Lease");
  }

  @Test
  void dryRun_markedObjects_areListedWithReason() throws Exception {
    createMarkedObjects();
    Map<String, JsonObject> objectsBefore = readObjects();
    CommandResult result = runUninstall();
    assertThat(readObjects()).isEqualTo(objectsBefore);
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.output())
        .contains(
            "PersistentVolumeClaim default/waiting: finalizer mooring.dev/volume-being-made\n  remove: no other component removes it",
            "look for "
                + objectsBefore
                    .get("PersistentVolumeClaim waiting")
                    .getAsJsonObject("metadata")
                    .get("uid")
                    .getAsString()
                + " in the storage of example.com/disks",
            "PersistentVolumeClaim default/bound: condition mooring.dev/Waiting\n  remove: ",
            "PersistentVolume kept: annotation mooring.dev/taken-by-deleted-claim\n  keep: ",
            "set the reclaim policy to Retain",
            "PersistentVolume retained: annotation mooring.dev/taken-by-deleted-claim\n  remove: ",
            "annotation mooring.dev/nfs-on-delete kept on 1 object: ",
            "label mooring.dev/orphan kept on 1 object: ",
            "Pod default/recycler-for-retained-0123456789abcdef\n  remove: it empties volume retained",
            "Pod helpers/mooring-local-path-v\n  remove: a plugin created it as local-path-helper",
            "Lease kube-system/mooring-controller-manager\n  remove: ",
            "7 marks or objects would be removed; nothing was written. --yes removes them")
        .doesNotContain(
            "recycler-for-nfs",
            "pvc-protection",
            "bound-by-controller",
            "mooring-itself",
            "unrelated",
            "elsewhere");
    assertThat(server.forbiddenRequests()).isEmpty();
  }

  @Test
  void yes_markedObjects_loseOnlyOwnMarks() throws Exception {
    createMarkedObjects();
    Map<String, JsonObject> expected = readObjects();
    for (String claim : List.of("waiting", "bound")) {
      JsonArray conditions = new JsonArray();
      JsonObject object = expected.get("PersistentVolumeClaim " + claim);
      conditions.add(object.getAsJsonObject("status").getAsJsonArray("conditions").get(0));
      object.getAsJsonObject("status").add("conditions", conditions);
    }
    expected
        .get("PersistentVolumeClaim waiting")
        .getAsJsonObject("metadata")
        .getAsJsonArray("finalizers")
        .remove(1);
    expected.get("PersistentVolume retained").getAsJsonObject("metadata").remove("annotations");
    expected.remove("Pod recycler-for-retained-0123456789abcdef");
    expected.remove("Pod mooring-local-path-v");
    expected.remove("Lease " + LEASE);

    CommandResult result = runUninstall("--yes");
    assertThat(result.code()).as(result.output()).isZero();
    assertThat(readObjects()).isEqualTo(expected);
    CommandResult secondResult = runUninstall("--yes");
    assertThat(secondResult.code()).isZero();
    assertThat(secondResult.output()).contains("0 marks or objects removed");
    assertThat(readObjects()).isEqualTo(expected);
    assertThat(server.forbiddenRequests()).isEmpty();
    assertThat(server.usedRights()).isEqualTo(server.grantedRights());
  }

  @Test
  void forget_volumeMarks_areRemovedExceptDataProtection() throws Exception {
    createMarkedObjects();
    assertThat(runUninstall("--yes", "--forget").code()).isZero();
    Map<String, JsonObject> objectsAfter = readObjects("PersistentVolume");
    assertThat(objectsAfter.get("PersistentVolume nfs").getAsJsonObject("metadata").toString())
        .doesNotContain("mooring.dev")
        .contains("pv.kubernetes.io/bound-by-controller");
    assertThat(objectsAfter.get("PersistentVolume kept").toString())
        .contains("mooring.dev/taken-by-deleted-claim");
  }

  private void createContent(String name, String policy) throws Exception {
    create(
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent", "metadata": {"name": "%s",
         "annotations": {"mooring.dev/condemned-until": "2026-01-02T00:00:00Z", "mooring.dev/condemned-since": "2026-01-01T00:00:00Z",
          "mooring.dev/condemned-snapshot-uid": "u-1", "mooring.dev/deleted-snapshot": "{}"}},
         "spec": {"deletionPolicy": "%s", "driver": "d.example.com", "source": {"snapshotHandle": "h"},
          "volumeSnapshotRef": {"namespace": "default", "name": "s", "uid": "u-1"}}}
        """
            .formatted(name, policy));
  }

  @Test
  void forget_snapshotContents_keepMarksWhileTheirDataWaits() throws Exception {
    String flag = "--controllers=*,snapshot-controller";
    server.close();
    start("snapshots", HELPER_NAMESPACE, flag);
    assertThat(runUninstall(flag).code()).as("snapshots are not served").isZero();

    SnapshotResources.install(server.server().handlers());
    createContent("waiting", "Delete");
    createContent("retained", "Retain");
    Map<String, JsonObject> before = readObjects("VolumeSnapshotContent");
    CommandResult result = runUninstall(flag, "--yes", "--forget");
    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.output())
        .contains(
            "VolumeSnapshotContent waiting: annotation mooring.dev/condemned-until\n  keep: ",
            "delete the content, or run 'mooring undo volumesnapshotcontent/waiting' first");
    before.get("VolumeSnapshotContent retained").getAsJsonObject("metadata").remove("annotations");
    assertThat(readObjects("VolumeSnapshotContent")).isEqualTo(before);
    assertThat(server.forbiddenRequests()).isEmpty();
  }

  @Test
  void giveBack_finalizer_isRemovedUnlessVolumeIsDeleting() throws Exception {
    String finalizer = "external-provisioner.volume.kubernetes.io/finalizer";
    String annotation = "\"pv.kubernetes.io/provisioned-by\": \"%s\"";
    createVolume("given", annotation.formatted("example.com/old"), "", "Delete");
    createVolume("going", annotation.formatted("example.com/old"), "", "Delete");
    createVolume("others", annotation.formatted("example.com/other"), "", "Delete");
    api().delete("PersistentVolume", "", "going", -1);
    Map<String, JsonObject> objectsBefore = readObjects("PersistentVolume");
    assertThat(runUninstall("--yes").output()).doesNotContain(finalizer);
    assertThat(readObjects("PersistentVolume")).isEqualTo(objectsBefore);
    CommandResult result = runUninstall("--yes", "--give-back=example.com/old");
    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.output())
        .contains(
            "PersistentVolume going: finalizer "
                + finalizer
                + "\n  keep: the volume is being deleted");
    objectsBefore
        .get("PersistentVolume given")
        .getAsJsonObject("metadata")
        .getAsJsonArray("finalizers")
        .remove(1);
    assertThat(readObjects("PersistentVolume")).isEqualTo(objectsBefore);
  }

  @Test
  void yes_activeLeader_requiresIgnoreLease() throws Exception {
    Path adminKubeconfig = Files.writeString(folder.resolve("all"), server.server().kubeconfig());
    try (JavaProcess leader =
        JavaProcess.startMooring(
            "run", "--endpoints=off", "--mode=beside", "--kubeconfig=" + adminKubeconfig)) {
      leader.awaitLine(line -> line.contains("running "));
      createClaim("waiting", "\"" + MOORING_FINALIZER + "\"", "v");
      CommandResult result = runUninstall("--yes");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.output()).contains("a leader is active: ", "--ignore-lease");
      assertThat(readObjects().get("PersistentVolumeClaim waiting").toString())
          .contains(MOORING_FINALIZER);
      assertThat(runUninstall().output())
          .contains("a leader is active: ")
          .doesNotContain("\nLease ");
      assertThat(runUninstall("--yes", "--ignore-lease").code()).isZero();
      assertThat(readObjects().get("PersistentVolumeClaim waiting").toString())
          .doesNotContain(MOORING_FINALIZER);
      assertThat(api().list("Lease")).hasSize(1);
    }
  }

  /** A leader with a wrong clock renews a Lease that looks expired. */
  @Test
  void yes_expiredLeaseIsRenewed_isRejected() throws Exception {
    createLease("elsewhere", Instant.now().minusSeconds(3600), 60);
    Thread renewer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; !Thread.interrupted(); i++) {
                  api()
                      .patch(
                          "Lease",
                          "kube-system",
                          LEASE,
                          "",
                          JsonParser.parseString("{\"spec\": {\"leaseTransitions\": " + i + "}}")
                              .getAsJsonObject());
                }
              } catch (Exception stopped) {
                Thread.currentThread().interrupt();
              }
            });
    CommandResult result = runUninstall("--yes");
    renewer.interrupt();
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.output()).contains("a leader is active: elsewhere");
  }

  @Test
  void yes_manyClaims_listsPages() throws Exception {
    for (int i = 0; i < CLAIMS_OF_TWO_PAGES; i++) {
      createClaim("c-" + i, i % 260 == 0 ? "\"" + MOORING_FINALIZER + "\"" : "", "");
    }
    Path log = server.log();
    assertThat(runUninstall("--yes").code()).isZero();
    assertThat(readObjects("PersistentVolumeClaim").toString()).doesNotContain("mooring.dev");
    List<AuditEvent> requests =
        AuditEvent.read(log).stream().filter(AuditEvent::isOfController).toList();
    assertThat(requests)
        .filteredOn(event -> event.verb().equals("list"))
        .allMatch(event -> event.uri().contains("limit=500"));
    assertThat(requests).filteredOn(event -> event.uri().contains("continue=")).isNotEmpty();
  }
}
