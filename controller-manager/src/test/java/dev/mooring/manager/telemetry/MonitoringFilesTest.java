package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Alerts and dashboard use only metrics of {@code docs/metrics.md}, which {@link MetricsPageTest}
 * compares with the code.
 */
class MonitoringFilesTest {
  private static final String PROMTOOL = "promtool";
  private static final Path FOLDER = Path.of("..", "deploy", "monitoring");
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\| (\\w+) \\|");
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
  private static final Pattern NOT_CODE = Pattern.compile("\"[^\"]*\"|\\[[^]]*]");

  /**
   * Parts of a query that are not metrics: labels in braces or after by, functions before a
   * parenthesis.
   */
  private static final Pattern LABELS =
      Pattern.compile("\\{[^}]*}|\\b(?:by|without)\\s*\\([^)]*\\)");

  private static final Pattern WORD = Pattern.compile("\\b([a-zA-Z_]\\w*)\\b(?!\\s*\\()");

  private static Set<String> exportedNames() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      Matcher name = QUOTED.matcher(row.group(1));
      while (name.find()) {
        if (row.group(2).equals("histogram")) {
          names.addAll(
              List.of(name.group(1) + "_bucket", name.group(1) + "_sum", name.group(1) + "_count"));
        } else {
          names.add(name.group(1));
        }
      }
    }
    return names;
  }

  private static Set<String> queriedNames(List<String> queries) {
    Set<String> names = new TreeSet<>();
    for (String query : queries) {
      String expression = LABELS.matcher(NOT_CODE.matcher(query).replaceAll("")).replaceAll("");
      Matcher word = WORD.matcher(expression);
      while (word.find()) {
        names.add(word.group(1));
      }
    }
    return names;
  }

  /** Returns the page of this checkout that the published page is made of. */
  private static Path runbook(String url) {
    assertThat(url).startsWith("https://mooring.dev/docs/");
    String page = url.substring("https://mooring.dev/docs/".length()).replaceAll("#.*", "");
    return Path.of("..", "docs", page + ".md");
  }

  private static List<Map<?, ?>> rules() throws IOException {
    Map<?, ?> file =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(Files.readString(FOLDER.resolve("alerts.yaml")));
    List<Map<?, ?>> rules = new ArrayList<>();
    for (Object group : (List<?>) file.get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        rules.add((Map<?, ?>) rule);
      }
    }
    return rules;
  }

  private static List<String> queriesOfDashboard() throws IOException {
    JsonObject dashboard =
        JsonParser.parseString(Files.readString(FOLDER.resolve("dashboard.json")))
            .getAsJsonObject();
    List<String> queries = new ArrayList<>();
    for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
      for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
        queries.add(target.getAsJsonObject().get("expr").getAsString());
      }
    }
    return queries;
  }

  @Test
  void alerts_queriedMetrics_exist() throws IOException {
    List<String> queries = rules().stream().map(rule -> (String) rule.get("expr")).toList();
    assertThat(queriedNames(queries)).hasSizeGreaterThan(5).isSubsetOf(exportedNames());
  }

  @Test
  void alerts_everyRule_hasDescription() throws IOException {
    assertThat(rules())
        .isNotEmpty()
        .allSatisfy(rule -> {
          assertThat(rule.get("alert")).asString().startsWith("Mooring");
          Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
          assertThat(annotations.get("summary")).asString().isNotBlank();
          assertThat(annotations.get("description")).asString().isNotBlank();
          assertThat(runbook((String) annotations.get("runbook_url"))).exists();
        });
  }

  @Test
  void alerts_checkedByPromtool_areValid() throws Exception {
    String success = "SUCCESS: " + rules().size() + " rules";
    assertThat(runPromtool("", "check", "rules", FOLDER.resolve("alerts.yaml").toString()))
        .anyMatch(line -> line.contains(success));
  }

  /** Kubernetes chose the names of the other metrics. */
  @Test
  void metricsOfMooring_checkedByPromtool_haveNoFinding() throws Exception {
    StringBuilder exposition = new StringBuilder();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      Matcher name = QUOTED.matcher(row.group(1));
      while (name.find()) {
        String value = row.group(2).equals("histogram") ? "_bucket{le=\"+Inf\"} 0" : " 0";
        exposition.append(
            "# HELP %1$s Help.\n# TYPE %1$s %2$s\n%1$s%3$s\n"
                .formatted(name.group(1), row.group(2), value));
      }
    }
    assertThat(exposition.toString()).contains("# TYPE mooring_");
    List<String> findings = runPromtool(exposition.toString(), "check", "metrics");
    assertThat(findings)
        .as("promtool reads the metrics")
        .anyMatch(line -> line.startsWith("pv_collector_bound_pv_count "));
    assertThat(findings).noneMatch(line -> line.startsWith("mooring_"));
  }

  private static List<String> runPromtool(String input, String... args) throws Exception {
    assumeThat(isOnPath(PROMTOOL)).as("promtool is installed").isTrue();
    List<String> command = new ArrayList<>(List.of(PROMTOOL));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (Writer stdin = process.outputWriter()) {
      stdin.write(input);
    }
    return process.inputReader().lines().toList();
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  @Test
  void dashboard_queriedMetrics_exist() throws IOException {
    assertThat(queriedNames(queriesOfDashboard()))
        .hasSizeGreaterThan(10)
        .isSubsetOf(exportedNames());
  }

  @Test
  void queriedNames_unknownMetric_isFound() {
    assertThat(
            queriedNames(List.of("sum by (a, b) (rate(mooring_nothing_total{c=\"d\"}[5m])) > 1")))
        .containsExactly("mooring_nothing_total");
  }
}
