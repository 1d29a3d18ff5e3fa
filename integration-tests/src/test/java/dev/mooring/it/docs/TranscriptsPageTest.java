package dev.mooring.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares docs/transcripts.md with the output of the commands in a terminal of 80 columns. {@code
 * -Dmooring.write=docs} writes the page.
 */
class TranscriptsPageTest {
  private static final Path PAGE = DocumentedCommand.ROOT.resolve("docs/transcripts.md");
  private static final int COLUMNS = 80;
  private static final String SCRIPT = "/usr/bin/script";

  private static final String HEAD =
      """
      # Output of frequent commands

      This page shows what the commands print in a terminal of 80 columns. In a pipe, a row of a table stays one line.

      The cluster has a claim without a suitable volume, three claims with a misspelled class, and an attachment of an absent driver.
      """;

  /** Commands and the sentences above them. */
  private static final Map<String, String> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("help", "All commands:");
    COMMANDS.put("explain -A", "Everything that waits, by cause ([explain.md](explain.md)):");
    COMMANDS.put("explain pvc/data -n shop", "One claim:");
    COMMANDS.put("explain pod/web-0 -n shop", "A pod:");
    COMMANDS.put("explain class/fast", "A class:");
    COMMANDS.put("rights -o table", "Rights of `mooring run` ([rights.md](rights.md)):");
    COMMANDS.put(
        "doctor", "Problems of the whole cluster ([checks](troubleshoot.md#check-the-cluster)):");
    COMMANDS.put("plugins", "Plugins ([plugins.md](plugins.md)):");
    COMMANDS.put(
        "timeline pvc/data -n shop --audit-log audit.log",
        "What happened to a claim ([audit.md](audit.md)):");
    COMMANDS.put("uninstall", "What Mooring wrote ([uninstall.md](uninstall.md)):");
  }

  private static final String CLAIM =
      "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '%s', 'namespace': 'shop'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'fsat', 'resources': {'requests': {'storage': '1Gi'}}}}";

  @TempDir private Path folder;

  private String runInTerminal(String kubeconfig) throws Exception {
    Files.writeString(folder.resolve("commands"), String.join("\n", COMMANDS.keySet()));
    Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
    Files.writeString(folder.resolve("audit.log"), DocsCommandsTest.AUDIT);
    String shell =
        "stty rows 24 cols %d; %s commands '--plugins=%s'"
            .formatted(COLUMNS, javaCommand(), Resources.plugins().toAbsolutePath());
    ProcessBuilder builder =
        new ProcessBuilder(SCRIPT, "-q", "-e", "-c", shell, "/dev/null")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "KUBECONFIG", "kubeconfig", "NO_COLOR", "1", "TERM", "xterm", "LC_ALL", "C.UTF-8"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.replace("\r\n", "\n");
  }

  /** Returns the command of the packaged program, with another main class. */
  private static String javaCommand() throws Exception {
    List<String> command = JavaProcess.command(List.of("-XX:TieredStopAtLevel=1"));
    String jar = command.getLast();
    Path tests =
        Path.of(TranscriptRunner.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Stream<String> flags = command.stream().limit(command.size() - 2); // without -jar
    return Stream.concat(
            flags,
            Stream.of("-cp", jar + File.pathSeparator + tests, TranscriptRunner.class.getName()))
        .map(word -> word.replace("=target/", "=" + Path.of("target").toAbsolutePath() + "/"))
        .map(word -> "'" + word + "'")
        .collect(Collectors.joining(" "));
  }

  /** Replaces values that differ between runs by values of the same width. */
  private static String hideChanges(String output) {
    return output
        .replaceAll("http://127\\.0\\.0\\.1:\\d+", "https://10.0.0.1")
        .replaceAll("answers in \\d+ ms", "answers in 9 ms")
        .replaceAll("the server's clock .*", "the server's clock differs by less than 2 s")
        .replaceAll("for \\d+[smh](?:\\d+[sm])?\\b", "for 9s")
        .replaceAll("Mooring development", "Mooring")
        .replaceAll("0\\.1\\.0-SNAPSHOT", "0.1.0");
  }

  private static String render(String output) {
    StringBuilder page = new StringBuilder(HEAD);
    for (String part : output.split("(?m)^\\$ mooring ")) {
      if (!part.isBlank()) {
        String command = part.lines().findFirst().orElseThrow();
        page.append(
            "\n%s\n\n```text\n$ mooring %s\n```\n".formatted(COMMANDS.get(command), part.strip()));
      }
    }
    return page.toString();
  }

  @Test
  void page_outputsInTerminal_areEqual() throws Exception {
    assumeThat(Path.of(SCRIPT)).as("script of util-linux is installed").isExecutable();
    String output;
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      RestApi api = new RestApi(server.url(), "");
      for (String object : DocsCommandsTest.OBJECTS) {
        api.create(JsonParser.parseString(object).getAsJsonObject());
      }
      for (String name : List.of("cache", "images", "logs")) {
        api.create(JsonParser.parseString(CLAIM.formatted(name)).getAsJsonObject());
      }
      output = hideChanges(runInTerminal(server.kubeconfig()));
    }
    assertThat(output.lines().filter(line -> line.length() > COLUMNS).toList()).isEmpty();
    String page = render(output);
    if (System.getProperty("mooring.write", "").equals("docs")) {
      Files.writeString(PAGE, page);
    }
    assertThat(page).isEqualTo(Files.readString(PAGE));
  }
}
