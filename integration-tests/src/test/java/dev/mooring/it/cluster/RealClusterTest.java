package dev.mooring.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.contract.RecordedCases;
import dev.mooring.it.faults.ProxyTls;
import dev.mooring.it.scenario.FaultScenario;
import dev.mooring.it.scenario.Scenarios;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the assembled program, the recorded scenarios and the recorded responses against real API
 * servers. Each is skipped if it is unavailable: the server of a kubeconfig ({@code
 * -Dmooring.kubeconfig=FILE}; it must have no volumes, claims or attachments, and is left that
 * way), kube-apiserver and etcd from a folder ({@code -Dmooring.kube.binaries=DIR} or {@code
 * KUBEBUILDER_ASSETS}), and k3s in a container if a Docker engine responds. {@code
 * -Dmooring.scenarios=PREFIX,...} selects scenarios.
 */
class RealClusterTest {
  private static final double QUIET = 1.5;

  @TempDir private Path folder;

  private RealCluster start(ServerSource target) throws Exception {
    String missing = target.missing().orElse("");
    Assumptions.assumeTrue(missing.isEmpty(), "skipped on " + target + ": " + missing);
    return target.start(folder);
  }

  private static void until(RestApi api, String claim, String phase, JavaProcess controller)
      throws Exception {
    TestWait.until(() -> controller.output().toString(), () -> phase(api, claim).equals(phase));
  }

  private static String phase(RestApi api, String claim) throws Exception {
    try {
      return api.get("PersistentVolumeClaim", "default", claim)
          .getAsJsonObject("status")
          .get("phase")
          .getAsString();
    } catch (RestApi.Refused e) {
      return "gone";
    }
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @ParameterizedTest
  @EnumSource
  void claims_wholeLifecycle_succeed(ServerSource target) throws Exception {
    try (RealCluster cluster = start(target)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      ClusterCleanup.check(api);
      try (JavaProcess controller =
          JavaProcess.mooring(
              "run",
              "--mode=replace",
              "--kubeconfig=" + cluster.kubeconfig(),
              "--endpoints=off",
              "--enable-hostpath-provisioner=true")) {
        api.create(
            json(
                """
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "mooring-smoke"}, "spec": {"capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "mooring-smoke", "nfs": {"server": "nowhere.example.com", "path": "/"}}}
                """));
        api.create(claim("bound", "mooring-smoke"));
        until(api, "bound", "Bound", controller);
        api.create(
            json(
                """
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "mooring-made"}, "provisioner": "kubernetes.io/host-path"}
                """));
        api.create(claim("made", "mooring-made"));
        until(api, "made", "Bound", controller);
        for (String name : List.of("bound", "made")) {
          api.delete("PersistentVolumeClaim", "default", name, -1);
          until(api, name, "gone", controller);
        }
        api.delete("PersistentVolume", "", "mooring-smoke", -1);
        TestWait.until(
            () -> controller.output().toString(), () -> api.list("PersistentVolume").isEmpty());
      } finally {
        ClusterCleanup.clean(api, List.of());
      }
    }
  }

  private static JsonObject claim(String name, String className) {
    return json(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  @ParameterizedTest
  @EnumSource
  void responses_realServer_equalRecorded(ServerSource target) throws Exception {
    try (RealCluster cluster = start(target)) {
      ClusterCleanup.check(RestApi.of(cluster.kubeconfig()));
      Map<String, List<String>> differences = new LinkedHashMap<>();
      for (String name : RecordedCases.cases()) {
        List<String> found = answers(name, ServerEndpoint.of(cluster.kubeconfig()));
        if (!found.isEmpty()) {
          System.err.println(name + ": " + found);
          differences.put(name, found);
        }
      }
      assertThat(differences).isEmpty();
    }
  }

  private static List<String> answers(String name, ServerEndpoint server) throws Exception {
    try {
      return RecordedCases.differences(name, server);
    } catch (IOException broken) {
      return List.of(broken.toString()); // report the other cases too
    }
  }

  @ParameterizedTest
  @EnumSource
  void scenarios_realServer_endAsRecorded(ServerSource target) throws Exception {
    try (RealCluster cluster = start(target)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      assertThat(playAll(api, name -> Scenarios.play(name, api, cluster.kubeconfig(), QUIET)))
          .isEmpty();
    }
  }

  /** The proxy injects faults and uses TLS on both sides. */
  @ParameterizedTest
  @EnumSource
  void scenarios_withFaults_endAsRecorded(ServerSource target) throws Exception {
    try (RealCluster cluster = start(target)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      FaultScenario play =
          new FaultScenario(
              api, ServerEndpoint.of(cluster.kubeconfig()), ProxyTls.make(), folder, QUIET);
      long seed = Long.getLong("mooring.faults.first", 1);
      assertThat(playAll(api, name -> describe(play.play(name, seed)))).isEmpty();
    }
  }

  private static List<String> describe(FaultScenario.End end) {
    if (!end.wrong().isEmpty()) {
      end.log().forEach(System.err::println);
    }
    return end.wrong();
  }

  private interface Player {
    List<String> play(String name) throws Exception;
  }

  private static Map<String, List<String>> playAll(RestApi api, Player player) throws Exception {
    ClusterCleanup.check(api);
    Map<String, List<String>> differences = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(Scenarios.passing());
    String[] prefixes = System.getProperty("mooring.scenarios", "").split(",", -1);
    names.removeIf(name -> Arrays.stream(prefixes).noneMatch(name::startsWith));
    for (String name : names) {
      List<String> found;
      try {
        found = player.play(name);
      } finally {
        ClusterCleanup.clean(api, Scenarios.objects(name));
      }
      System.err.println(name + (found.isEmpty() ? "" : ": " + found));
      if (!found.isEmpty()) {
        differences.put(name, found);
      }
    }
    return differences;
  }
}
