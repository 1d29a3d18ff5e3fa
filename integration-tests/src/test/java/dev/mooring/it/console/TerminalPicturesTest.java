package dev.mooring.it.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Takes pictures of commands in a terminal of 80 columns, with colours. */
class TerminalPicturesTest extends BrowserFixture {
  private static final String SCRIPT = "/usr/bin/script";
  private static final int COLUMNS = 80;
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[([\\d;]*)m");
  private static final Pattern CONTROL = Pattern.compile("\u001b\\[[\\d;?]*[A-Za-ln-z]|\r");

  private static final String STYLES =
      """
      <style>
      body { margin: 0; background: #1b1f24; }
      pre { margin: 1rem; color: #e6e6e6; font: 14px/1.35 "DejaVu Sans Mono", monospace; }
      .c1 { font-weight: bold; } .c2 { opacity: .7; } .c31 { color: #ff7b72; } .c32 { color: #7ee787; }
      .c33 { color: #e3b341; } .c34 { color: #79c0ff; } .c35 { color: #d2a8ff; } .c36 { color: #56d4dd; }
      </style>
      """;

  private static final List<String> OBJECTS =
      List.of(
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': 'fast'}, 'provisioner': 'csi.example.com'}",
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': 'late'}, 'provisioner': 'csi.example.com', 'volumeBindingMode': 'WaitForFirstConsumer'}",
          "{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'disk-1'}, 'spec': {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/'}}}",
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'VolumeAttachment', 'metadata': {'name': 'csi-1'}, 'spec': {'attacher': 'csi.example.com', 'nodeName': 'node-1', 'source': {'persistentVolumeName': 'disk-1'}}}",
          claim("data", "", "8Gi"),
          claim("images", "fsat", "8Gi"),
          claim("cache", "fast", "8Gi"),
          claim("logs", "late", "8Gi"));

  /** Names of pictures, and the commands. */
  private static final Map<String, String> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("demo", "demo");
    COMMANDS.put("help", "--help");
    COMMANDS.put("help-run", "run --help");
    COMMANDS.put("explain-no-volume", "explain pvc/data");
    COMMANDS.put("explain-class-missing", "explain pvc/images");
    COMMANDS.put("explain-provisioner", "explain pvc/cache");
    COMMANDS.put("explain-consumer", "explain pvc/logs");
    COMMANDS.put("explain-driver", "explain volumeattachment/csi-1");
    COMMANDS.put("explain-all", "explain -A");
  }

  private String runInTerminal(String command) throws Exception {
    String java =
        Stream.concat(
                JavaProcess.command(List.of("-XX:TieredStopAtLevel=1")).stream(),
                Stream.of(command.split(" ")))
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    ProcessBuilder builder =
        new ProcessBuilder(
                SCRIPT, "-q", "-c", "stty rows 24 cols " + COLUMNS + "; " + java, "/dev/null")
            .redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "KUBECONFIG",
                folder.resolve("kubeconfig").toString(),
                "TERM",
                "xterm",
                "LC_ALL",
                "C.UTF-8"));
    builder.environment().remove("NO_COLOR");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return "$ mooring " + command + "\n" + output;
  }

  private static String render(String output) {
    String text =
        CONTROL
            .matcher(output)
            .replaceAll("")
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;");
    String spans =
        COLOUR
            .matcher(text)
            .replaceAll(code ->
                "</span><span class='%s'>"
                    .formatted(
                        Stream.of(code.group(1).split(";"))
                            .map(number -> "c" + number)
                            .collect(Collectors.joining(" "))));
    return STYLES + "<pre><span>" + spans + "</span></pre>";
  }

  @Test
  void commands_inTerminal_fitColumns() throws Exception {
    assumeThat(Path.of(SCRIPT)).as("script of util-linux is installed").isExecutable();
    assertThat(Resources.distribution()).exists();
    for (String object : OBJECTS) {
      create(object);
    }
    Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    try (Page page = browser.newPage(new Browser.NewPageOptions().setViewportSize(760, 400))) {
      for (Map.Entry<String, String> command : COMMANDS.entrySet()) {
        String output = runInTerminal(command.getValue());
        assertThat(output.lines().map(line -> COLOUR.matcher(line).replaceAll("").strip()))
            .as(command.getValue())
            .allMatch(line -> line.length() <= COLUMNS);
        page.setContent(render(output));
        saveScreenshot(page, "terminal-" + command.getKey());
      }
    }
  }
}
