package dev.mooring.it.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.SnapshotResources;
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

/** Tests {@code mooring simulate} and {@code mooring snapshot}. */
@Isolated("replaces the standard streams")
class SimulateTest {
  private static final int DATA_LOSS = 4;

  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1, annotations: {volumes.kubernetes.io/controller-managed-attach-detach: "true"}}
      status: {conditions: [{type: Ready, status: "True"}]}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: node-2, annotations: {volumes.kubernetes.io/controller-managed-attach-detach: "true"}}
      status: {conditions: [{type: Ready, status: "True"}]}
      ---
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: {name: csi.example.com}
      spec: {attachRequired: true}
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: fast}
      provisioner: csi.example.com
      allowVolumeExpansion: true
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: keep}
      provisioner: csi.example.com
      reclaimPolicy: Retain
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: db, namespace: shop}
      spec:
        replicas: 1
        serviceName: db
        selector: {matchLabels: {app: db}}
        template:
          metadata: {labels: {app: db}}
          spec:
            containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}]}]
            tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]
        volumeClaimTemplates:
        - metadata: {name: data}
          spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: archive, namespace: shop}
      spec: {accessModes: [ReadWriteOnce], storageClassName: keep, resources: {requests: {storage: 5Gi}}}
      """;

  @TempDir private Path folder;

  private CommandResult simulate(String... args) throws IOException {
    Path cluster = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    List<String> all = new ArrayList<>(List.of("simulate", "--from=" + cluster, "-n", "shop"));
    all.addAll(List.of(args));
    return CommandResult.ofCommand(all.toArray(String[]::new));
  }

  @Test
  void deletedNamespace_volumesOfBothPolicies_onlyDeletedOneIsLost() throws Exception {
    CommandResult result = simulate("--delete", "namespace/shop");

    assertThat(result.code()).as(result.output()).isEqualTo(DATA_LOSS);
    assertThat(result.out())
        .contains("DATA DESTROYED: 1 volume\n")
        .containsPattern(
            "persistentvolume pvc-\\S+ \\(1Gi, class fast, claim shop/data-db-0\\): csi.example.com deletes it")
        .contains("persistentvolumeclaim shop/archive: gone")
        .containsPattern("persistentvolume pvc-\\S+: Bound to shop/archive 5Gi -> Released");
  }

  @Test
  void drainedNode_podOfStatefulSet_movesWithItsAttachment() throws Exception {
    CommandResult result = simulate("--drain", "node-1");

    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.out())
        .contains("No data is destroyed.")
        .contains("pod shop/db-0: created again: Running on node-1 -> Running on node-2")
        .containsPattern("volumeattachment csi-\\S+: new: attached to node-2 with pvc-");
  }

  @Test
  void failedNode_podOfStatefulSet_staysAfterEviction() throws Exception {
    CommandResult result = simulate("--fail", "node-1");

    assertThat(result.out())
        .contains("pod shop/db-0: Running on node-1 -> Terminating on node-1")
        .doesNotContain("attached to node-2");
  }

  @Test
  void scaledStatefulSet_newReplica_getsVolume() throws Exception {
    CommandResult result = simulate("--scale", "sts/db=2", "-o", "json");

    JsonObject report = JsonParser.parseString(result.out()).getAsJsonObject();
    assertThat(report.getAsJsonArray("dataDestroyed")).isEmpty();
    assertThat(report.getAsJsonArray("changes").toString())
        .contains("shop/data-db-1", "new: Bound to pvc-", "shop/db-1", "new: Running on node-2");
  }

  @Test
  void changedManifest_biggerClaim_grows() throws Exception {
    Path change =
        Files.writeString(
            folder.resolve("change.json"),
            "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"data-db-0\", \"namespace\": \"shop\"}, \"spec\": {\"resources\": {\"requests\": {\"storage\": \"2Gi\"}}}}");
    CommandResult result = simulate("-f", change.toString(), "--delete", "pod/db-0");

    assertThat(result.out())
        .containsPattern(
            "persistentvolumeclaim shop/data-db-0: Bound to \\S+ 1Gi -> Bound to \\S+ 2Gi");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no change | 2 | no change is given",
        "unknown kind | 2 | --delete foo/x does not name an object: specify KIND/NAME",
        "namespace in the name | 2 | --delete pvc/shop/data does not name an object: specify KIND/NAME",
        "absent object | 1 | --delete: the copy has no persistentvolumeclaim shop/none: check the name and -n NAMESPACE",
        "absent node | 1 | --drain: the copy has no node x: check the name",
        "no number | 2 | --scale sts/db has no number of replicas",
        "no replicas | 2 | --scale pvc/data=2: a persistentvolumeclaim has no replicas",
        "absent file | 1 | none.yaml cannot be read (no such file): specify a file or directory",
        "broken file | 1 | broken.yaml is not a manifest",
        "invalid object | 1 | is invalid",
        "other snapshot | 1 | is a snapshot of format 99, and this version reads format 1: take a new snapshot",
        "snapshot without format | 1 | is a snapshot of format null, and this version reads format 1: take a new snapshot",
        "object of a cluster with a text as spec | 1 | typed.json: persistentvolumeclaim a is invalid: json: cannot unmarshal string",
        "object of a cluster with a wrong owner | 1 | owner.json: persistentvolumeclaim a is invalid: json: cannot unmarshal string",
        "object of a cluster with a null owner | 1 | --drain: the copy has no node x: check the name",
        "other encoding | 1 | other.yaml is not a manifest (it is not in UTF-8): correct the file",
        "endless time | 2 | --for is longer than 720h: specify for example 10m",
        "misspelled flag | 2 | --flag --comapt=kcm is not a flag of the controllers of 'mooring run': did you mean \"--compat\"?",
        "unknown flag | 2 | --flag --xyzzy=1 is not a flag of the controllers of 'mooring run': see 'mooring run --help'",
        "invalid flag | 2 | --flag: Invalid value for option '--compat'",
        "change of other kinds | 1 | other-kind.yaml has no object that affects volumes (only apps/v1beta1 StatefulSet): specify another file, or correct kind and apiVersion",
        "empty change | 1 | empty.yaml has no object that affects volumes: specify another file",
        "repeated key | 1 | repeated.yaml is not a manifest (line 5: key \"name\" already set in map): correct the file",
        "tab | 1 | tab.yaml is not a manifest (yaml: line 4: found character",
      })
  void badInput_oneLineWithRemedy(String input, int code, String message) throws Exception {
    Files.writeString(folder.resolve("broken.yaml"), "a: [b");
    Files.writeString(
        folder.resolve("invalid.yaml"),
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: A_b, namespace: shop}\nspec: {}\n");
    Files.writeString(
        folder.resolve("old.json"), "{\"kind\": \"List\", \"mooringSnapshot\": 99, \"items\": []}");
    Files.writeString(
        folder.resolve("null.json"),
        "{\"kind\": \"List\", \"mooringSnapshot\": null, \"items\": []}");
    Files.writeString(
        folder.resolve("typed.json"),
        "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"a\", \"uid\": \"u\"}, \"spec\": \"x\"}");
    Files.writeString(
        folder.resolve("owner.json"),
        "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"a\", \"uid\": \"u\", \"ownerReferences\": [\"x\"]}}");
    Files.writeString(
        folder.resolve("null-owner.json"),
        "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"a\", \"namespace\": \"shop\", \"uid\": \"u\", \"ownerReferences\": [null]}}");
    Files.write(folder.resolve("other.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 'a'});
    Files.writeString(
        folder.resolve("other-kind.yaml"),
        "apiVersion: apps/v1beta1\nkind: StatefulSet\nmetadata: {name: db}\n");
    Files.writeString(folder.resolve("empty.yaml"), "# nothing\n");
    Files.writeString(
        folder.resolve("repeated.yaml"),
        "# first\n---\nkind: Node\nmetadata:\n  {name: a, name: b}\n");
    Files.writeString(folder.resolve("tab.yaml"), "# first\n---\nmetadata:\n\tname: a\n");
    CommandResult result =
        switch (input) {
          case "no change" -> simulate();
          case "unknown kind" -> simulate("--delete", "foo/x");
          case "namespace in the name" -> simulate("--delete", "pvc/shop/data");
          case "absent object" -> simulate("--delete", "pvc/none");
          case "absent node" -> simulate("--drain", "x");
          case "no number" -> simulate("--scale", "sts/db");
          case "no replicas" -> simulate("--scale", "pvc/data=2");
          case "absent file" -> simulate("-f", folder.resolve("none.yaml").toString());
          case "broken file" -> simulate("-f", folder.resolve("broken.yaml").toString());
          case "invalid object" ->
              simulate("--from", folder.resolve("invalid.yaml").toString(), "--drain", "x");
          case "other snapshot" ->
              simulate("--from", folder.resolve("old.json").toString(), "--drain", "x");
          case "snapshot without format" ->
              simulate("--from", folder.resolve("null.json").toString(), "--drain", "x");
          case "object of a cluster with a text as spec" ->
              simulate("--from", folder.resolve("typed.json").toString(), "--drain", "x");
          case "object of a cluster with a wrong owner" ->
              simulate("--from", folder.resolve("owner.json").toString(), "--drain", "x");
          case "object of a cluster with a null owner" ->
              simulate("--from", folder.resolve("null-owner.json").toString(), "--drain", "x");
          case "other encoding" -> simulate("-f", folder.resolve("other.yaml").toString());
          case "endless time" -> simulate("--drain", "x", "--for", "9999h");
          case "misspelled flag" -> simulate("--flag=--comapt=kcm");
          case "unknown flag" -> simulate("--flag=--xyzzy=1");
          case "invalid flag" -> simulate("--flag=--compat=x");
          case "change of other kinds" ->
              simulate("-f", folder.resolve("other-kind.yaml").toString());
          case "empty change" -> simulate("-f", folder.resolve("empty.yaml").toString());
          case "repeated key" -> simulate("-f", folder.resolve("repeated.yaml").toString());
          case "tab" -> simulate("-f", folder.resolve("tab.yaml").toString());
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
  void changedManifest_withOtherKinds_namesThem() throws Exception {
    Path change =
        Files.writeString(
            folder.resolve("change.yaml"),
            "apiVersion: apps/v1beta1\nkind: StatefulSet\nmetadata: {name: db}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: node-9}\n");
    assertThat(simulate("-f", change.toString()).out())
        .contains(
            "objects of other kinds in -f " + change + " were ignored: apps/v1beta1 StatefulSet");
  }

  @Test
  void liveCluster_readRightsOnly_isSimulatedAndUnchanged() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      RestApi admin = server.admin();
      admin.create(
          JsonParser.parseString(
                  "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolume\", \"metadata\": {\"name\": \"disk-1\"}, \"spec\": {\"capacity\": {\"storage\": \"1Gi\"}, \"accessModes\": [\"ReadWriteOnce\"], \"nfs\": {\"server\": \"s\", \"path\": \"/\"}}}")
              .getAsJsonObject());
      List<RbacRule> rights =
          CopiedKinds.all().stream()
              .filter(type -> !CopiedKinds.snapshots().contains(type))
              .map(type ->
                  new RbacRule(Verb.LIST, new Target(type.group(), type.plural(), "", ""), "test"))
              .toList();
      Path kubeconfig = server.kubeconfig(folder, rights);
      String revision = admin.revision();

      Path file = folder.resolve("snapshot.json");
      CommandResult snapshot =
          CommandResult.ofCommand("snapshot", file.toString(), "--kubeconfig=" + kubeconfig);
      CommandResult live =
          CommandResult.ofCommand(
              "simulate", "--kubeconfig=" + kubeconfig, "--delete", "pv/disk-1");
      CommandResult saved =
          CommandResult.ofCommand("simulate", "--from=" + file, "--delete", "pv/disk-1");

      assertThat(snapshot.code()).as(snapshot.output()).isZero();
      assertThat(live.out()).contains("persistentvolume disk-1: gone");
      assertThat(saved.out()).isEqualTo(live.out());
      assertThat(admin.revision()).isEqualTo(revision);
      assertThat(server.forbiddenRequests())
          .allMatch(request -> request.toString().contains("snapshot"));

      SnapshotResources.install(server.server().handlers());
      CommandResult partial =
          CommandResult.ofCommand(
              "simulate", "--kubeconfig=" + kubeconfig, "--delete", "pv/disk-1");
      assertThat(partial.out())
          .contains(
              "volumesnapshotclasses, volumesnapshotcontents, volumesnapshots cannot be listed, and are not simulated");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "taken.json | exists: specify a new file, or delete it",
        "absent/x.json | cannot be written (no such file): specify a file in a writable directory",
      })
  void snapshotFile_notCreatable_namesRemedy(String file, String message) throws Exception {
    Path existingFile = Files.writeString(folder.resolve("taken.json"), "kept");
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig = Files.writeString(folder.resolve("admin"), server.server().kubeconfig());
      CommandResult result =
          CommandResult.ofCommand(
              "snapshot", folder.resolve(file).toString(), "--kubeconfig=" + kubeconfig);

      assertThat(result.code()).as(result.output()).isEqualTo(1);
      assertThat(result.errors()).contains(message);
      assertThat(existingFile).content().isEqualTo("kept");
    }
  }

  @Test
  void liveCluster_noRights_namesKindAndRemedy() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig = server.kubeconfig(folder, List.of());
      CommandResult result =
          CommandResult.ofCommand(
              "simulate", "--kubeconfig=" + kubeconfig, "--delete", "pv/disk-1");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.errors()).contains("cannot list ", "grant the ClusterRole view");
    }
  }
}
