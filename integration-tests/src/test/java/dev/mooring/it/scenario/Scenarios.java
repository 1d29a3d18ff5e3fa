package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.Api;
import dev.mooring.it.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The recorded scenarios, for whoever has an API server. */
public final class Scenarios {
  private static final String OURS = "recorded/";

  private Scenarios() {}

  /** The names of those that must pass. */
  public static List<String> passing() throws IOException {
    return Files.readAllLines(Resources.path("scenarios-passing.txt")).stream()
        .filter(l -> !l.isBlank() && !l.startsWith("#"))
        .toList();
  }

  /** Of those, what {@code -Dmooring.scenarios=PREFIX} asks for; all, without it. */
  static List<String> chosen(List<String> names) {
    String chosen = System.getProperty("mooring.scenarios", "");
    return names.stream()
        .filter(n -> List.of("", "all", "passing").contains(chosen) || n.startsWith(chosen))
        .toList();
  }

  /** The names of those that were recorded for this project. */
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

  /** How many there are. */
  public static int count() throws IOException {
    return passing().size() + ours().size();
  }

  static JsonObject read(String file) throws IOException {
    boolean ours = Scenarios.class.getResource("/" + OURS + file) != null;
    return JsonParser.parseString(
            Files.readString(Resources.path((ours ? OURS : "conformance/") + file)))
        .getAsJsonObject();
  }

  /** How Kubernetes ends that scenario. */
  static JsonObject golden(String name) throws IOException {
    return read("golden/" + name.replace("/", "__") + ".json");
  }

  /** Every object that a scenario creates. */
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
   * Plays one with {@code --compat=kcm}.
   *
   * @param quiet for how many seconds nothing has to change until it counts as settled
   * @return where its end differs from the recorded one
   */
  public static List<String> play(String name, Api api, Path kubeconfig, double quiet)
      throws Exception {
    return play(name, api, kubeconfig, quiet, () -> {});
  }

  /** The same, with a look at the end, while the controllers still run. */
  static List<String> play(
      String name, Api api, Path kubeconfig, double quiet, ScenarioRun.Ending ending)
      throws Exception {
    JsonObject scenario = read("scenarios/" + name + ".json");
    JsonObject golden = golden(name);
    JsonObject got =
        new ScenarioRun(api, new InProcess(kubeconfig, Resources.plugins()), quiet)
            // what is tried again after a back-off may be still to come, on a slow machine
            .ending(() -> {}, end -> differences(scenario, golden, end).isEmpty())
            .endingWith(ending)
            .play(scenario);
    return differences(scenario, golden, got);
  }

  private static List<String> differences(JsonObject scenario, JsonObject golden, JsonObject end) {
    return Golden.differences(golden, end, scenario.get("ignore"));
  }
}
