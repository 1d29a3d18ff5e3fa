package dev.mooring.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the answers of the console with the examples and fields of docs/console-api.md. */
class ConsoleApiPageTest {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "(?ms)^```\\n\\$ curl -s '?127\\.0\\.0\\.1:10288(\\S+?)'? \\| jq (\\S+)\\n(.*?)^```$");
  private static final Pattern STEP = Pattern.compile("\\.(\\w+)|\\[(\\d+)]");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
  private static final Pattern CODE = Pattern.compile("`(\\w+)`");
  private static final Set<String> OF_ALL = Set.of("apiVersion", "kind");
  private static final String ADDRESS_PREFIX = "console at ";

  @TempDir private Path folder;

  private static String readPage() throws Exception {
    return Files.readString(DocumentedCommand.ROOT.resolve("docs/console-api.md"));
  }

  private static JsonElement get(HttpClient client, String url) throws Exception {
    return JsonParser.parseString(
        client
            .send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString())
            .body());
  }

  /** Evaluates paths of jq, for example {@code .items[0].name,.found}. */
  private static String select(JsonElement document, String filter) {
    List<String> lines = new ArrayList<>();
    for (String path : filter.split(",")) {
      JsonElement element = document;
      for (MatchResult step : STEP.matcher(path).results().toList()) {
        element =
            step.group(1) == null
                ? element.getAsJsonArray().get(Integer.parseInt(step.group(2)))
                : element.getAsJsonObject().get(step.group(1));
      }
      lines.add(GSON.toJson(element) + "\n");
    }
    return String.join("", lines);
  }

  private static Set<String> fields(JsonElement object) {
    return object.getAsJsonObject().keySet().stream()
        .filter(name -> !OF_ALL.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the names in the first column of the table with a head, in a section of the page. */
  private static Set<String> documentedFields(String page, String section, String head) {
    String text = page.substring(page.indexOf("\n## " + section + "\n") + 1).split("\n## ", 2)[0];
    assertThat(text).contains("\n| " + head + " |");
    String table = text.substring(text.indexOf("\n| " + head + " |") + 1).split("\n\n", 2)[0];
    return ROW.matcher(table)
        .results()
        .flatMap(row -> CODE.matcher(row.group(1)).results())
        .map(name -> name.group(1))
        .filter(name -> !OF_ALL.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void createObjects(RestApi api) throws Exception {
    for (String object : DocsCommandsTest.OBJECTS) {
      api.create(JsonParser.parseString(object).getAsJsonObject());
    }
  }

  @Test
  void examplesAndFields_ofConsoleApiPage_matchAnswers() throws Exception {
    String page = readPage();
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        HttpClient client = HttpClient.newHttpClient()) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      createObjects(new RestApi(server.url(), ""));
      try (JavaProcess console =
          JavaProcess.startMooring(
              "console", "--kubeconfig=" + kubeconfig, "--listen=127.0.0.1:0")) {
        String line = console.awaitLine(output -> output.contains(ADDRESS_PREFIX));
        String url =
            line.substring(line.indexOf(ADDRESS_PREFIX) + ADDRESS_PREFIX.length())
                .split("/console/", 2)[0];
        TestWait.until(
            () -> console.output().toString(),
            () -> {
              JsonObject overview = get(client, url + "/console/overview.json").getAsJsonObject();
              return !overview.getAsJsonArray("causes").isEmpty();
            });
        int examples = 0;
        for (MatchResult example : EXAMPLE.matcher(page).results().toList()) {
          JsonElement answer = get(client, url + example.group(1));
          assertThat(select(answer, example.group(2)))
              .as(example.group(1))
              .isEqualTo(example.group(3));
          examples++;
        }
        assertThat(examples).isGreaterThan(6);
        compareFields(page, client, url + "/console/");
      }
    }
  }

  private static void compareFields(String page, HttpClient client, String url) throws Exception {
    JsonObject overview = get(client, url + "overview.json").getAsJsonObject();
    JsonObject waiting = get(client, url + "waiting.json").getAsJsonObject();
    JsonObject object = get(client, url + "claims/shop/data.json").getAsJsonObject();
    String document = "Field of the document";
    assertThat(fields(overview)).isEqualTo(documentedFields(page, "Overview", document));
    assertThat(fields(overview.getAsJsonArray("causes").get(0)))
        .isEqualTo(documentedFields(page, "Overview", "Field of a cause"));
    assertThat(fields(waiting)).isEqualTo(documentedFields(page, "Waiting objects", document));
    assertThat(fields(waiting.getAsJsonArray("items").get(0)))
        .isEqualTo(documentedFields(page, "Waiting objects", "Field of an item"));
    assertThat(fields(object)).isEqualTo(documentedFields(page, "Objects", document));
    Map<String, String> columns =
        Pattern.compile("(?m)^\\| `(\\w+)` \\| (`.*`) \\|$")
            .matcher(
                page.split("\n## Lists\n", 2)[1].split("\n## ", 2)[0].split("\\| List \\|", 2)[1])
            .results()
            .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
    assertThat(columns.keySet()).isEqualTo(overview.getAsJsonObject("objects").keySet());
    for (Map.Entry<String, String> kind : columns.entrySet()) {
      JsonObject list = get(client, url + kind.getKey() + ".json").getAsJsonObject();
      assertThat(fields(list)).isEqualTo(documentedFields(page, "Lists", document));
      if (!list.getAsJsonArray("items").isEmpty()) {
        Set<String> expected =
            CODE.matcher(kind.getValue())
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        expected.addAll(Set.of("namespace", "name", "created", "waits"));
        assertThat(fields(list.getAsJsonArray("items").get(0)))
            .as(kind.getKey())
            .isEqualTo(expected);
      }
    }
  }
}
