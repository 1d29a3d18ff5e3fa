package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Compares the text of explanations with golden files. {@code -Dmooring.write=golden} rewrites the
 * files; review them before a commit. The cases {@code skip-NN} are the thirteen places where
 * Kubernetes' matcher skips a volume silently.
 */
@Isolated("replaces the standard streams")
class ExplainTextTest {
  private static final Path CASES_FOLDER = Path.of("src", "test", "resources", "explain");
  private static final int WIDTH = 80;

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> explanation_eachCase_matchesGoldenText() throws IOException {
    JsonArray testCases =
        JsonParser.parseString(Files.readString(CASES_FOLDER.resolve("cases.json")))
            .getAsJsonArray();
    return StreamSupport.stream(testCases.spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .map(testCase -> dynamicTest(testCase.get("name").getAsString(), () -> play(testCase)));
  }

  private void play(JsonObject testCase) throws Exception {
    String name = testCase.get("name").getAsString();
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve(name), server.kubeconfig());
      new CaseObjects(new RestApi(server.url(), "")).create(testCase.getAsJsonArray("objects"));
      CommandResult result =
          CommandResult.ofExplain(
              kubeconfig, Resources.plugins(), testCase.get("ask").getAsString());
      assertThat(result.errors()).isEmpty();
      String text =
          result
              .out()
              .replaceAll("for \\d+[smhd]", "for AGE")
              .replaceAll("\\d+[smhd] ago", "AGE ago");
      Path golden = CASES_FOLDER.resolve(name + ".txt");
      if (System.getProperty("mooring.write", "").equals("golden")) {
        Files.writeString(golden, text);
      }
      assertThat(text).isEqualTo(Files.readString(golden));
      assertThat(text.lines()).allMatch(line -> line.length() <= WIDTH);
      assertThat(result.code()).isEqualTo(testCase.get("code").getAsInt());
    }
  }
}
