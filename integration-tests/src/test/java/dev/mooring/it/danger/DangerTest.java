package dev.mooring.it.danger;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.it.CommandResult;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.manager.simulate.CopiedKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code mooring danger}. */
@Isolated("replaces the standard streams")
class DangerTest {
  private static final int IN_DANGER = 4;

  private static final String CLUSTER =
      """
      {"kind": "List", "mooringSnapshot": 1, "items": [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "uid": "n1"}, "spec": {"finalizers": ["kubernetes"]}},
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "uid": "n2"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast", "uid": "c1"}, "provisioner": "csi.example.com", "reclaimPolicy": "Delete"},
        %s,
        %s,
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "new", "namespace": "shop", "uid": "u3"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "resources": {"requests": {"storage": "1Gi"}}}, "status": {"phase": "Pending"}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop", "uid": "p1"}, "spec": {"nodeName": "node-1", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "archive"}}]}, "status": {"phase": "Running"}}
      ]}
      """
          .formatted(bound("data", "u1", "Delete"), bound("archive", "u2", "Retain"));

  @TempDir private Path folder;

  private static String bound(String name, String uid, String policy) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "NAME", "namespace": "shop", "uid": "UID", "finalizers": ["kubernetes.io/pvc-protection"], "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "volumeMode": "Filesystem", "volumeName": "pvc-UID", "resources": {"requests": {"storage": "1Gi"}}}, "status": {"phase": "Bound", "capacity": {"storage": "1Gi"}}},
    {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-UID", "uid": "v-UID", "finalizers": ["kubernetes.io/pv-protection"], "annotations": {"pv.kubernetes.io/provisioned-by": "csi.example.com"}}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "volumeMode": "Filesystem", "persistentVolumeReclaimPolicy": "POLICY", "claimRef": {"namespace": "shop", "name": "NAME", "uid": "UID"}, "csi": {"driver": "csi.example.com", "volumeHandle": "h-UID"}}, "status": {"phase": "Bound"}}
    """
        .replace("NAME", name)
        .replace("UID", uid)
        .replace("POLICY", policy);
  }

  private CommandResult danger(String... args) throws IOException {
    Path cluster = Files.writeString(folder.resolve("cluster.json"), CLUSTER);
    List<String> all = new ArrayList<>(List.of("danger", "--from=" + cluster));
    all.addAll(List.of(args));
    return CommandResult.ofCommand(all.toArray(String[]::new));
  }

  @Test
  void claimOfPolicyDelete_withoutPod_oneActAndRemedies() throws Exception {
    CommandResult result = danger("pvc/data", "-n", "shop");

    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.out())
        .startsWith(
            """
            claim shop/data (volume pvc-u1, class fast, policy Delete): 1 act destroys its data
              1. delete persistentvolumeclaim shop/data
            """)
        .contains("csi.example.com deletes the storage of volume pvc-u1\n")
        .contains(
            "Remedy: kubectl patch pv pvc-u1 -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'\n  Afterwards its destruction needs 2 acts.")
        .contains(
            "Remedy: kubectl annotate pv pvc-u1 mooring.dev/deletion-delay=72h\n  Afterwards no sequence of 3 acts destroys its data.");
  }

  @Test
  void allClaims_table_mostEndangeredFirst() throws Exception {
    CommandResult result = danger("-A", "--fail-below", "2");

    assertThat(result.code()).as(result.output()).isEqualTo(IN_DANGER);
    assertThat(result.out())
        .startsWith(
            """
            ACTS  CLAIM         POLICY  SEQUENCE
            1     shop/data     Delete  delete persistentvolumeclaim shop/data
            2     shop/archive  Retain  delete namespace shop, then set the reclaim policy of persistentvolume pvc-u2 to Delete
            -     shop/new              the claim has no volume

            3 claims: 1 with 1 act, 1 with 2 acts, 1 without data.
            """);
    assertThat(danger("-A", "--fail-below", "1").code()).isZero();
  }

  @Test
  void deletionDelay_ofMooring_condemnsInsteadOfDestroying() throws Exception {
    CommandResult result =
        danger("pvc/data", "-n", "shop", "--deletion-delay=72h", "--fail-below", "4");

    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.out())
        .contains("policy Delete): no sequence of 3 acts destroys its data\n")
        .contains("Its data is destroyed after a delay ('mooring undo' restores it):\n  1. delete")
        .contains("csi.example.com condemns volume pvc-u1 until ");
  }

  @Test
  void check_foundSequence_destroysDataInSimulation() throws Exception {
    CommandResult result = danger("pvc/archive", "-n", "shop", "--check");

    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.out())
        .contains("policy Retain): 2 acts destroy its data\n")
        .endsWith(
            "Check: in a copy of the cluster, the controllers destroy the data of volume pvc-u2.\n");
  }

  @Test
  void json_claims_haveSequences() throws Exception {
    CommandResult result = danger("pvc", "archive", "-n", "shop", "-o", "json");

    JsonObject claim =
        JsonParser.parseString(result.out())
            .getAsJsonObject()
            .getAsJsonArray("claims")
            .get(0)
            .getAsJsonObject();
    assertThat(claim.get("acts").getAsInt()).isEqualTo(2);
    assertThat(claim.getAsJsonArray("sequence").get(0).getAsJsonObject().get("command"))
        .hasToString("\"kubectl delete namespace shop\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no claim | 2 | \"pod/x\" does not name a claim: specify pvc/NAME, -n NAMESPACE or -A",
        "all and one | 2 | -A searches all claims: omit pvc/data",
        "check of all | 2 | --check executes the sequence of one claim",
        "negative | 2 | --fail-below is negative",
        "absent claim | 1 | claim shop/dat does not exist: check the name and -n NAMESPACE; did you mean 'data'?",
        "absent namespace | 1 | namespace shpo does not exist: check -n NAMESPACE; did you mean 'shop'?",
        "absent file | 1 | none.yaml cannot be read (no such file): specify a file or directory",
        "other snapshot | 1 | is a snapshot of format 99, and this version reads format 1: take a new snapshot",
        "invalid object | 1 | is invalid",
        "no object | 1 | other-kind.yaml has no object that affects volumes (only v1 Claim): specify another file",
      })
  void badInput_oneLineWithRemedy(String input, int code, String message) throws Exception {
    Files.writeString(
        folder.resolve("invalid.json"),
        "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolume\", \"metadata\": {\"name\": \"a/b\", \"uid\": \"u\"}, \"spec\": {}}");
    Files.writeString(
        folder.resolve("old.json"), "{\"kind\": \"List\", \"mooringSnapshot\": 99, \"items\": []}");
    Files.writeString(
        folder.resolve("other-kind.yaml"), "apiVersion: v1\nkind: Claim\nmetadata: {name: a}\n");
    CommandResult result =
        switch (input) {
          case "no claim" -> danger("pod/x");
          case "all and one" -> danger("-A", "pvc/data");
          case "check of all" -> danger("-A", "--check");
          case "negative" -> danger("-A", "--fail-below=-1");
          case "absent claim" -> danger("pvc/dat", "-n", "shop");
          case "absent namespace" -> danger("-n", "shpo", "--fail-below=2");
          case "no object" ->
              danger(
                  "-A", "--fail-below=2", "--from", folder.resolve("other-kind.yaml").toString());
          case "absent file" -> danger("-A", "--from", folder.resolve("none.yaml").toString());
          case "invalid object" ->
              danger("-A", "--from", folder.resolve("invalid.json").toString());
          case "other snapshot" -> danger("-A", "--from", folder.resolve("old.json").toString());
          default -> throw new IllegalArgumentException(input);
        };
    assertThat(result.code()).as(result.output()).isEqualTo(code);
    assertThat(result.errors().lines().filter(line -> line.startsWith("mooring: ")))
        .singleElement()
        .asString()
        .contains(message);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void liveCluster_readRightsOnly_isSearchedAndUnchanged() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      RestApi admin = server.admin();
      admin.create(
          JsonParser.parseString(
                  "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"data\", \"namespace\": \"default\"}, \"spec\": {\"accessModes\": [\"ReadWriteOnce\"], \"resources\": {\"requests\": {\"storage\": \"1Gi\"}}}}")
              .getAsJsonObject());
      List<RbacRule> rights =
          CopiedKinds.all().stream()
              .map(type ->
                  new RbacRule(Verb.LIST, new Target(type.group(), type.plural(), "", ""), "test"))
              .toList();
      Path kubeconfig = server.kubeconfig(folder, rights);
      String revision = admin.revision();

      CommandResult live = CommandResult.ofCommand("danger", "-A", "--kubeconfig=" + kubeconfig);

      assertThat(live.out()).as(live.output()).contains("default/data", "has no volume");
      assertThat(admin.revision()).isEqualTo(revision);
    }
  }

  @Test
  void liveCluster_noRights_namesKindAndRemedy() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig = server.kubeconfig(folder, List.of());
      CommandResult result = CommandResult.ofCommand("danger", "-A", "--kubeconfig=" + kubeconfig);

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.errors()).contains("cannot list ", "grant the ClusterRole view");
    }
  }
}
