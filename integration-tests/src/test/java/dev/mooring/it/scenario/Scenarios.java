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
import java.util.stream.Stream;

/** The recorded scenarios, for tests that have an API server. */
public final class Scenarios {
  private static final String OURS = "recorded/";

  private Scenarios() {}

  public static List<String> passing() throws IOException {
    return Files.readAllLines(Resources.path("scenarios-passing.txt")).stream()
        .filter(l -> !l.isBlank() && !l.startsWith("#"))
        .toList();
  }

  /** Returns the scenarios selected by {@code -Dmooring.scenarios=PREFIX}; all without it. */
  static List<String> chosen(List<String> names) {
    String chosen = System.getProperty("mooring.scenarios", "");
    return names.stream()
        .filter(n -> List.of("", "all", "passing").contains(chosen) || n.startsWith(chosen))
        .toList();
  }

  static List<String> ours() throws IOException {
    Path all = Resources.path(OURS + "scenarios");
    try (Stream<Path> files = Files.walk(all)) {
      return files
          .map(f -> all.relativize(f).toString())
          .filter(f -> f.endsWith(".json"))
          .map(f -> f.substring(0, f.length() - ".json".length()))
          .sorted()
          .toList();
    }
  }

  public static int count() throws IOException {
    return passing().size() + ours().size();
  }

  static JsonObject read(String file) throws IOException {
    boolean ours = Scenarios.class.getResource("/" + OURS + file) != null;
    return JsonParser.parseString(
            Files.readString(Resources.path((ours ? OURS : "conformance/") + file)))
        .getAsJsonObject();
  }

  /** Returns Kubernetes' end state of the scenario. */
  static JsonObject golden(String name) throws IOException {
    return read("golden/" + name.replace("/", "__") + ".json");
  }

  /** Returns every object that a scenario creates. */
  public static List<JsonObject> objects(String name) throws IOException {
    JsonObject scenario = read("scenarios/" + name + ".json");
    List<JsonObject> all = new ArrayList<>();
    if (scenario.get("objects") instanceof JsonArray objects) {
      objects.forEach(object -> all.add(object.getAsJsonObject()));
    }
    if (scenario.get("steps") instanceof JsonArray steps) {
      for (JsonElement step : steps) {
        if (step.getAsJsonObject().get("create") instanceof JsonObject made) {
          all.add(made);
        }
      }
    }
    all.removeIf(object -> object.getAsJsonObject("metadata").get("name") == null);
    return all;
  }

  /**
   * Plays a scenario with {@code --compat=kcm}.
   *
   * @param quiet seconds without a change that count as settled
   * @return the differences from the recorded end state
   */
  public static List<String> play(String name, RestApi api, Path kubeconfig, double quiet)
      throws Exception {
    return play(name, api, kubeconfig, quiet, () -> {});
  }

  /** Plays a scenario and calls {@code ending} while the controllers still run. */
  static List<String> play(
      String name, RestApi api, Path kubeconfig, double quiet, ScenarioRun.Ending ending)
      throws Exception {
    JsonObject scenario = read("scenarios/" + name + ".json");
    JsonObject golden = golden(name);
    JsonObject got =
        new ScenarioRun(api, new InProcessController(kubeconfig, Resources.plugins()), quiet)
            // on a slow machine a retry after a back-off may be outstanding
            .ending(() -> {}, end -> differences(scenario, golden, end).isEmpty())
            .endingWith(ending)
            .play(scenario);
    return differences(scenario, golden, got);
  }

  private static List<String> differences(JsonObject scenario, JsonObject golden, JsonObject end) {
    return GoldenComparison.differences(golden, end, scenario.get("ignore"));
  }
}
