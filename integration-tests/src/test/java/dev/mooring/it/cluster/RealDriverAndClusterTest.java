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
 * Runs the assembled program between a real CSI driver ({@code -Dmooring.csi.driver}, {@code .node}
 * and {@code .topology} as for RealDriverTest, plus its name, {@code -Dmooring.csi.name}) and a
 * real API server ({@link RealClusterTest}). {@code -Dmooring.csi.claims=N} sets how many claims
 * are created and deleted concurrently (20). The test prints the duration and the number of
 * requests of all clients, its own included.
 */
@Timeout(600)
class RealDriverAndClusterTest {
  private static final String COMMAND = System.getProperty("mooring.csi.driver", "");
  private static final String NAME = System.getProperty("mooring.csi.name", "hostpath.csi.k8s.io");
  private static final String NODE = System.getProperty("mooring.csi.node", "node-1");
  private static final int CLAIMS = Integer.getInteger("mooring.csi.claims", 20);

  private static final Pattern REQUESTS =
      Pattern.compile("(?m)^apiserver_request_total\\{(.*)} (\\S+)$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  @TempDir private Path folder;
  private final List<Process> drivers = new ArrayList<>();
  private RealCluster cluster;
  private RestApi api;
  private JavaProcess mooring;

  private void start(ServerSource target) throws Exception {
    Assumptions.assumeTrue(
        !COMMAND.isEmpty(), "skipped: no CSI driver was named by -Dmooring.csi.driver=COMMAND");
    String missing = target.missing().orElse("");
    Assumptions.assumeTrue(missing.isEmpty(), "skipped on " + target + ": " + missing);
    Files.createDirectory(folder.resolve("driver"));
    startDriver();
    cluster = target.start(folder);
    api = RestApi.of(cluster.kubeconfig());
    ClusterCleanup.check(api);
    install();
    mooring =
        JavaProcess.launched(
            "run",
            "--mode=replace",
            "--kubeconfig=" + cluster.kubeconfig(),
            "--endpoints=off",
            "--leader-elect=false",
            "--csi-endpoint=" + NAME + "=unix://" + folder.resolve("csi.sock"));
    mooring.awaitLine(line -> line.contains("running "));
  }

  private void startDriver() throws IOException {
    List<String> command = new ArrayList<>();
    for (String word : COMMAND.split(" +")) {
      command.add(
          word.replace("{socket}", folder.resolve("csi.sock").toString())
              .replace("{folder}", folder.resolve("driver").toString()));
    }
    drivers.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("driver.log").toFile()))
            .start());
  }

  private void install() throws Exception {
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
    make(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}, "labels": {%s}}}
        """
            .formatted(labels));
    make(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "node-1"}, "spec": {"drivers": [{"name": "%s", "nodeID": "%s", "topologyKeys": [%s]}]}}
        """
            .formatted(NAME, NODE, keys));
    make(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "real"}, "provisioner": "%s", "allowVolumeExpansion": true}
        """
            .formatted(NAME));
  }

  private void make(String json) throws Exception {
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
      ClusterCleanup.clean(api, List.of());
      api.delete("StorageClass", "", "real", -1);
      api.delete("CSINode", "", "node-1", -1);
      api.delete("Node", "", "node-1", -1);
      cluster.close();
    }
  }

  private void claim(String name, String more) throws Exception {
    make(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "real", "resources": {"requests": {"storage": "1Mi"}}%s}}
        """
            .formatted(name, more));
  }

  private interface ApiCall {
    boolean isSo() throws Exception;
  }

  private void until(String what, ApiCall asking) throws Exception {
    TestWait.until(() -> what + "; it said:\n" + String.join("\n", mooring.output()), asking::isSo);
  }

  private List<JsonObject> all(String kind) throws Exception {
    return api.list(kind);
  }

  private static String text(JsonObject object, String... path) {
    JsonObject at = object;
    for (int i = 0; i < path.length - 1; i++) {
      if (!at.has(path[i])) {
        return "";
      }
      at = at.getAsJsonObject(path[i]);
    }
    String last = path[path.length - 1];
    return at.has(last) ? at.get(last).getAsString() : "";
  }

  private void bound(int count) throws Exception {
    until(
        count + " are bound",
        () ->
            all("PersistentVolumeClaim").stream()
                    .filter(claim -> text(claim, "status", "phase").equals("Bound"))
                    .count()
                == count);
  }

  private void nothingIsLeft() throws Exception {
    until(
        "all objects are deleted",
        () -> all("PersistentVolumeClaim").isEmpty() && all("PersistentVolume").isEmpty());
  }

  /**
   * Provisions, attaches, expands, clones, detaches and deletes a volume; the driver is killed in
   * between.
   */
  @ParameterizedTest
  @EnumSource
  void volume_wholeLifecycle_succeeds(ServerSource target) throws Exception {
    start(target);
    claim("a", "");
    bound(1);
    make(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "node-1", "automountServiceAccountToken": false, "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "a"}}]}}
        """);
    until(
        "volume is attached",
        () ->
            all("VolumeAttachment").stream()
                .anyMatch(one -> text(one, "status", "attached").equals("true")));
    restartDriver();
    api.patch(
        "PersistentVolumeClaim",
        "default",
        "a",
        "",
        JsonParser.parseString(
                "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"2Mi\"}}}}")
            .getAsJsonObject());
    until(
        "claim is expanded",
        () ->
            all("PersistentVolume").stream()
                .anyMatch(one -> text(one, "spec", "capacity", "storage").equals("2Mi")));
    claim("copy", ", \"dataSource\": {\"kind\": \"PersistentVolumeClaim\", \"name\": \"a\"}");
    until(
        "a clone smaller than its source is rejected",
        () -> all("Event").stream().anyMatch(e -> text(e, "reason").equals("ProvisioningFailed")));
    api.delete("PersistentVolumeClaim", "default", "copy", -1);
    restartDriver();
    api.delete("Pod", "default", "p", 0);
    until("volume is detached", () -> all("VolumeAttachment").isEmpty());
    api.delete("PersistentVolumeClaim", "default", "a", -1);
    nothingIsLeft();
  }

  private void restartDriver() throws Exception {
    drivers.getLast().destroyForcibly().waitFor();
    startDriver();
  }

  @ParameterizedTest
  @EnumSource
  void claims_manyConcurrent_areBoundAndDeleted(ServerSource target) throws Exception {
    start(target);
    Map<String, Long> before = requests();
    Duration started = cpu();
    long began = System.nanoTime();
    each(i -> claim("c-" + i, ""));
    bound(CLAIMS);
    long made = System.nanoTime();
    Duration making = cpu();
    Map<String, Long> between = requests();
    long deleting = System.nanoTime();
    each(i -> api.delete("PersistentVolumeClaim", "default", "c-" + i, -1));
    nothingIsLeft();
    long deleted = System.nanoTime();
    Map<String, Long> after = requests();
    System.err.printf(
        Locale.ROOT,
        "%d claims: bound in %.1f s, gone in %.1f s; CPU %.1f s to begin, %.1f s to make, %.1f s to destroy; %s; load %s%nmade: %s%ndestroyed: %s%n",
        CLAIMS,
        (made - began) / 1e9,
        (deleted - deleting) / 1e9,
        started.toMillis() / 1e3,
        making.minus(started).toMillis() / 1e3,
        cpu().minus(making).toMillis() / 1e3,
        memory(),
        Files.readString(Path.of("/proc/loadavg")).strip(),
        since(before, between),
        since(between, after));
    assertThat(mooring.isAlive()).isTrue();
  }

  private interface ClaimAction {
    void with(int claim) throws Exception;
  }

  private void each(ClaimAction doing) throws Exception {
    for (int i = 0; i < CLAIMS; i++) {
      doing.with(i);
    }
  }

  private Duration cpu() {
    return ProcessHandle.of(mooring.pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private String memory() throws IOException {
    Path status = Path.of("/proc/" + mooring.pid() + "/status");
    return !Files.exists(status)
        ? ""
        : Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM") || line.startsWith("VmRSS"))
            .map(line -> line.replaceAll("\\s+", " "))
            .reduce("", (a, b) -> (a + " " + b).strip());
  }

  /** Requests that the server has answered, except watches. */
  private Map<String, Long> requests() throws Exception {
    Map<String, Long> requests = new TreeMap<>();
    Matcher line = REQUESTS.matcher(api.text("/metrics"));
    while (line.find()) {
      Map<String, String> labels = new HashMap<>();
      Matcher label = LABEL.matcher(line.group(1));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      String code = labels.getOrDefault("code", "");
      String what =
          (labels.get("verb") + " " + labels.get("resource") + " " + labels.get("subresource"))
                  .strip()
              + (code.startsWith("2") ? "" : " " + code);
      if (!what.startsWith("WATCH")) {
        requests.merge(what, (long) Double.parseDouble(line.group(2)), Long::sum);
      }
    }
    return requests;
  }

  private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> since = new TreeMap<>(after);
    before.forEach((what, count) -> since.merge(what, -count, Long::sum));
    since.values().removeIf(count -> count == 0);
    return since;
  }
}
