package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fills one namespace with unsatisfiable claims whose selectors make matching slow, and checks that
 * claims of another namespace are bound. {@code -Dmooring.neighbours=N} sets the number of the
 * unsatisfiable claims; with 100,000 or more the test also limits the duration of a bind. {@code
 * -Dmooring.neighbours.shape=N} uses only one shape of selectors.
 */
@Timeout(1800)
class HostileNeighbourTest {
  private static final int HOSTILE_CLAIMS = Integer.getInteger("mooring.neighbours", 1_000);
  private static final int SELECTED_SHAPE = Integer.getInteger("mooring.neighbours.shape", -1);
  private static final int STORM_CLAIMS = 100_000;
  private static final int VOLUMES = Math.min(HOSTILE_CLAIMS, 10_000);
  private static final int GOOD_CLAIMS = HOSTILE_CLAIMS < STORM_CLAIMS ? 20 : 300;
  private static final double MAX_BIND_MILLIS = 250;

  private static final List<IntFunction<String>> SELECTOR_SHAPES =
      List.of(
          i -> "'matchLabels': {'id': 'none-%d'}".formatted(i),
          i ->
              "'matchLabels': {'half': 'a', 'other': 'a'}, 'matchExpressions': [{'key': 'x%d', 'operator': 'DoesNotExist'}]"
                  .formatted(i),
          i ->
              "'matchExpressions': [{'key': 'all', 'operator': 'NotIn', 'values': ['same', 'x%d']}]"
                  .formatted(i),
          i ->
              "'matchExpressions': [{'key': 'all', 'operator': 'DoesNotExist'}, {'key': 'x%d', 'operator': 'DoesNotExist'}]"
                  .formatted(i),
          i -> "'matchExpressions': [%s]".formatted(hundredExpressions(i)),
          i -> "'matchLabels': {'id': '%s'}".formatted(textWithEqualHash(i)));

  @TempDir private Path folder;

  private static String hundredExpressions(int index) {
    return IntStream.range(0, 100)
        .mapToObj(n ->
            "{'key': '%s', 'operator': 'NotIn', 'values': ['same', 'n%d']}"
                .formatted(n == 0 ? "all" : "l" + n, index))
        .collect(Collectors.joining(","));
  }

  /** Returns distinct texts with equal hash codes. */
  private static String textWithEqualHash(int index) {
    return IntStream.range(0, 17)
        .mapToObj(bit -> (index >> bit & 1) == 0 ? "Aa" : "BB")
        .collect(Collectors.joining());
  }

  private static void create(
      ObjectHandlers handlers, ResourceType type, String namespace, String json)
      throws StatusException {
    handlers.create(
        type,
        namespace,
        JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject(),
        WriteOptions.PLAIN);
  }

  private static void createHostileObjects(ObjectHandlers handlers) throws StatusException {
    for (String namespace : List.of("evil", "good")) {
      create(
          handlers,
          KindCatalogue.NAMESPACES,
          "",
          "{'metadata': {'name': '%s'}}".formatted(namespace));
    }
    for (int i = 0; i < VOLUMES; i++) {
      create(
          handlers,
          KindCatalogue.VOLUMES,
          "",
          "{'metadata': {'name': 'v-%d', 'labels': {'all': 'same', '%s': 'a', 'id': 'v-%d'}}, 'spec': {'capacity': {'storage': '%dGi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/%d'}}}"
              .formatted(i, i % 2 == 0 ? "half" : "other", i, 1 + i % 100, i));
    }
    for (int i = 0; i < HOSTILE_CLAIMS; i++) {
      createClaim(
          handlers,
          "evil",
          i,
          SELECTOR_SHAPES
              .get(SELECTED_SHAPE < 0 ? i % SELECTOR_SHAPES.size() : SELECTED_SHAPE)
              .apply(i));
    }
  }

  private static void createClaim(ObjectHandlers handlers, String namespace, int i, String selector)
      throws StatusException {
    create(
        handlers,
        KindCatalogue.CLAIMS,
        namespace,
        "{'metadata': {'name': 'c-%d'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '', 'selector': {%s}, 'resources': {'requests': {'storage': '1Gi'}}}}"
            .formatted(i, selector));
  }

  private static boolean isBound(ObjectHandlers handlers, int i) {
    StoredObject claim =
        handlers
            .store(KindCatalogue.CLAIMS)
            .get(ObjectHandlers.makeKey(KindCatalogue.CLAIMS, "good", "c-" + i));
    return claim != null && JsonBodies.textAt(claim.tree(), "status", "phase").equals("Bound");
  }

  private static void awaitBound(ObjectHandlers handlers, int i) {
    TestWait.until("c-" + i + " is bound", () -> isBound(handlers, i));
  }

  /** Returns the duration of each bind in milliseconds, ascending. */
  private static double[] bindOneByOne(ObjectHandlers handlers) throws StatusException {
    double[] durations = new double[GOOD_CLAIMS];
    for (int i = 0; i < GOOD_CLAIMS; i++) {
      long start = System.nanoTime();
      createClaim(handlers, "good", i, "");
      awaitBound(handlers, i);
      durations[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(durations);
    return durations;
  }

  @Test
  void claim_otherNamespaceHasHostileClaims_isBound() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      ObjectHandlers handlers = server.handlers();
      createHostileObjects(handlers);
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=off", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        createClaim(
            handlers, "good", GOOD_CLAIMS, ""); // the caches are complete once this claim is bound
        awaitBound(handlers, GOOD_CLAIMS);
        double[] durations = bindOneByOne(handlers);
        double p99 = durations[(int) (GOOD_CLAIMS * 0.99)];
        System.err.printf(
            "%d hostile claims: median bind %.0f ms, p99 %.0f ms, longest %.0f ms%n",
            HOSTILE_CLAIMS, durations[GOOD_CLAIMS / 2], p99, durations[GOOD_CLAIMS - 1]);
        if (HOSTILE_CLAIMS >= STORM_CLAIMS) {
          assertThat(p99).isLessThanOrEqualTo(MAX_BIND_MILLIS);
        }
      } finally {
        manager.stop();
      }
    }
  }
}
