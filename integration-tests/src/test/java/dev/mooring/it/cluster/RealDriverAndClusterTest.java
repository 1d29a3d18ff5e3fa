package dev.mooring.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the assembled program with a real CSI driver and a real API server ({@link
 * RealClusterTest}). {@code -Dmooring.csi.driver}, {@code .node} and {@code .topology} are as for
 * RealDriverTest; {@code -Dmooring.csi.name} is the name of the driver. {@code
 * -Dmooring.csi.claims=N} sets how many claims the test creates and deletes concurrently (default:
 * 20). The test prints the durations and the requests of all clients, including its own.
 */
@Timeout(600)
class RealDriverAndClusterTest {
  private static final String DRIVER_COMMAND = System.getProperty("mooring.csi.driver", "");
  private static final String DRIVER_NAME =
      System.getProperty("mooring.csi.name", "hostpath.csi.k8s.io");
  private static final String NODE_ID = System.getProperty("mooring.csi.node", "node-1");
  private static final int CLAIMS = Integer.getInteger("mooring.csi.claims", 20);

  private static final Pattern REQUESTS =
      Pattern.compile("(?m)^apiserver_request_total\\{(.*)} (\\S+)$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  @TempDir private Path folder;
  private final List<Process> drivers = new ArrayList<>();
  private RealCluster cluster;
  private RestApi api;
  private JavaProcess mooring;

  private void start(ServerSource source) throws Exception {
    Assumptions.assumeTrue(
        !DRIVER_COMMAND.isEmpty(),
        "skipped: no CSI driver was named by -Dmooring.csi.driver=COMMAND");
    String missingPrerequisite = source.findMissingPrerequisite().orElse("");
    Assumptions.assumeTrue(
        missingPrerequisite.isEmpty(), "skipped on " + source + ": " + missingPrerequisite);
    Files.createDirectory(folder.resolve("driver"));
    startDriver();
    cluster = source.start(folder);
    api = RestApi.of(cluster.kubeconfig());
    ClusterCleanup.requireNoVolumes(api);
    createDriverObjects();
    mooring =
        JavaProcess.startWithLauncherFlags(
            "run",
            "--mode=replace",
            "--kubeconfig=" + cluster.kubeconfig(),
            "--endpoints=off",
            "--leader-elect=false",
            "--csi-endpoint=" + DRIVER_NAME + "=unix://" + folder.resolve("csi.sock"));
    mooring.awaitLine(line -> line.contains("running "));
  }

  private void startDriver() throws IOException {
    List<String> command = new ArrayList<>();
    for (String argument : DRIVER_COMMAND.split(" +")) {
      command.add(
          argument
              .replace("{socket}", folder.resolve("csi.sock").toString())
              .replace("{folder}", folder.resolve("driver").toString()));
    }
    drivers.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("driver.log").toFile()))
            .start());
  }

  private void createDriverObjects() throws Exception {
    StringBuilder labels = new StringBuilder();
    StringBuilder keys = new StringBuilder();
    for (String segment : System.getProperty("mooring.csi.topology", "").split(",")) {
      int equals = segment.indexOf('=');
      if (equals > 0) {
        String comma = keys.isEmpty() ? "" : ", ";
        String key = '"' + segment.substring(0, equals) + '"';
        keys.append(comma).append(key);
        labels.append(comma).append(key).append(": \"").append(segment.substring(equals + 1));
        labels.append('"');
      }
    }
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}, "labels": {%s}}}
        """
            .formatted(labels));
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "node-1"}, "spec": {"drivers": [{"name": "%s", "nodeID": "%s", "topologyKeys": [%s]}]}}
        """
            .formatted(DRIVER_NAME, NODE_ID, keys));
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "real"}, "provisioner": "%s", "allowVolumeExpansion": true}
        """
            .formatted(DRIVER_NAME));
  }

  private void create(String json) throws Exception {
    api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  @AfterEach
  void stop() throws Exception {
    if (mooring != null) {
      mooring.close();
    }
    for (Process driver : drivers) {
      driver.destroyForcibly().waitFor();
    }
    if (cluster != null) {
      ClusterCleanup.deleteObjects(api, List.of());
      api.delete("StorageClass", "", "real", -1);
      api.delete("CSINode", "", "node-1", -1);
      api.delete("Node", "", "node-1", -1);
      cluster.close();
    }
  }

  private void createClaim(String name, String specMembers) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "real", "resources": {"requests": {"storage": "1Mi"}}%s}}
        """
            .formatted(name, specMembers));
  }

  private interface ClusterCondition {
    boolean isMet() throws Exception;
  }

  private void awaitCondition(String description, ClusterCondition condition) throws Exception {
    TestWait.until(
        () -> description + "; output of Mooring:\n" + String.join("\n", mooring.output()),
        condition::isMet);
  }

  private List<JsonObject> list(String kind) throws Exception {
    return api.list(kind);
  }

  private static String textAt(JsonObject object, String... path) {
    JsonObject parent = object;
    for (int i = 0; i < path.length - 1; i++) {
      if (!parent.has(path[i])) {
        return "";
      }
      parent = parent.getAsJsonObject(path[i]);
    }
    String member = path[path.length - 1];
    return parent.has(member) ? parent.get(member).getAsString() : "";
  }

  private void awaitBound(int count) throws Exception {
    awaitCondition(
        count + " are bound",
        () ->
            list("PersistentVolumeClaim").stream()
                    .filter(claim -> textAt(claim, "status", "phase").equals("Bound"))
                    .count()
                == count);
  }

  private void awaitNoVolumes() throws Exception {
    awaitCondition(
        "all objects are deleted",
        () -> list("PersistentVolumeClaim").isEmpty() && list("PersistentVolume").isEmpty());
  }

  /**
   * Provisions, attaches, expands, detaches and deletes a volume, and rejects a clone. The test
   * kills the driver twice.
   */
  @ParameterizedTest
  @EnumSource
  void volume_driverRestarted_isAttachedExpandedAndDeleted(ServerSource source) throws Exception {
    start(source);
    createClaim("a", "");
    awaitBound(1);
    create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "node-1", "automountServiceAccountToken": false, "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "a"}}]}}
        """);
    awaitCondition(
        "volume is attached",
        () ->
            list("VolumeAttachment").stream()
                .anyMatch(object -> textAt(object, "status", "attached").equals("true")));
    restartDriver();
    api.patch(
        "PersistentVolumeClaim",
        "default",
        "a",
        "",
        JsonParser.parseString(
                "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"2Mi\"}}}}")
            .getAsJsonObject());
    awaitCondition(
        "claim is expanded",
        () ->
            list("PersistentVolume").stream()
                .anyMatch(object -> textAt(object, "spec", "capacity", "storage").equals("2Mi")));
    createClaim("copy", ", \"dataSource\": {\"kind\": \"PersistentVolumeClaim\", \"name\": \"a\"}");
    awaitCondition(
        "a clone smaller than its source is rejected",
        () ->
            list("Event").stream()
                .anyMatch(event -> textAt(event, "reason").equals("ProvisioningFailed")));
    api.delete("PersistentVolumeClaim", "default", "copy", -1);
    restartDriver();
    api.delete("Pod", "default", "p", 0);
    awaitCondition("volume is detached", () -> list("VolumeAttachment").isEmpty());
    api.delete("PersistentVolumeClaim", "default", "a", -1);
    awaitNoVolumes();
  }

  private void restartDriver() throws Exception {
    drivers.getLast().destroyForcibly().waitFor();
    startDriver();
  }

  @ParameterizedTest
  @EnumSource
  void claims_manyConcurrent_areBoundAndDeleted(ServerSource source) throws Exception {
    start(source);
    Map<String, Long> requestsBefore = countRequests();
    Duration cpuBefore = cpuTime();
    long bindStart = System.nanoTime();
    forEachClaim(i -> createClaim("c-" + i, ""));
    awaitBound(CLAIMS);
    long bindEnd = System.nanoTime();
    Duration cpuAfterBind = cpuTime();
    Map<String, Long> requestsAfterBind = countRequests();
    long deleteStart = System.nanoTime();
    forEachClaim(i -> api.delete("PersistentVolumeClaim", "default", "c-" + i, -1));
    awaitNoVolumes();
    long deleteEnd = System.nanoTime();
    Map<String, Long> requestsAfterDelete = countRequests();
    System.err.printf(
        Locale.ROOT,
        "%d claims: bound in %.1f s, deleted in %.1f s; CPU %.1f s to start, %.1f s to bind, %.1f s to delete; %s; load %s%nrequests to bind: %s%nrequests to delete: %s%n",
        CLAIMS,
        (bindEnd - bindStart) / 1e9,
        (deleteEnd - deleteStart) / 1e9,
        cpuBefore.toMillis() / 1e3,
        cpuAfterBind.minus(cpuBefore).toMillis() / 1e3,
        cpuTime().minus(cpuAfterBind).toMillis() / 1e3,
        memoryUsage(),
        Files.readString(Path.of("/proc/loadavg")).strip(),
        difference(requestsBefore, requestsAfterBind),
        difference(requestsAfterBind, requestsAfterDelete));
    assertThat(mooring.isAlive()).isTrue();
  }

  private interface ClaimAction {
    void run(int claim) throws Exception;
  }

  private void forEachClaim(ClaimAction action) throws Exception {
    for (int i = 0; i < CLAIMS; i++) {
      action.run(i);
    }
  }

  private Duration cpuTime() {
    return ProcessHandle.of(mooring.pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private String memoryUsage() throws IOException {
    Path status = Path.of("/proc/" + mooring.pid() + "/status");
    return !Files.exists(status)
        ? ""
        : Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM") || line.startsWith("VmRSS"))
            .map(line -> line.replaceAll("\\s+", " "))
            .reduce("", (a, b) -> (a + " " + b).strip());
  }

  /**
   * Returns how many requests the server has answered by verb, resource and error, without watches.
   */
  private Map<String, Long> countRequests() throws Exception {
    Map<String, Long> counts = new TreeMap<>();
    Matcher line = REQUESTS.matcher(api.text("/metrics"));
    while (line.find()) {
      Map<String, String> labels = new HashMap<>();
      Matcher label = LABEL.matcher(line.group(1));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      String code = labels.getOrDefault("code", "");
      String key =
          (labels.get("verb") + " " + labels.get("resource") + " " + labels.get("subresource"))
                  .strip()
              + (code.startsWith("2") ? "" : " " + code);
      if (!key.startsWith("WATCH")) {
        counts.merge(key, (long) Double.parseDouble(line.group(2)), Long::sum);
      }
    }
    return counts;
  }

  private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> difference = new TreeMap<>(after);
    before.forEach((key, count) -> difference.merge(key, -count, Long::sum));
    difference.values().removeIf(count -> count == 0);
    return difference;
  }
}
