package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.simulate.NodeFailure;
import dev.mooring.it.CommandResult;
import dev.mooring.manager.simulate.ClusterState;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares predictions with what happens when a cluster executes the change. {@code
 * -Dmooring.simulate.seeds} sets the number of seeds, {@code -Dmooring.simulate.first} the first
 * one.
 */
@Isolated("replaces the standard streams")
@Timeout(120)
class PredictionTest extends PredictionFixture {
  private static final String GENERATED = "(pvc-|snapcontent-)[0-9a-f-]{36}|csi-[0-9a-f]{64}";

  static IntStream seeds() {
    int first = Integer.getInteger("mooring.simulate.first", 0);
    return IntStream.range(first, first + Integer.getInteger("mooring.simulate.seeds", 3));
  }

  @FunctionalInterface
  private interface ClusterWrite {
    void run() throws Exception;
  }

  /**
   * A change of a cluster.
   *
   * @param flags flags of its simulation
   */
  private record Change(List<String> flags, ClusterWrite write) {
    Change and(Change next) {
      List<String> all = new ArrayList<>(flags);
      all.addAll(next.flags);
      return new Change(
          all,
          () -> {
            write.run();
            next.write.run();
          });
    }
  }

  private Change choose(int choice) throws Exception {
    return switch (choice) {
      case 0 ->
          new Change(
              List.of("--delete=namespace/shop"), () -> delete(KindCatalogue.NAMESPACES, "shop"));
      case 1 -> new Change(List.of("--delete=pvc/c0"), () -> delete(KindCatalogue.CLAIMS, "c0"));
      case 2 ->
          new Change(
              List.of("--delete=statefulset/db"), () -> delete(KindCatalogue.STATEFUL_SETS, "db"));
      case 3 -> scale(2);
      case 4 -> scale(0);
      case 5 -> new Change(List.of("--delete=pod/db-0"), () -> delete(KindCatalogue.PODS, "db-0"));
      case 6 -> drain();
      case 7 -> fail();
      case 8 -> new Change(List.of("--delete=vs/s0"), () -> delete(snapshots(), "s0"));
      case 9 -> restore();
      case 10 -> grow();
      case 11 -> deleteVolume();
      case 12 -> restartWith("--compat=kcm").and(choose(1));
      case 13 -> drain().and(choose(1));
      default -> choose(8).and(choose(1));
    };
  }

  private Change scale(int replicas) {
    return new Change(
        List.of("--scale=statefulset/db=" + replicas),
        () ->
            merge(
                KindCatalogue.STATEFUL_SETS,
                "db",
                "{'spec': {'replicas': %d}}".formatted(replicas)));
  }

  private Change drain() {
    return new Change(
        List.of("--drain=node-1"),
        () -> {
          merge(KindCatalogue.NODES, "node-1", "{'spec': {'unschedulable': true}}");
          for (JsonObject pod : list(KindCatalogue.PODS)) {
            if (JsonBodies.textAt(pod, "spec", "nodeName").equals("node-1")) {
              delete(KindCatalogue.PODS, JsonBodies.textAt(pod, "metadata", "name"));
            }
          }
        });
  }

  private Change fail() {
    return new Change(
        List.of("--fail=node-1"),
        () -> {
          NodeFailure failure = new NodeFailure(handlers(), "node-1");
          failure.start();
          failure.evictPods(Duration.ZERO);
        });
  }

  private Change apply(String json, ClusterWrite write) throws Exception {
    Path file = Files.writeString(folder.resolve("change.json"), parse(json).toString());
    return new Change(List.of("-f", file.toString()), write);
  }

  private Change restore() throws Exception {
    String claim =
        claim(
            "restored",
            "now",
            ", 'dataSource': {'apiGroup': 'snapshot.storage.k8s.io', 'kind': 'VolumeSnapshot', 'name': 's0'}");
    return apply(claim, () -> create(KindCatalogue.CLAIMS, claim));
  }

  private Change grow() throws Exception {
    String size = "'spec': {'resources': {'requests': {'storage': '2Gi'}}}";
    return apply(
        "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': 'c0', 'namespace': 'shop'}, %s}"
            .formatted(size),
        () -> merge(KindCatalogue.CLAIMS, "c0", "{" + size + "}"));
  }

  private Change deleteVolume() {
    String volume =
        list(KindCatalogue.CLAIMS).stream()
            .filter(claim -> JsonBodies.textAt(claim, "metadata", "name").equals("c0"))
            .map(claim -> JsonBodies.textAt(claim, "spec", "volumeName"))
            .findFirst()
            .orElseThrow();
    return new Change(
        List.of("--delete=pv/" + volume), () -> delete(KindCatalogue.VOLUMES, volume));
  }

  private Change restartWith(String flag) {
    return new Change(
        List.of("--flag=" + flag),
        () -> {
          manager.stop();
          startManager(flag);
        });
  }

  private static String normalize(String kind, String key, String text) {
    return "%s %s: %s".formatted(kind, key, text).replaceAll(GENERATED, "*");
  }

  private List<String> changesSince(ClusterState before) {
    return before.changesTo(ClusterState.of(handlers())).stream()
        .map(change -> normalize(change.kind(), change.key(), change.text()))
        .sorted()
        .toList();
  }

  private List<String> predict(Change change) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "simulate",
                "--kubeconfig=" + cluster.kubeconfig(),
                "-n",
                "shop",
                "-o",
                "json",
                "--for=10s"));
    args.addAll(change.flags());
    CommandResult result = CommandResult.ofCommand(args.toArray(String[]::new));
    assertThat(result.code()).as(result.output()).isIn(0, 4);
    return StreamSupport.stream(
            JsonParser.parseString(result.out())
                .getAsJsonObject()
                .getAsJsonArray("changes")
                .spliterator(),
            false)
        .map(JsonElement::getAsJsonObject)
        .map(object ->
            normalize(
                object.get("kind").getAsString(),
                object.get("key").getAsString(),
                object.get("text").getAsString()))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void prediction_seededClusterAndChange_comesTrue(int seed) throws Exception {
    Random random = new Random(seed);
    createObjects(random);
    Change change = choose(random.nextInt(15));
    ClusterState before = ClusterState.of(handlers());

    List<String> predicted = predict(change);
    assertThat(ClusterState.of(handlers())).isEqualTo(before);
    change.write().run();

    try {
      TestWait.until(
          Duration.ofSeconds(30),
          () -> "the prediction is correct",
          () -> manager.isIdle() && changesSince(before).equals(predicted));
    } catch (AssertionError late) {
      assertThat(changesSince(before)).as(change.flags().toString()).isEqualTo(predicted);
    }
  }
}
