package dev.mooring.it.contract;

import com.google.gson.JsonParser;
import dev.mooring.it.Resources;
import dev.mooring.it.ServerEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Recorded responses of a Kubernetes API server, for tests that have a server. */
public final class RecordedCases {
  private RecordedCases() {}

  public static List<String> cases() throws IOException {
    try (Stream<Path> files = Files.list(Resources.path("api-contract"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".json"))
          .map(file -> file.replace(".json", ""))
          .sorted()
          .toList();
    }
  }

  /** Cases in which the embedded server's responses differ. */
  static Set<String> exceptions() throws IOException {
    return Files.readAllLines(Resources.path("contract-exceptions.txt")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" ", 2)[0])
        .collect(Collectors.toSet());
  }

  /** Returns the differences between a server's responses and the recorded ones. */
  public static List<String> differences(String name, ServerEndpoint server) throws Exception {
    String text = Files.readString(Resources.path("api-contract/" + name + ".json"));
    return new CaseRun(server, JsonParser.parseString(text).getAsJsonObject()).run();
  }
}
