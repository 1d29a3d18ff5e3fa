package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The recorded scenarios, for tests that have an API server. */
public final class Scenarios {
  private static final String PROJECT_FOLDER = "recorded/";
  private static final String SOURCED_FOLDER = "from-source/";

  /**
   * Recorded events that depend on the order in which a controller receives two objects, by
   * scenario file.
   */
  private static final Map<String, String> RACING_EVENTS =
      Map.of(
          // only a binder that processes the claim before its volume is Available emits it
          "scenarios/attach/generic-ephemeral-volume.json",
          "events.PersistentVolumeClaim/p1-scratch Normal FailedBinding",
          // only a binder that processes the claim before the change of its volume emits it
          "scenarios/misc/retained-volume-is-given-on-while-attached.json",
          "events.PersistentVolumeClaim/c2 Warning ProvisioningFailed");

  private Scenarios() {}

  public static List<String> passing() throws IOException {
    return Files.readAllLines(Resources.path("scenarios-passing.txt")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /** Returns the scenarios selected by {@code -Dmooring.scenarios=PREFIX}; all without it. */
  static List<String> selectByProperty(List<String> names) {
    String prefix = System.getProperty("mooring.scenarios", "");
    return names.stream()
        .filter(name -> List.of("", "all", "passing").contains(prefix) || name.startsWith(prefix))
        .toList();
  }

  static List<String> projectScenarios() throws IOException {
    return namesIn(PROJECT_FOLDER);
  }

  /** Returns the scenarios whose end states were written from Kubernetes' sources. */
  static List<String> sourcedScenarios() throws IOException {
    return namesIn(SOURCED_FOLDER);
  }

  private static List<String> namesIn(String folder) throws IOException {
    Path scenarioFolder = Resources.path(folder + "scenarios");
    try (Stream<Path> files = Files.walk(scenarioFolder)) {
      return files
          .map(file -> scenarioFolder.relativize(file).toString())
          .filter(file -> file.endsWith(".json"))
          .map(file -> file.substring(0, file.length() - ".json".length()))
          .sorted()
          .toList();
    }
  }

  public static int count() throws IOException {
    return passing().size() + projectScenarios().size();
  }

  static JsonObject read(String file) throws IOException {
    String folder =
        Stream.of(PROJECT_FOLDER, SOURCED_FOLDER)
            .filter(candidate -> Scenarios.class.getResource("/" + candidate + file) != null)
            .findFirst()
            .orElse("conformance/");
    JsonObject content =
        JsonParser.parseString(Files.readString(Resources.path(folder + file))).getAsJsonObject();
    if (RACING_EVENTS.get(file) instanceof String event) {
      JsonArray ignoredPaths =
          content.get("ignore") instanceof JsonArray paths ? paths : new JsonArray();
      ignoredPaths.add(event);
      content.add("ignore", ignoredPaths);
    }
    return content;
  }

  /** Returns Kubernetes' end state of the scenario. */
  static JsonObject readEndState(String name) throws IOException {
    return read("golden/" + name.replace("/", "__") + ".json");
  }

  /** Returns every object that a scenario creates. */
  public static List<JsonObject> objects(String name) throws IOException {
    JsonObject scenario = read("scenarios/" + name + ".json");
    List<JsonObject> allObjects = new ArrayList<>();
    if (scenario.get("objects") instanceof JsonArray objects) {
      objects.forEach(object -> allObjects.add(object.getAsJsonObject()));
    }
    if (scenario.get("steps") instanceof JsonArray steps) {
      for (JsonElement step : steps) {
        if (step.getAsJsonObject().get("create") instanceof JsonObject createdObject) {
          allObjects.add(createdObject);
        }
      }
    }
    allObjects.removeIf(object -> object.getAsJsonObject("metadata").get("name") == null);
    return allObjects;
  }

  /**
   * Plays a scenario with {@code --compat=kcm}.
   *
   * @param quietSeconds seconds without a change that count as settled
   * @return the differences from the recorded end state
   */
  public static List<String> play(String name, RestApi api, Path kubeconfig, double quietSeconds)
      throws Exception {
    return play(name, api, kubeconfig, quietSeconds, () -> {});
  }

  /** Plays a scenario and calls {@code endCheck} while the controllers still run. */
  static List<String> play(
      String name,
      RestApi api,
      Path kubeconfig,
      double quietSeconds,
      ScenarioRun.StateCheck endCheck)
      throws Exception {
    return play(
        name,
        api,
        new InProcessController(kubeconfig, Resources.plugins()),
        quietSeconds,
        endCheck);
  }

  static List<String> play(
      String name,
      RestApi api,
      RunningController controller,
      double quietSeconds,
      ScenarioRun.StateCheck endCheck)
      throws Exception {
    JsonObject scenario = read("scenarios/" + name + ".json");
    JsonObject recordedState = readEndState(name);
    JsonObject endState =
        new ScenarioRun(api, controller, quietSeconds)
            // on a slow machine a retry after a back-off may be outstanding
            .expectingEnd(
                () -> {},
                candidate -> findDifferences(scenario, recordedState, candidate).isEmpty())
            .verifyingEnd(endCheck)
            .play(scenario);
    return findDifferences(scenario, recordedState, endState);
  }

  static List<String> findDifferences(
      JsonObject scenario, JsonObject recordedState, JsonObject endState) {
    return GoldenComparison.findDifferences(recordedState, endState, scenario.get("ignore"));
  }
}
