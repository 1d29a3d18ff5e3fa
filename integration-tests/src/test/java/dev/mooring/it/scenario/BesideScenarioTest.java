package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plays the scenarios of {@code provision/} that name an external provisioner, with a plugin in
 * {@code --mode=beside} as that provisioner. No binder runs: its recorded states are written when
 * their time has come. The volume that was created by hand in the recording must come from the
 * plugin. The end state equals the recorded one, and the plugin emits exactly the events of the
 * row; a dash means that the plugin starts after the last step.
 */
class BesideScenarioTest {
  private static final String PLUGIN =
      """
      package com.example;

      import dev.mooring.model.*;
      import dev.mooring.spi.*;
      import java.util.*;

      public final class CLASS implements VolumePlugin {
        @Override
        public String name() {
          return "NAME";
        }

        @Override
        public boolean supports(VolumeSource source) {
          return source.type().equals("csi") && source.attribute("driver").equals("NAME");
        }

        @Override
        public Optional<Provisioner> provisioner() {
          return Optional.of(request -> Attempt.done(new Provisioner.Provisioned(
              VolumeSource.csi("NAME", "h1"), request.capacity(), request.accessModes(), Map.of())));
        }
      }
      """;

  @TempDir private Path folder;

  private Path writePlugins() throws IOException {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    for (String[] plugin :
        new String[][] {{"Lab", "csi.lab.example.com"}, {"Ebs", "ebs.csi.aws.com"}}) {
      PluginJarBuilder.at(plugins.resolve(plugin[0] + ".jar"))
          .withPlugin(
              "com.example." + plugin[0],
              PLUGIN.replace("CLASS", plugin[0]).replace("NAME", plugin[1]))
          .write();
    }
    return plugins;
  }

  private static JsonObject readJson(String file) throws IOException {
    return JsonParser.parseString(Files.readString(Resources.path("conformance/" + file)))
        .getAsJsonObject();
  }

  /** Derives Kubernetes' writes from the recorded end state. */
  private static JsonArray deriveSteps(JsonObject scenario, JsonObject golden) {
    JsonArray steps = new JsonArray();
    for (JsonElement object : scenario.getAsJsonArray("objects")) {
      if (isA("PersistentVolume", object)) {
        steps.add(annotationStep(object.getAsJsonObject(), findRecorded(golden, object), ""));
      }
    }
    for (JsonElement step : scenario.getAsJsonArray("steps")) {
      JsonElement createdObject = step.getAsJsonObject().get("create");
      if (createdObject != null && isA("PersistentVolume", createdObject)) {
        addBindingSteps(steps, golden, createdObject.getAsJsonObject());
        continue;
      }
      steps.add(step);
      if (createdObject != null) {
        steps.add(
            annotationStep(
                createdObject.getAsJsonObject(), findRecorded(golden, createdObject), "volume."));
      }
    }
    return steps;
  }

  /**
   * Returns the paths that the scenario ignores, and Mooring's timestamp annotation
   * (differences.md).
   */
  private static JsonArray ignoredPaths(JsonObject scenario) {
    JsonArray paths = new JsonArray();
    if (scenario.get("ignore") instanceof JsonArray scenarioPaths) {
      paths.addAll(scenarioPaths);
    }
    JsonArray creationTimePath = new JsonArray();
    List.of("persistentvolumes", "*", "meta", "annotations", VolumeOrigin.MADE_AT)
        .forEach(creationTimePath::add);
    paths.add(creationTimePath);
    return paths;
  }

  private static boolean isA(String kind, JsonElement object) {
    return object.getAsJsonObject().get("kind").getAsString().equals(kind);
  }

  private static JsonObject findRecorded(JsonObject golden, JsonElement object) {
    String name = object.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString();
    return isA("PersistentVolume", object)
        ? golden.getAsJsonObject("persistentvolumes").getAsJsonObject(name)
        : golden.getAsJsonObject("persistentvolumeclaims").getAsJsonObject("default/" + name);
  }

  private static JsonObject annotations(JsonObject metadata) {
    return metadata.has("annotations") ? metadata.getAsJsonObject("annotations") : new JsonObject();
  }

  /** Returns the annotations that Kubernetes added and removed. */
  private static JsonObject annotationStep(JsonObject object, JsonObject recorded, String prefix) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    JsonObject recordedAnnotations = annotations(recorded.getAsJsonObject("meta"));
    JsonObject patch = new JsonObject();
    annotations(metadata).keySet().forEach(key -> patch.add(key, JsonNull.INSTANCE));
    recordedAnnotations.entrySet().stream()
        .filter(annotation -> annotation.getKey().startsWith(prefix))
        .forEach(annotation -> patch.add(annotation.getKey(), annotation.getValue()));
    JsonObject body = new JsonObject();
    JsonObject patchedMetadata = new JsonObject();
    patchedMetadata.add("annotations", patch);
    body.add("metadata", patchedMetadata);
    return patchStep(
        object.get("kind").getAsString(), metadata.get("name").getAsString(), "", body);
  }

  private static JsonObject patchStep(
      String kind, String name, String subresource, JsonObject body) {
    JsonObject patch = new JsonObject();
    patch.addProperty("kind", kind);
    patch.addProperty("name", name);
    patch.addProperty("sub", subresource);
    patch.add("body", body);
    JsonObject step = new JsonObject();
    step.add("patch", patch);
    return step;
  }

  /** Waits for the volume and binds it as recorded. */
  private static void addBindingSteps(JsonArray steps, JsonObject golden, JsonObject volume) {
    String name = volume.getAsJsonObject("metadata").get("name").getAsString();
    JsonObject volumeGoal = new JsonObject();
    volumeGoal.addProperty("kind", "PersistentVolume");
    volumeGoal.addProperty("name", name);
    JsonObject waitStep = new JsonObject();
    waitStep.add("wait", volumeGoal);
    steps.add(waitStep);
    JsonObject boundStatus = new JsonObject();
    boundStatus.add("status", JsonParser.parseString("{\"phase\": \"Bound\"}"));
    steps.add(patchStep("PersistentVolume", name, "status", boundStatus));
    golden
        .getAsJsonObject("persistentvolumeclaims")
        .asMap()
        .forEach((key, recorded) -> {
          JsonObject state = recorded.getAsJsonObject();
          JsonObject body = new JsonObject();
          JsonObject metadata = new JsonObject();
          metadata.add("annotations", annotations(state.getAsJsonObject("meta")));
          body.add("metadata", metadata);
          JsonObject spec = new JsonObject();
          spec.addProperty("volumeName", name);
          body.add("spec", spec);
          String claim = key.substring(key.indexOf('/') + 1);
          steps.add(patchStep("PersistentVolumeClaim", claim, "", body));
          JsonObject statusPatch = new JsonObject();
          statusPatch.add("status", state.get("status"));
          steps.add(patchStep("PersistentVolumeClaim", claim, "status", statusPatch));
        });
  }

  private static JsonArray startLate(JsonArray steps) {
    JsonArray lateSteps = new JsonArray();
    lateSteps.add(JsonParser.parseString("{\"stop\": true}"));
    lateSteps.addAll(steps);
    lateSteps.add(JsonParser.parseString("{\"start\": true}"));
    return lateSteps;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          external                      | Provisioning, ProvisioningFailed
          external-volume-delivered     | Provisioning, ProvisioningSucceeded
          class-deleted-meanwhile       | -
          dynamic-provisioning-disabled |
          migrated-in-tree-class        |
          """)
  void scenario_pluginBesideBinder_endsAsRecorded(String name, String reasons) throws Exception {
    JsonObject scenario = readJson("scenarios/provision/" + name + ".json");
    JsonObject golden = readJson("golden/provision__" + name + ".json");
    JsonArray steps = deriveSteps(scenario, golden);
    if ("-".equals(reasons)) { // the recording had no provisioner until then
      steps = startLate(steps);
    }
    scenario.add("steps", steps);
    scenario.remove("flags"); // flags of kube-controller-manager
    JsonArray events = new JsonArray();
    for (String reason :
        reasons == null || reasons.equals("-") ? new String[0] : reasons.split(", ")) {
      String type = reason.endsWith("Failed") ? "Warning" : "Normal";
      events.add("PersistentVolumeClaim/c " + type + " " + reason);
    }
    golden.add("events", events);
    Path auditLog = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      JsonObject endState =
          new ScenarioRun(
                  RestApi.of(server, ""),
                  new InProcessController(kubeconfig, writePlugins(), List.of("--mode=beside")),
                  ScenarioTest.QUIET_SECONDS)
              .verifyingEnd(() -> ScenarioTest.permitRecycling(auditLog).verify(QuietCheck.WINDOW))
              .play(scenario);
      assertThat(GoldenComparison.findDifferences(golden, endState, ignoredPaths(scenario)))
          .as(scenario.get("about").getAsString())
          .isEmpty();
    }
  }
}
