package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.handle.StatusConditions;
import java.time.Instant;

/** The status of a pod on a simulated node. */
final class PodProgress {
  /** The annotation with the exit code of a Job's pod. */
  static final String EXIT_CODE = "mooring.dev/exit-code";

  private PodProgress() {}

  static boolean isOfJob(JsonObject pod) {
    return SimulatedObjects.listOwners(pod).stream()
        .anyMatch(owner -> textAt(owner, "kind").equals("Job"));
  }

  static JsonObject start(JsonObject pod, Instant now) {
    JsonObject status = getOrAddChild(pod, "status");
    status.addProperty("phase", "Running");
    status.addProperty("startTime", CanonicalValues.formatSeconds(now));
    JsonObject running = newObject("startedAt", CanonicalValues.formatSeconds(now));
    status.add("containerStatuses", listContainers(pod, newObject("running", running), true));
    StatusConditions.setCondition(pod, "Ready", "True");
    return pod;
  }

  static JsonObject end(JsonObject pod, Instant now) {
    String code = textAt(pod, "metadata", "annotations", EXIT_CODE);
    boolean isFailure = code.matches("[0-9]{1,3}") && Integer.parseInt(code) != 0;
    JsonObject terminated =
        newObject(
            "exitCode",
            isFailure ? Integer.parseInt(code) : 0,
            "reason",
            isFailure ? "Error" : "Completed",
            "finishedAt",
            CanonicalValues.formatSeconds(now));
    JsonObject status = getOrAddChild(pod, "status");
    status.addProperty("phase", isFailure ? "Failed" : "Succeeded");
    status.add(
        "containerStatuses", listContainers(pod, newObject("terminated", terminated), false));
    StatusConditions.setCondition(pod, "Ready", "False");
    return pod;
  }

  private static JsonArray listContainers(JsonObject pod, JsonObject state, boolean isReady) {
    JsonArray statuses = new JsonArray();
    for (JsonObject container : SimulatedObjects.objectsAt(pod, "spec", "containers")) {
      JsonObject status = newObject("name", textAt(container, "name"));
      status.add("state", state.deepCopy());
      status.addProperty("ready", isReady);
      statuses.add(status);
    }
    return statuses;
  }
}
