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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the assembled program, the recorded scenarios and the recorded responses against real API
 * servers, and skips unavailable servers. {@code -Dmooring.kubeconfig=FILE} names a server without
 * volumes, claims and attachments. {@code -Dmooring.kube.binaries=DIR} or {@code
 * KUBEBUILDER_ASSETS} names a folder with kube-apiserver and etcd. k3s runs in a container if a
 * Docker engine responds. {@code -Dmooring.scenarios=PREFIX,...} selects scenarios.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class RealClusterTest {
  private static final double QUIET_SECONDS = 1.5;

  @TempDir private Path folder;

  private RealCluster start(ServerSource source) throws Exception {
    String missingPrerequisite = source.findMissingPrerequisite().orElse("");
    Assumptions.assumeTrue(
        missingPrerequisite.isEmpty(), "skipped on " + source + ": " + missingPrerequisite);
    return source.start(folder);
  }

  private static void awaitPhase(RestApi api, String claim, String phase, JavaProcess mooring)
      throws Exception {
    TestWait.until(() -> mooring.output().toString(), () -> claimPhase(api, claim).equals(phase));
  }

  private static String claimPhase(RestApi api, String claim) throws Exception {
    try {
      return api.get("PersistentVolumeClaim", "default", claim)
          .getAsJsonObject("status")
          .get("phase")
          .getAsString();
    } catch (RestApi.ErrorResponse e) {
      return "deleted";
    }
  }

  private static JsonObject parse(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @ParameterizedTest
  @EnumSource
  void claims_createdAndDeleted_getAndReleaseVolumes(ServerSource source) throws Exception {
    try (RealCluster cluster = start(source)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      ClusterCleanup.requireNoVolumes(api);
      try (JavaProcess mooring =
          JavaProcess.startMooring(
              "run",
              "--mode=replace",
              "--kubeconfig=" + cluster.kubeconfig(),
              "--endpoints=off",
              "--enable-hostpath-provisioner=true")) {
        api.create(
            parse(
                """
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "mooring-smoke"}, "spec": {"capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "mooring-smoke", "nfs": {"server": "nowhere.example.com", "path": "/"}}}
                """));
        api.create(claimObject("bound", "mooring-smoke"));
        awaitPhase(api, "bound", "Bound", mooring);
        api.create(
            parse(
                """
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "mooring-made"}, "provisioner": "kubernetes.io/host-path"}
                """));
        api.create(claimObject("made", "mooring-made"));
        awaitPhase(api, "made", "Bound", mooring);
        for (String name : List.of("bound", "made")) {
          api.delete("PersistentVolumeClaim", "default", name, -1);
          awaitPhase(api, name, "deleted", mooring);
        }
        api.delete("PersistentVolume", "", "mooring-smoke", -1);
        TestWait.until(
            () -> mooring.output().toString(), () -> api.list("PersistentVolume").isEmpty());
      } finally {
        ClusterCleanup.deleteObjects(api, List.of());
      }
    }
  }

  private static JsonObject claimObject(String name, String className) {
    return parse(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  @ParameterizedTest
  @EnumSource
  void responses_realServer_equalRecorded(ServerSource source) throws Exception {
    try (RealCluster cluster = start(source)) {
      ClusterCleanup.requireNoVolumes(RestApi.of(cluster.kubeconfig()));
      Map<String, List<String>> differences = new LinkedHashMap<>();
      for (String name : RecordedCases.cases()) {
        List<String> caseDifferences =
            compareResponses(name, ServerEndpoint.of(cluster.kubeconfig()));
        if (!caseDifferences.isEmpty()) {
          System.err.println(name + ": " + caseDifferences);
          differences.put(name, caseDifferences);
        }
      }
      assertThat(differences).isEmpty();
    }
  }

  private static List<String> compareResponses(String name, ServerEndpoint server)
      throws Exception {
    try {
      return RecordedCases.differences(name, server);
    } catch (IOException error) {
      return List.of(error.toString()); // lets the test report the other cases too
    }
  }

  @ParameterizedTest
  @EnumSource
  void scenarios_realServer_endAsRecorded(ServerSource source) throws Exception {
    try (RealCluster cluster = start(source)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      assertThat(
              playAll(api, name -> Scenarios.play(name, api, cluster.kubeconfig(), QUIET_SECONDS)))
          .isEmpty();
    }
  }

  /** The proxy injects faults and uses TLS on both sides. */
  @ParameterizedTest
  @EnumSource
  void scenarios_withFaults_endAsRecorded(ServerSource source) throws Exception {
    try (RealCluster cluster = start(source)) {
      RestApi api = RestApi.of(cluster.kubeconfig());
      FaultScenario faultScenario =
          new FaultScenario(
              api, ServerEndpoint.of(cluster.kubeconfig()), ProxyTls.make(), folder, QUIET_SECONDS);
      long seed = Long.getLong("mooring.faults.first", 1);
      assertThat(playAll(api, name -> reportDifferences(faultScenario.play(name, seed)))).isEmpty();
    }
  }

  private static List<String> reportDifferences(FaultScenario.End end) {
    if (!end.wrong().isEmpty()) {
      end.log().forEach(System.err::println);
    }
    return end.wrong();
  }

  private interface Player {
    List<String> play(String name) throws Exception;
  }

  private static Map<String, List<String>> playAll(RestApi api, Player player) throws Exception {
    ClusterCleanup.requireNoVolumes(api);
    Map<String, List<String>> differences = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(Scenarios.passing());
    String[] prefixes = System.getProperty("mooring.scenarios", "").split(",", -1);
    names.removeIf(name -> Arrays.stream(prefixes).noneMatch(name::startsWith));
    for (String name : names) {
      List<String> caseDifferences;
      try {
        caseDifferences = player.play(name);
      } finally {
        ClusterCleanup.deleteObjects(api, Scenarios.objects(name));
      }
      System.err.println(name + (caseDifferences.isEmpty() ? "" : ": " + caseDifferences));
      if (!caseDifferences.isEmpty()) {
        differences.put(name, caseDifferences);
      }
    }
    return differences;
  }
}
