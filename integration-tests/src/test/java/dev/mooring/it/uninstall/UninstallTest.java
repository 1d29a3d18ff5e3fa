package dev.mooring.it.uninstall;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.AuditEvent;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring uninstall} with exactly the rights that {@code rights} prints. */
@Timeout(300)
class UninstallTest {
  private static final String MINE = "mooring.dev/volume-being-made";
  private static final String PODS = "--plugin-pods-namespace=helpers";
  private static final String LEASE = "mooring-controller-manager";
  private static final int MORE_THAN_A_PAGE = 520;

  @TempDir private Path folder;
  private RestrictedServer granted;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    granted = RestrictedServer.start(folder);
    create(
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"helpers\"}}");
    kubeconfig = granted.kubeconfig(folder, RunFlags.rightsToUninstall(List.of(PODS)));
  }

  @AfterEach
  void stop() throws Exception {
    granted.close();
  }

  private RestApi api() {
    return granted.admin();
  }

  private void create(String json) throws Exception {
    api().create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void claim(String name, String finalizers, String volume) throws Exception {
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

  private void volume(String name, String annotations, String labels, String policy)
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

  private void pod(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        """
            .formatted(name));
  }

  private void helper(String name, String component) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "helpers", "labels": {"app.kubernetes.io/managed-by": "mooring", "app.kubernetes.io/component": "%s"}},
         "spec": {"containers": [{"name": "c", "image": "i"}]}}
        """
            .formatted(name, component));
  }

  private void lease(String holder, Instant renewed, int seconds) throws Exception {
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

  /** Creates the objects of a cluster in which every kind of operation was in progress. */
  private void leaveEverything() throws Exception {
    claim("waiting", "\"kubernetes.io/pvc-protection\", \"" + MINE + "\"", "");
    claim("bound", "\"kubernetes.io/pvc-protection\"", "kept");
    volume("kept", "\"mooring.dev/taken-by-deleted-claim\": \"u-1\"", "", "Delete");
    volume("retained", "\"mooring.dev/taken-by-deleted-claim\": \"u-1\"", "", "Retain");
    volume(
        "nfs",
        "\"mooring.dev/nfs-on-delete\": \"archive\", \"pv.kubernetes.io/bound-by-controller\": \"yes\"",
        "\"mooring.dev/orphan\": \"true\"",
        "Delete");
    pod("recycler-for-retained-0123456789abcdef");
    pod("recycler-for-nfs");
    pod("recycler");
    helper("mooring-local-path-v", "local-path-helper");
    helper("mooring-itself", "controller");
    helper("stranger", "local-path-helper");
    pod("mooring-local-path-elsewhere");
    lease("somebody", Instant.now().minusSeconds(60), 1);
  }

  private record Answer(int code, String output) {}

  private Answer mooring(String... more) throws Exception {
    List<String> args = new ArrayList<>(List.of("uninstall", PODS, "--kubeconfig=" + kubeconfig));
    args.addAll(List.of(more));
    try (JavaProcess process = JavaProcess.mooring(args.toArray(String[]::new))) {
      int code = process.exitCode();
      return new Answer(code, String.join("\n", process.output()));
    }
  }

  /** Returns all objects of the kinds, without metadata that each write changes. */
  private Map<String, JsonObject> state(String... kinds) throws Exception {
    Map<String, JsonObject> all = new TreeMap<>();
    for (String kind : kinds) {
      for (JsonObject object : api().list(kind)) {
        JsonObject meta = object.getAsJsonObject("metadata");
        meta.remove("resourceVersion");
        meta.remove("managedFields");
        all.put(kind + " " + meta.get("name").getAsString(), object);
      }
    }
    return all;
  }

  private Map<String, JsonObject> state() throws Exception {
    return state("PersistentVolumeClaim", "PersistentVolume", "Pod", "Lease");
  }

  @Test
  void dryRun_everyObject_isListedWithReason() throws Exception {
    leaveEverything();
    Map<String, JsonObject> before = state();
    Answer answer = mooring();
    assertThat(state()).isEqualTo(before);
    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.output())
        .contains(
            "PersistentVolumeClaim default/waiting: finalizer mooring.dev/volume-being-made\n  remove: no other component removes it",
            "look for "
                + before
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
            "stranger",
            "elsewhere");
    assertThat(granted.refused()).isEmpty();
  }

  @Test
  void yes_ownMarks_areRemovedOnly() throws Exception {
    leaveEverything();
    Map<String, JsonObject> wanted = state();
    for (String claim : List.of("waiting", "bound")) {
      JsonArray conditions = new JsonArray();
      JsonObject object = wanted.get("PersistentVolumeClaim " + claim);
      conditions.add(object.getAsJsonObject("status").getAsJsonArray("conditions").get(0));
      object.getAsJsonObject("status").add("conditions", conditions);
    }
    wanted
        .get("PersistentVolumeClaim waiting")
        .getAsJsonObject("metadata")
        .getAsJsonArray("finalizers")
        .remove(1);
    wanted.get("PersistentVolume retained").getAsJsonObject("metadata").remove("annotations");
    wanted.remove("Pod recycler-for-retained-0123456789abcdef");
    wanted.remove("Pod mooring-local-path-v");
    wanted.remove("Lease " + LEASE);

    Answer answer = mooring("--yes");
    assertThat(answer.code()).as(answer.output()).isZero();
    assertThat(state()).isEqualTo(wanted);
    Answer again = mooring("--yes");
    assertThat(again.code()).isZero();
    assertThat(again.output()).contains("0 marks or objects removed");
    assertThat(state()).isEqualTo(wanted);
    assertThat(granted.refused()).isEmpty();
    assertThat(granted.used()).isEqualTo(granted.granted());
  }

  @Test
  void volumeMarks_optIn_areRemovedExceptDataProtection() throws Exception {
    leaveEverything();
    assertThat(mooring("--yes", "--forget").code()).isZero();
    Map<String, JsonObject> after = state("PersistentVolume");
    assertThat(after.get("PersistentVolume nfs").getAsJsonObject("metadata").toString())
        .doesNotContain("mooring.dev")
        .contains("pv.kubernetes.io/bound-by-controller");
    assertThat(after.get("PersistentVolume kept").toString())
        .contains("mooring.dev/taken-by-deleted-claim");
  }

  @Test
  void finalizer_returnedProvisioner_isRemovedUnlessDeleting() throws Exception {
    String finalizer = "external-provisioner.volume.kubernetes.io/finalizer";
    String made = "\"pv.kubernetes.io/provisioned-by\": \"%s\"";
    volume("given", made.formatted("example.com/old"), "", "Delete");
    volume("going", made.formatted("example.com/old"), "", "Delete");
    volume("others", made.formatted("example.com/other"), "", "Delete");
    api().delete("PersistentVolume", "", "going", -1);
    Map<String, JsonObject> before = state("PersistentVolume");
    assertThat(mooring("--yes").output()).doesNotContain(finalizer);
    assertThat(state("PersistentVolume")).isEqualTo(before);
    Answer answer = mooring("--yes", "--give-back=example.com/old");
    assertThat(answer.code()).as(answer.output()).isZero();
    assertThat(answer.output())
        .contains(
            "PersistentVolume going: finalizer "
                + finalizer
                + "\n  keep: the volume is being deleted");
    before
        .get("PersistentVolume given")
        .getAsJsonObject("metadata")
        .getAsJsonArray("finalizers")
        .remove(1);
    assertThat(state("PersistentVolume")).isEqualTo(before);
  }

  @Test
  void leaderAlive_removesNothing() throws Exception {
    Path all = Files.writeString(folder.resolve("all"), granted.server().kubeconfig());
    try (JavaProcess leader =
        JavaProcess.mooring("run", "--endpoints=off", "--mode=beside", "--kubeconfig=" + all)) {
      leader.awaitLine(line -> line.contains("running "));
      claim("waiting", "\"" + MINE + "\"", "v");
      Answer answer = mooring("--yes");
      assertThat(answer.code()).isEqualTo(1);
      assertThat(answer.output()).contains("a leader is active: ", "--ignore-lease");
      assertThat(state().get("PersistentVolumeClaim waiting").toString()).contains(MINE);
      assertThat(mooring().output()).contains("a leader is active: ").doesNotContain("\nLease ");
      assertThat(mooring("--yes", "--ignore-lease").code()).isZero();
      assertThat(state().get("PersistentVolumeClaim waiting").toString()).doesNotContain(MINE);
      assertThat(api().list("Lease")).hasSize(1);
    }
  }

  /** The Lease has expired by its own timestamps but is still being renewed. */
  @Test
  void leaderWithWrongClock_countsAsAlive() throws Exception {
    lease("elsewhere", Instant.now().minusSeconds(3600), 60);
    Thread renewing =
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
              } catch (Exception over) {
                Thread.currentThread().interrupt();
              }
            });
    Answer answer = mooring("--yes");
    renewing.interrupt();
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.output()).contains("a leader is active: elsewhere");
  }

  @Test
  void lists_arePaged() throws Exception {
    for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
      claim("c-" + i, i % 260 == 0 ? "\"" + MINE + "\"" : "", "");
    }
    Path log = granted.log();
    assertThat(mooring("--yes").code()).isZero();
    assertThat(state("PersistentVolumeClaim").toString()).doesNotContain("mooring.dev");
    List<AuditEvent> asked =
        AuditEvent.read(log).stream().filter(AuditEvent::isOfController).toList();
    assertThat(asked)
        .filteredOn(event -> event.verb().equals("list"))
        .allMatch(event -> event.uri().contains("limit=500"));
    assertThat(asked).filteredOn(event -> event.uri().contains("continue=")).isNotEmpty();
  }
}
