package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ExternalMaven;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Follows the plugin authors' guide step by step. */
class GuideTest {
  private static final Pattern FILE =
      Pattern.compile("(?m)^`([^`\\n]+)`\\n\\n```\\w*\\n(.*?)^```$", Pattern.DOTALL);
  private static final Pattern COMMANDS =
      Pattern.compile("(?m)^```sh\\n(.*?)^```$", Pattern.DOTALL);

  private static final Pattern CODE = Pattern.compile("(?m)^```java\\n(.*?)^```$", Pattern.DOTALL);

  private static final Pattern TRIAL =
      Pattern.compile("(?ms)^```\\n((?:(?!```).)*?mooring dev .*?)^```$");

  @TempDir private Path folder;

  private static String readGuide() throws IOException {
    Path root = Path.of(System.getProperty("mooring.root", ".."));
    return Files.readString(root.resolve(Path.of("docs", "plugin-author-guide.md")));
  }

  private static Map<String, String> guideFiles(String guide) {
    Map<String, String> files = new LinkedHashMap<>();
    Matcher matcher = FILE.matcher(guide);
    while (matcher.find()) {
      files.put(matcher.group(1), matcher.group(2));
    }
    return files;
  }

  private void followGuide(String guide) throws IOException, InterruptedException {
    for (Map.Entry<String, String> file : guideFiles(guide).entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    Files.createDirectories(folder.resolve("plugins"));
    ExternalMaven maven = new ExternalMaven(folder);
    Matcher commands = COMMANDS.matcher(guide);
    while (commands.find()) {
      maven.run(commands.group(1));
    }
  }

  private JsonObject readYaml(String name) throws IOException {
    Object loaded = new Yaml().load(Files.readString(folder.resolve(name)));
    return JsonParser.parseString(new Gson().toJson(loaded)).getAsJsonObject();
  }

  private void compareCode(String guide) throws IOException {
    String generated =
        Files.readString(folder.resolve("disks/src/main/java/com/example/StoragePlugin.java"));
    Matcher code = CODE.matcher(guide);
    int blocks = 0;
    for (; code.find(); blocks++) {
      assertThat(generated).contains(code.group(1));
    }
    assertThat(blocks).isPositive();
  }

  /** Runs the trial as the guide prints it. */
  private void tryPlugin(String guide) throws IOException, InterruptedException {
    Matcher trial = TRIAL.matcher(guide);
    assertThat(trial.find()).isTrue();
    String command =
        JavaProcess.command(List.of("-XX:TieredStopAtLevel=1")).stream()
            .map(argument -> "'" + argument + "'")
            .collect(Collectors.joining(" "));
    Process shell =
        new ProcessBuilder(
                "sh", "-e", "-c", "mooring() { " + command + " \"$@\"; }\n" + trial.group(1))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    shell.getOutputStream().close();
    String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(output).isZero();
    assertThat(output)
        .contains("class disks with provisioner example.com/disks created\n")
        .containsPattern("claim data-1 is Bound to pvc-\\S+ after \\d+ ms\n")
        .containsPattern("claim data-1 and volume pvc-\\S+ are deleted\n");
  }

  @Test
  void guidePlugin_claimCreatedAndDeleted_getsAndReleasesVolume() throws Exception {
    followGuide(readGuide());
    compareCode(readGuide());
    tryPlugin(readGuide());
    Path volumes = folder.resolve("volumes"); // created by the trial
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      RestApi api = new RestApi(server.url(), "");
      api.create(readYaml("class.yaml"));
      api.create(readYaml("claim.yaml"));
      try (JavaProcess mooring =
          JavaProcess.startMooring(
              "run",
              "--mode=replace",
              "--kubeconfig=" + kubeconfig,
              "--endpoints=off",
              "--leader-elect=false",
              "--plugins=" + folder.resolve("plugins"),
              "--plugin-setting=disks-folder=" + volumes)) {
        mooring.awaitLine(line -> line.contains("plugin example.com/disks from disks "));
        awaitPhase(api, "Bound", mooring);
        try (Stream<Path> disks = Files.list(volumes)) {
          assertThat(disks).hasSize(1);
        }
        api.delete("PersistentVolumeClaim", "default", "data", -1);
        TestWait.until(
            () -> mooring.output().toString(), () -> api.list("PersistentVolume").isEmpty());
        try (Stream<Path> disks = Files.list(volumes)) {
          assertThat(disks).isEmpty();
        }
      }
    }
  }

  private static void awaitPhase(RestApi api, String phase, JavaProcess mooring) {
    TestWait.until(
        () -> mooring.output().toString(),
        () ->
            api.get("PersistentVolumeClaim", "default", "data")
                .getAsJsonObject("status")
                .get("phase")
                .getAsString()
                .equals(phase));
  }
}
