package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The recorded answers of a Kubernetes 1.36 API server, compared with the embedded server's. The
 * exceptions, each with its reason, are in {@code contract-exceptions.txt}; one that has come right
 * fails, so that the list stays true. With {@code -Dmooring.server=URL} (and {@code
 * -Dmooring.token}) another server is asked instead.
 */
class ContractTest {
  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    Set<String> exceptions =
        Files.readAllLines(Resources.path("contract-exceptions.txt")).stream()
            .filter(l -> !l.isBlank() && !l.startsWith("#"))
            .map(l -> l.split(" ", 2)[0])
            .collect(Collectors.toSet());
    List<Path> files;
    try (Stream<Path> found = Files.list(Resources.path("api-contract"))) {
      files = found.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
    return files.stream()
        .map(file -> {
          String name = file.getFileName().toString().replace(".json", "");
          return dynamicTest(name, () -> check(file, exceptions.contains(name)));
        });
  }

  private static void check(Path file, boolean isException) throws Exception {
    JsonObject testCase = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    String server = System.getProperty("mooring.server", "");
    if (!server.isEmpty()) {
      assertThat(new CaseRun(server, System.getProperty("mooring.token", ""), testCase).run())
          .isEmpty();
      return;
    }
    try (ApiServer embedded = ApiServer.start(new ApiServer.Config(0, "tok", null))) {
      List<String> differences = new CaseRun(embedded.url(), "tok", testCase).run();
      if (isException) {
        assertThat(differences).as("listed as an exception, but right").isNotEmpty();
      } else {
        assertThat(differences).isEmpty();
      }
    }
  }
}
