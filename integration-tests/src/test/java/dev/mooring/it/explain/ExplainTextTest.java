package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Compares explanations for people, case by case. {@code -Dmooring.write=golden} rewrites the
 * texts, to be reviewed before they are committed. {@code skip-NN} are the thirteen places where
 * Kubernetes' matcher skips a volume silently.
 */
@Isolated("replaces the standard streams")
@Timeout(300)
class ExplainTextTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "explain");
  private static final int WIDTH = 80;

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> explanation_eachCase_matchesGoldenText() throws IOException {
    JsonArray cases =
        JsonParser.parseString(Files.readString(FOLDER.resolve("cases.json"))).getAsJsonArray();
    return StreamSupport.stream(cases.spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .map(one -> dynamicTest(one.get("name").getAsString(), () -> play(one)));
  }

  private void play(JsonObject one) throws Exception {
    String name = one.get("name").getAsString();
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve(name), server.kubeconfig());
      new CaseObjects(new RestApi(server.url(), "")).create(one.getAsJsonArray("objects"));
      ExplainResult asked =
          ExplainResult.of(kubeconfig, Resources.plugins(), one.get("ask").getAsString());
      assertThat(asked.errors()).isEmpty();
      String text =
          asked
              .out()
              .replaceAll("for \\d+[smhd]", "for AGE")
              .replaceAll("\\d+[smhd] ago", "AGE ago");
      Path golden = FOLDER.resolve(name + ".txt");
      if (System.getProperty("mooring.write", "").equals("golden")) {
        Files.writeString(golden, text);
      }
      assertThat(text).isEqualTo(Files.readString(golden));
      assertThat(text.lines()).allMatch(line -> line.length() <= WIDTH);
      assertThat(asked.code()).isEqualTo(one.get("code").getAsInt());
    }
  }
}
