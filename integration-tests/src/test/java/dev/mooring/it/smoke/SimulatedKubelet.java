package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Simulates a kubelet for helper pods: runs the container's command, with local directories in
 * place of host paths.
 */
final class SimulatedKubelet {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([A-Za-z_.-]+)\\)");
  private static final Map<String, String> VARIABLES =
      Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  private final RestApi api;
  private final String namespace;
  private final Path disks;
  private final Path jar;
  private final List<JsonObject> pods = new ArrayList<>();

  /**
   * @param disks root directories by node name
   * @param jar the plugin jar of the pods' image
   */
  SimulatedKubelet(RestApi api, String namespace, Path disks, Path jar) {
    this.api = api;
    this.namespace = namespace;
    this.disks = disks;
    this.jar = jar;
  }

  /** Returns the pods that this kubelet has run, as it found them. */
  List<JsonObject> pods() {
    return pods;
  }

  /** Waits for a pod, runs it, and sets its final status. */
  void runNextPod() throws Exception {
    TestWait.until("helper pod waits", () -> !waitingPods().isEmpty());
    run(waitingPods().getFirst());
  }

  private List<JsonObject> waitingPods() throws Exception {
    return api.list("Pod").stream()
        .filter(pod -> textAt(pod, "metadata", "namespace").equals(namespace))
        .filter(pod -> !List.of("Succeeded", "Failed").contains(textAt(pod, "status", "phase")))
        .toList();
  }

  private static String textAt(JsonObject object, String member, String name) {
    JsonElement value = object.has(member) ? object.getAsJsonObject(member).get(name) : null;
    return value == null ? "" : value.getAsString();
  }

  private void run(JsonObject pod) throws Exception {
    pods.add(pod);
    JsonObject spec = pod.getAsJsonObject("spec");
    JsonObject container = spec.getAsJsonArray("containers").get(0).getAsJsonObject();
    Map<String, Path> mounts = mounts(spec, container);
    List<String> command = new ArrayList<>();
    for (String element : texts(container.getAsJsonArray("command"))) {
      command.add(
          element.endsWith("/bin/java")
              ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
              : element.endsWith(".jar") ? jar.toString() : element);
    }
    for (String argument : texts(container.getAsJsonArray("args"))) {
      Path directory = mounts.get(argument);
      command.add(directory == null ? expandVariables(argument) : directory.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    setFinalStatus(pod, process.waitFor(), output);
  }

  private Map<String, Path> mounts(JsonObject spec, JsonObject container) throws Exception {
    Map<String, Path> mounts = new TreeMap<>();
    for (JsonElement mount : container.getAsJsonArray("volumeMounts")) {
      for (JsonElement volume : spec.getAsJsonArray("volumes")) {
        if (volume.getAsJsonObject().get("name").equals(mount.getAsJsonObject().get("name"))) {
          String path = textAt(volume.getAsJsonObject(), "hostPath", "path");
          mounts.put(
              mount.getAsJsonObject().get("mountPath").getAsString(),
              Files.createDirectories(disks.resolve(spec.get("nodeName").getAsString() + path)));
        }
      }
    }
    assertThat(mounts).isNotEmpty();
    return mounts;
  }

  /** Expands variables in arguments as Kubernetes does. */
  private static String expandVariables(String argument) {
    return REFERENCE
        .matcher(argument)
        .replaceAll(match ->
            Matcher.quoteReplacement(
                match.group().equals("$$")
                    ? "$"
                    : VARIABLES.getOrDefault(match.group(1), match.group())));
  }

  private static List<String> texts(JsonArray array) {
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }

  private void setFinalStatus(JsonObject pod, int code, String output) throws Exception {
    JsonObject terminated = new JsonObject();
    terminated.addProperty("exitCode", code);
    terminated.addProperty("message", output);
    JsonObject status =
        JsonParser.parseString(
                """
                {"status": {"phase": "%s", "containerStatuses": [{"name": "helper", "image": "i", "imageID": "i", "ready": false, "restartCount": 0, "state": {"terminated": {}}}]}}
                """
                    .formatted(code == 0 ? "Succeeded" : "Failed"))
            .getAsJsonObject();
    status
        .getAsJsonObject("status")
        .getAsJsonArray("containerStatuses")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("state")
        .add("terminated", terminated);
    api.patch("Pod", namespace, textAt(pod, "metadata", "name"), "status", status);
  }
}
