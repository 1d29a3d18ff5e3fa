package dev.mooring.it.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.simulate.ClusterState;
import dev.mooring.manager.simulate.ObjectChange;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares predictions with what happens: a cluster with the hostPath plugin executes the change.
 * {@code -Dmooring.simulate.seeds} sets the number of seeds.
 */
@Isolated("replaces the standard streams")
@Timeout(60)
class PredictionTest {
  private static final String GENERATED = "pvc-[0-9a-f-]{36}";

  @TempDir private Path folder;
  private ApiServer server;
  private NodeSimulator nodes;
  private ControllerSimulator workloads;
  private ControllerManager volumes;
  private RestApi api;
  private Path kubeconfig;

  static IntStream seeds() {
    return IntStream.range(0, Integer.getInteger("mooring.simulate.seeds", 3));
  }

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = RestApi.of(server, "");
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    nodes = NodeSimulator.start(server.handlers(), 2);
    workloads =
        ControllerSimulator.start(server.handlers(), EnumSet.allOf(SimulatedController.class), "");
    volumes =
        RunFlags.manager(
            List.of(
                "--endpoints=off", "--leader-elect=false", "--enable-hostpath-provisioner=true"),
            Resources.plugins(),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    volumes.start();
  }

  @AfterEach
  void stop() throws Exception {
    volumes.stop();
    workloads.close();
    nodes.close();
    server.close();
  }

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createCluster(Random random) throws Exception {
    create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'shop'}}");
    for (String policy : List.of("Delete", "Retain")) {
      create(
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': '%s'}, 'provisioner': 'kubernetes.io/host-path', 'reclaimPolicy': '%s'}"
              .formatted(policy.toLowerCase(Locale.ROOT), policy));
    }
    int claims = 1 + random.nextInt(4);
    for (int i = 0; i < claims; i++) {
      create(
          "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': 'c%d', 'namespace': 'shop'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '1Gi'}}}}"
              .formatted(i, random.nextBoolean() ? "delete" : "retain"));
      if (random.nextBoolean()) {
        create(
            "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p%1$d', 'namespace': 'shop'}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'c%1$d'}}]}}"
                .formatted(i));
      }
    }
    create(
        "{'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'metadata': {'name': 'db', 'namespace': 'shop'}, 'spec': {'replicas': 1, 'serviceName': 'db', 'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i', 'volumeMounts': [{'name': 'data', 'mountPath': '/d'}]}]}}, 'volumeClaimTemplates': [{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'delete', 'resources': {'requests': {'storage': '1Gi'}}}}]}}");
    TestWait.until(
        "claims are bound and pods run",
        () ->
            api.list("PersistentVolumeClaim").size() == claims + 1
                && isEvery("PersistentVolumeClaim", "Bound")
                && isEvery("PersistentVolume", "Bound")
                && isEvery("Pod", "Running"));
  }

  private boolean isEvery(String kind, String phase) throws Exception {
    return api.list(kind).stream()
        .allMatch(object ->
            object.has("status")
                && object.getAsJsonObject("status").get("phase").getAsString().equals(phase));
  }

  /** Changes the cluster, and returns the flags of a simulation of the change. */
  private static List<String> flags(int choice) {
    return switch (choice) {
      case 0 -> List.of("--delete", "namespace/shop");
      case 1 -> List.of("--delete", "pvc/c0");
      case 2 -> List.of("--delete", "statefulset/db");
      case 3 -> List.of("--scale", "statefulset/db=2");
      default -> List.of("--delete", "pod/db-0");
    };
  }

  private void execute(int choice) throws Exception {
    switch (choice) {
      case 0 -> api.delete("Namespace", "", "shop", -1);
      case 1 -> api.delete("PersistentVolumeClaim", "shop", "c0", -1);
      case 2 -> api.delete("StatefulSet", "shop", "db", -1);
      case 3 ->
          api.patch(
              "StatefulSet",
              "shop",
              "db",
              "",
              JsonParser.parseString("{'spec': {'replicas': 2}}").getAsJsonObject());
      default -> api.delete("Pod", "shop", "db-0", -1);
    }
  }

  private static List<String> normalize(List<ObjectChange> changes) {
    return changes.stream()
        .map(change -> change.kind() + " " + change.key() + ": " + change.text())
        .map(text -> text.replaceAll(GENERATED, "pvc-*"))
        .sorted()
        .toList();
  }

  private static List<String> predict(Path kubeconfig, int choice) {
    List<String> args =
        new ArrayList<>(
            List.of("simulate", "--kubeconfig=" + kubeconfig, "-n", "shop", "-o", "json"));
    args.addAll(flags(choice));
    CommandResult result = CommandResult.ofCommand(args.toArray(String[]::new));
    assertThat(result.code()).as(result.output()).isIn(0, 4);
    return StreamSupport.stream(
            JsonParser.parseString(result.out())
                .getAsJsonObject()
                .getAsJsonArray("changes")
                .spliterator(),
            false)
        .map(change -> change.getAsJsonObject())
        .map(change ->
            "%s %s: %s"
                .formatted(
                    change.get("kind").getAsString(),
                    change.get("key").getAsString(),
                    change.get("text").getAsString()))
        .map(text -> text.replaceAll(GENERATED, "pvc-*"))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void prediction_seededClusterAndChange_comesTrue(int seed) throws Exception {
    Random random = new Random(seed);
    createCluster(random);
    int choice = (seed + random.nextInt(5)) % 5;
    ClusterState before = ClusterState.of(server.handlers());

    List<String> predicted = predict(kubeconfig, choice);
    assertThat(ClusterState.of(server.handlers())).isEqualTo(before);
    execute(choice);

    try {
      TestWait.until(
          "the prediction comes true",
          () -> normalize(before.changesTo(ClusterState.of(server.handlers()))).equals(predicted));
    } catch (AssertionError late) {
      assertThat(normalize(before.changesTo(ClusterState.of(server.handlers()))))
          .as(flags(choice).toString())
          .isEqualTo(predicted);
    }
  }
}
