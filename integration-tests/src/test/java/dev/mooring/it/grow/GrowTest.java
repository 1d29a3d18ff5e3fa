package dev.mooring.it.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.RbacRule;
import dev.mooring.it.CommandResult;
import dev.mooring.it.CrashingWrites;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.it.RestrictedServer.RecordedRequest;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.grow.GrowthPorts;
import dev.mooring.manager.grow.GrowthRequest;
import dev.mooring.manager.grow.GrowthRights;
import dev.mooring.manager.grow.GrowthStoppedException;
import dev.mooring.manager.grow.StatefulSetGrowth;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code mooring grow} with Mooring's controllers, simulated nodes and three replicas. */
class GrowTest {
  private static final Quantity SIZE = Quantity.of("20Gi");
  private static final int REPLICAS = 3;
  private static final Pace PACE = new Pace(Duration.ofMinutes(2), Duration.ofMillis(10), 1);
  private static final List<String> WRITES =
      List.of(
          "patch persistentvolumeclaims",
          "patch persistentvolumeclaims",
          "patch persistentvolumeclaims",
          "create configmaps",
          "deleteAndOrphan statefulsets",
          "create statefulsets",
          "patch statefulsets",
          "delete configmaps");

  @TempDir private Path folder;
  private RestrictedServer server;
  private RestApi api;
  private Path kubeconfig;
  private NodeSimulator nodes;
  private ControllerManager controllers;
  private ControllerSimulator workloads;

  @BeforeEach
  void start() throws Exception {
    server = RestrictedServer.start(folder);
    api = server.admin();
    kubeconfig = Files.writeString(folder.resolve("admin"), server.server().kubeconfig());
    nodes = NodeSimulator.start(server.server().handlers(), 2);
    createClass("fast", true);
    createClass("fixed", false);
    controllers =
        RunFlags.manager(
            List.of(
                "--enable-hostpath-provisioner=true", "--endpoints=off", "--leader-elect=false"),
            Resources.plugins(),
            connect());
    controllers.start();
    workloads =
        ControllerSimulator.start(
            server.server().handlers(),
            EnumSet.of(SimulatedController.STATEFUL_SETS, SimulatedController.GARBAGE_COLLECTION),
            "");
  }

  @AfterEach
  void stop() throws Exception {
    workloads.close();
    controllers.stop();
    nodes.close();
    server.close();
  }

  private static JsonObject metadata(JsonObject object) {
    return object.getAsJsonObject("metadata");
  }

  private static String textOf(JsonObject object, String member) {
    return metadata(object).get(member).getAsString();
  }

  private static String ownerOf(JsonObject pod) {
    JsonElement owners = metadata(pod).get("ownerReferences");
    return owners == null
        ? ""
        : owners.getAsJsonArray().get(0).getAsJsonObject().get("uid").getAsString();
  }

  private KubeConnection connect() throws Exception {
    return KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-test");
  }

  private JsonObject create(String json) throws Exception {
    return api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createClass(String name, boolean allowsExpansion) throws Exception {
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "kubernetes.io/host-path",
         "metadata": {"name": "%s"}, "allowVolumeExpansion": %s}
        """
            .formatted(name, allowsExpansion));
  }

  private static String template(String name, String storageClass) {
    return """
    {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s",
     "resources": {"requests": {"storage": "10Gi"}}}}
    """
        .formatted(name, storageClass);
  }

  /** Creates namespace and StatefulSet, and waits until its claims are Bound and its pods run. */
  private void createStatefulSet(String namespace, String... templates) throws Exception {
    create(
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"%s\"}}"
            .formatted(namespace));
    create(
        """
        {"apiVersion": "apps/v1", "kind": "StatefulSet",
         "metadata": {"name": "db", "namespace": "%s", "labels": {"team": "shop"}, "annotations": {"note": "a <b>"},
          "ownerReferences": [{"apiVersion": "example.com/v1", "kind": "Database", "name": "d", "uid": "u-1", "controller": true}]},
         "spec": {"replicas": %d, "serviceName": "db", "podManagementPolicy": "Parallel",
          "selector": {"matchLabels": {"app": "db"}}, "volumeClaimTemplates": [%s],
          "template": {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
        """
            .formatted(namespace, REPLICAS, String.join(",", templates)));
    TestWait.until(
        "pods of " + namespace,
        () -> {
          long running =
              objects("Pod", namespace).values().stream()
                  .filter(pod -> pod.toString().contains("\"phase\":\"Running\""))
                  .count();
          return running == REPLICAS;
        });
  }

  private Map<String, JsonObject> objects(String kind, String namespace) throws Exception {
    Map<String, JsonObject> objects = new TreeMap<>();
    for (JsonObject object : api.list(kind)) {
      if (textOf(object, "namespace").equals(namespace)) {
        objects.put(textOf(object, "name"), object);
      }
    }
    return objects;
  }

  /** Returns the uids of the pods and the names of the field managers of the spec. */
  private List<String> identities(String namespace) throws Exception {
    List<String> identities = new ArrayList<>();
    for (JsonObject pod : objects("Pod", namespace).values()) {
      identities.add(textOf(pod, "uid"));
    }
    for (JsonElement entry :
        metadata(api.get("StatefulSet", namespace, "db")).getAsJsonArray("managedFields")) {
      if (!entry.getAsJsonObject().has("subresource")) {
        identities.add(entry.getAsJsonObject().get("manager").getAsString());
      }
    }
    return identities;
  }

  /** Returns the state that must not depend on interruptions. */
  private String endState(String namespace) throws Exception {
    StringBuilder state = new StringBuilder();
    JsonObject set = api.get("StatefulSet", namespace, "db");
    String uid = textOf(set, "uid");
    for (String member :
        List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "namespace")) {
      metadata(set).remove(member);
    }
    set.remove("status"); // changes with the readiness of the pods
    state.append(set).append('\n');
    for (JsonObject pod : objects("Pod", namespace).values()) {
      state
          .append(textOf(pod, "name"))
          .append(ownerOf(pod).equals(uid) ? " is owned\n" : " is not owned\n");
    }
    for (JsonObject claim : objects("PersistentVolumeClaim", namespace).values()) {
      state
          .append(textOf(claim, "name"))
          .append(claim.getAsJsonObject("spec").get("resources"))
          .append(claim.getAsJsonObject("status").get("capacity"))
          .append('\n');
    }
    return state.append(objects("ConfigMap", namespace).keySet()).toString();
  }

  private static GrowthRequest request(String namespace) {
    return new GrowthRequest(ObjectKey.of(namespace, "db"), "", SIZE);
  }

  private static GrowthPorts ports(KubeConnection connection) {
    KubeCluster cluster = KubeCluster.alone(connection, new SystemTime());
    return new GrowthPorts(cluster, cluster, new WholeObjectWriter(connection));
  }

  private static GrowthPorts ports(GrowthPorts cluster, CrashingWrites writes) {
    return new GrowthPorts(
        cluster.reader(), writes.of(cluster.writer()), writes.of(cluster.manifests()));
  }

  private static void grow(GrowthPorts cluster, String namespace) throws Exception {
    grow(cluster, namespace, 1);
  }

  private static void grow(GrowthPorts cluster, String namespace, int parallel) throws Exception {
    Pace pace = new Pace(PACE.timeout(), PACE.pause(), parallel);
    StatefulSetGrowth growth =
        new StatefulSetGrowth(cluster, request(namespace), new SystemTime(), pace, line -> {});
    growth.plan();
    growth.run();
  }

  private void awaitAdoption(String namespace) {
    TestWait.until(
        "adopted pods in " + namespace, () -> !endState(namespace).contains("is not owned"));
  }

  @Test
  void growth_interruptedAtEachWrite_resumesToSameEndState() throws Exception {
    try (KubeConnection connection = connect()) {
      GrowthPorts cluster = ports(connection);
      createStatefulSet("whole", template("data", "fast"));
      List<String> identities = identities("whole");
      CrashingWrites allWrites = new CrashingWrites(0, true);
      grow(ports(cluster, allWrites), "whole");
      awaitAdoption("whole");
      assertThat(allWrites.writes()).isEqualTo(WRITES);
      assertThat(identities("whole")).isEqualTo(identities);
      String expected = endState("whole");
      assertThat(expected)
          .contains("\"storage\":\"20Gi\"", "\"team\":\"shop\"", "\"note\":\"a <b>\"", "Database")
          .doesNotContain("10Gi", "mooring-grow");
      for (boolean beforeWrite : List.of(true, false)) {
        for (int write = 1; write <= WRITES.size(); write++) {
          String namespace = (beforeWrite ? "before-" : "after-") + write;
          createStatefulSet(namespace, template("data", "fast"));
          identities = identities(namespace);
          GrowthPorts crashingPorts = ports(cluster, new CrashingWrites(write, beforeWrite));
          assertThatThrownBy(() -> grow(crashingPorts, namespace)).hasMessage(CrashingWrites.CRASH);
          grow(cluster, namespace);
          awaitAdoption(namespace);
          assertThat(endState(namespace)).as(namespace).isEqualTo(expected);
          assertThat(identities(namespace)).as(namespace).isEqualTo(identities);
        }
      }
    }
  }

  @Test
  void growth_inParallelInterrupted_resumesToSameEndState() throws Exception {
    try (KubeConnection connection = connect()) {
      GrowthPorts cluster = ports(connection);
      createStatefulSet("one-by-one", template("data", "fast"));
      grow(cluster, "one-by-one");
      awaitAdoption("one-by-one");
      String expected = endState("one-by-one");
      for (boolean beforeWrite : List.of(true, false)) {
        String namespace = "parallel-" + (beforeWrite ? "before" : "after");
        createStatefulSet(namespace, template("data", "fast"));
        GrowthPorts crashingPorts = ports(cluster, new CrashingWrites(2, beforeWrite));
        assertThatThrownBy(() -> grow(crashingPorts, namespace, REPLICAS))
            .hasMessage(CrashingWrites.CRASH);
        CrashingWrites resumed = new CrashingWrites(0, beforeWrite);
        grow(ports(cluster, resumed), namespace, REPLICAS);
        awaitAdoption(namespace);
        assertThat(endState(namespace)).as(namespace).isEqualTo(expected);
        assertThat(resumed.writes())
            .as("claims that were requested before are not requested again")
            .isEqualTo(WRITES.subList(beforeWrite ? 1 : 2, WRITES.size()));
      }
    }
  }

  @Test
  void growth_statefulSetChangesBeforeDeletion_keepsChange() throws Exception {
    createStatefulSet("changed", template("data", "fast"));
    try (KubeConnection connection = connect()) {
      GrowthPorts cluster = ports(connection);
      List<String> deletions = new ArrayList<>();
      ManifestWriter late =
          (ManifestWriter)
              Proxy.newProxyInstance(
                  ManifestWriter.class.getClassLoader(),
                  new Class<?>[] {ManifestWriter.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("deleteAndOrphan")) {
                      if (deletions.isEmpty()) {
                        api.patch(
                            "StatefulSet",
                            "changed",
                            "db",
                            "",
                            JsonParser.parseString(
                                    "{\"metadata\": {\"labels\": {\"late\": \"yes\"}}}")
                                .getAsJsonObject());
                      }
                      deletions.add(method.getName());
                    }
                    return method.invoke(cluster.manifests(), arguments);
                  });
      grow(new GrowthPorts(cluster.reader(), cluster.writer(), late), "changed");
      assertThat(deletions).hasSize(2);
      assertThat(endState("changed")).contains("\"late\":\"yes\"").doesNotContain("10Gi");
    }
  }

  @Test
  void growth_otherSizeAfterInterruption_namesSavedSize() throws Exception {
    createStatefulSet("other", template("data", "fast"));
    try (KubeConnection connection = connect()) {
      GrowthPorts cluster = ports(connection);
      int deletion = WRITES.indexOf("deleteAndOrphan statefulsets") + 1;
      GrowthPorts crashingPorts = ports(cluster, new CrashingWrites(deletion, false));
      assertThatThrownBy(() -> grow(crashingPorts, "other")).hasMessage(CrashingWrites.CRASH);
      StatefulSetGrowth larger =
          new StatefulSetGrowth(
              cluster,
              new GrowthRequest(ObjectKey.of("other", "db"), "", Quantity.of("30Gi")),
              new SystemTime(),
              PACE,
              line -> {});
      assertThatThrownBy(larger::plan)
          .isInstanceOf(GrowthStoppedException.class)
          .hasMessageContaining("run that first (--template data --size 20Gi)");
      grow(cluster, "other");
      larger.run();
      assertThat(endState("other")).contains("30Gi").doesNotContain("20Gi");
    }
  }

  private CommandResult runGrow(Path account, String namespace, String... options) {
    List<String> args =
        new ArrayList<>(
            List.of("grow", "statefulset/db", "-n", namespace, "--kubeconfig=" + account));
    args.addAll(List.of(options));
    return CommandResult.ofCommand(args.toArray(String[]::new));
  }

  /** Creates what a growth leaves if another client creates the StatefulSet again. */
  private void createConfigMapOfReplacedSet(String namespace) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "mooring-grow-db", "namespace": "%s"},
         "data": {"uid": "u-0", "template": "data", "size": "15Gi", "statefulset.json": "{\\"kind\\": \\"StatefulSet\\"}"}}
        """
            .formatted(namespace));
  }

  @Test
  void command_withItsRights_growsAndUsesAllOfThem() throws Exception {
    createStatefulSet("rights", template("data", "fast"));
    List<RbacRule> rights = GrowthRights.of(request("rights"));
    Path account = server.kubeconfig(folder, rights);
    CommandResult plan = runGrow(account, "rights", "--size=20Gi", "--dry-run");
    assertThat(plan.code()).as(plan.output()).isZero();
    assertThat(plan.out())
        .containsSubsequence(
            "note: Database d owns StatefulSet rights/db",
            "STEP  OBJECT",
            "1     PersistentVolumeClaim data-db-0  grow from 10Gi to 20Gi",
            "4     ConfigMap mooring-grow-db",
            "5     StatefulSet db                   delete; the pods keep running",
            "6     StatefulSet db                   create with 20Gi in template data",
            "nothing was written");
    assertThat(endState("rights")).doesNotContain("20Gi");
    createConfigMapOfReplacedSet("rights");
    CommandResult result = runGrow(account, "rights", "--size=20Gi");
    assertThat(result.code()).as(result.output()).isZero();
    assertThat(result.out())
        .containsPattern("claim data-db-0: grown from 10Gi to 20Gi in \\d+\\.\\ds\\n")
        .containsPattern("claim data-db-2: grown from 10Gi to 20Gi in \\d+\\.\\ds\\n")
        .containsSubsequence("StatefulSet db deleted", "StatefulSet db created with 20Gi");
    assertThat(endState("rights")).doesNotContain("10Gi");
    assertThat(runGrow(account, "rights", "--size=20Gi").out()).startsWith("nothing to do: ");
    assertThat(runGrow(account, "rights", "--size=21Gi").code()).isZero();
    assertThat(server.usedRights()).isEqualTo(server.grantedRights());
    assertThat(server.forbiddenRequests())
        .extracting(RecordedRequest::target)
        .extracting(RbacRule.Target::resource)
        .containsOnly("storageclasses");
    assertThat(result.errors()).isEmpty();
  }

  @Test
  void command_withoutRight_namesIt() throws Exception {
    createStatefulSet("denied", template("data", "fast"));
    Path account =
        server.kubeconfig(
            folder,
            GrowthRights.of(request("denied")).stream()
                .filter(right -> right.verb() != RbacRule.Verb.DELETE)
                .toList());
    CommandResult result = runGrow(account, "denied", "--size=20Gi");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors())
        .isEqualTo(
            "mooring: this user lacks rights at the API server: delete statefulsets.apps db in denied, delete configmaps mooring-grow-db in denied: ask an administrator to grant them\n");
    assertThat(endState("denied")).doesNotContain("20Gi");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | --size=20Gb                 | --size "20Gb" is not a quantity: specify for example 20Gi
          2 | --size=20Gi --timeout=0s    | --timeout 0s is too short: specify for example 30m
          2 | --size=20Gi --parallel=0    | --parallel 0 is too small: specify at least 1
          2 | --size=-1Gi                 | is not a positive number of whole bytes
          1 | --size=20Gi                 | has several claim templates: specify one of them with --template: data, log
          1 | --size=20Gi --template=x    | --template x: StatefulSet bad-4/db has no such claim template: specify one of them: data, log
          1 | --size=5Gi --template=data  | template data of StatefulSet bad-5/db requests 10Gi, more than --size 5Gi: specify at least --size 10Gi
          1 | --size=20Gi --template=log  | StorageClass fixed of claim bad-6/log-db-0 does not allow growth: set its allowVolumeExpansion to true
          """)
  void command_badInput_isOneLineAndWritesNothing(int code, String options, String message)
      throws Exception {
    String namespace =
        message.contains("bad-")
            ? message.replaceAll(".*(bad-\\d).*", "$1")
            : "bad-" + message.length();
    createStatefulSet(namespace, template("data", "fast"), template("log", "fixed"));
    String before = endState(namespace);
    CommandResult result = runGrow(kubeconfig, namespace, options.split(" "));
    assertThat(result.code()).as(result.output()).isEqualTo(code);
    assertThat(result.errors()).startsWith("mooring: ").contains(message).hasLineCount(1);
    assertThat(endState(namespace)).isEqualTo(before);
  }

  @Test
  void command_missingStatefulSet_namesNameAndNamespace() {
    CommandResult result = runGrow(kubeconfig, "nowhere", "--size=20Gi");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors())
        .isEqualTo(
            "mooring: StatefulSet nowhere/db does not exist: check the name and the namespace (-n)\n");
  }
}
