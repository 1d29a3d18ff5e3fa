package dev.mooring.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.manager.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * Runs the commands of README and docs against the embedded server. Checks those that need a real
 * cluster, a driver or another machine with the parser of the command line.
 */
@Isolated("runs commands in this process")
@Timeout(600)
class DocsCommandsTest {
  private static final Set<String> OF_LAUNCHER = Set.of("dist", "test", "bench");

  /** Commands that end; with their expected exit codes. */
  private static final Map<String, Set<Integer>> ENDING =
      Map.of(
          "explain", Set.of(0, 3),
          "doctor", Set.of(0),
          "uninstall", Set.of(0, 3),
          "rights", Set.of(0),
          "timeline", Set.of(0),
          "migrate", Set.of(0),
          "plugins", Set.of(0),
          "completion", Set.of(0),
          "demo", Set.of(0));

  /** Commands that run until they are stopped; with a line that shows their readiness. */
  private static final Map<String, String> LASTING =
      Map.of("run", "running ", "console", "console at ", "apiserver", "ready at ");

  /** Flags of commands that are only parsed, and why. */
  private static final Map<String, String> ONLY_PARSED =
      Map.ofEntries(
          Map.entry("--watch", "never ends while something waits"),
          Map.entry("--mcp", "McpTest"),
          Map.entry("--csi-endpoint", "needs a driver; CsiTrial and DoctorTest run it"),
          Map.entry("--plugin-setting", "needs the plugin of the guide or an image; GuideTest"),
          Map.entry("--plugin-allow", "PluginRegistryTest"),
          Map.entry("--embedded", "RightsTest"),
          Map.entry("--audit-log", "AuditedRunTest"),
          Map.entry("--yes", "UninstallTest"),
          Map.entry("resume-deletions", "RightsTest"),
          Map.entry("health", "RightsTest"),
          Map.entry("shadow", "compares for an hour; ShadowCommandTest"),
          Map.entry("grow", "needs a StatefulSet and its controller; GrowTest"),
          Map.entry("simulate", "SimulateTest"),
          Map.entry("snapshot", "SimulateTest"),
          Map.entry("danger", "DangerTest"),
          Map.entry("undo", "needs a condemned volume; UndoTest"),
          Map.entry("dev", "DevCommandTest, GuideTest"));

  private static final CommandLine ALL_COMMANDS =
      Main.commandLine().setAbbreviatedOptionsAllowed(false).setOverwrittenOptionsAllowed(true);

  static final List<String> OBJECTS =
      List.of(
          "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"shop\"}}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}}",
          "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"StorageClass\", \"metadata\": {\"name\": \"fast\"}, \"provisioner\": \"kubernetes.io/host-path\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"data\", \"namespace\": \"shop\"}, \"spec\": {\"accessModes\": [\"ReadWriteOnce\"], \"storageClassName\": \"\", \"resources\": {\"requests\": {\"storage\": \"500Gi\"}}}}",
          "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolume\", \"metadata\": {\"name\": \"disk-7\"}, \"spec\": {\"capacity\": {\"storage\": \"2Gi\"}, \"accessModes\": [\"ReadWriteOnce\"], \"nfs\": {\"server\": \"s\", \"path\": \"/p\"}}}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"web-0\", \"namespace\": \"shop\"}, \"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"i\"}], \"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"data\"}}]}}",
          "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"VolumeAttachment\", \"metadata\": {\"name\": \"csi-4f1e\"}, \"spec\": {\"attacher\": \"csi.example.com\", \"nodeName\": \"n1\", \"source\": {\"persistentVolumeName\": \"disk-7\"}}}");

  static final String AUDIT =
      """
      {"time":"2026-01-01T10:01:00Z","controller":"persistentvolume-binder-controller","key":"shop/data","decision":"Bind","did":"patch","kind":"PersistentVolume","name":"disk-7","fields":["spec.claimRef.name=data","spec.claimRef.namespace=shop"],"from":"7","to":"9","result":"written","ms":3.25}
      """;

  private static final String LOCAL_PATH =
      """
      kind: ConfigMap
      data:
        config.json: '{"nodePathMap": [{"node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": ["/data"]}]}'
      """;

  private static final String LOCAL_PATH_CLASS =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local-path }
      provisioner: rancher.io/local-path
      """;

  @TempDir private Path folder;

  private static List<DocumentedCommand> commands() throws IOException {
    List<DocumentedCommand> all = new ArrayList<>();
    for (Path page : DocumentedCommand.pages()) {
      all.addAll(DocumentedCommand.of(page));
    }
    return all;
  }

  private static List<DocumentedCommand> ofMooring() throws IOException {
    return commands().stream()
        .filter(DocumentedCommand::isMooring)
        .filter(command -> !command.arguments().isEmpty())
        .filter(command -> !OF_LAUNCHER.contains(command.arguments().getFirst()))
        .toList();
  }

  @Test
  void pages_commands_areFoundAndUseKnownPrograms() throws IOException {
    List<DocumentedCommand> commands = commands();
    assertThat(commands).hasSizeGreaterThan(80);
    assertThat(commands.stream().filter(DocumentedCommand::isMooring)).hasSizeGreaterThan(35);
    assertThat(commands)
        .allMatch(command ->
            command.isMooring() || DocumentedCommand.PROGRAMS.contains(command.words().getFirst()));
  }

  /** A block that is not run has a language, for example {@code text}. */
  @Test
  void blocks_withoutLanguage_beginWithProgram() throws IOException {
    List<String> others = new ArrayList<>();
    for (Path page : DocumentedCommand.pages()) {
      DocumentedCommand.blocks(page).stream()
          .filter(block -> block.isShell() && !block.beginsWithProgram())
          .forEach(block -> others.add(block.place()));
    }
    assertThat(others).isEmpty();
  }

  @TestFactory
  List<DynamicTest> command_arguments_areValid() throws IOException {
    return ofMooring().stream()
        .map(command ->
            DynamicTest.dynamicTest(
                command.place() + " " + String.join(" ", command.arguments()),
                () -> ALL_COMMANDS.parseArgs(command.arguments().toArray(String[]::new))))
        .toList();
  }

  /** Code spans may leave arguments out, but name existing commands and flags. */
  @Test
  void codeSpans_commandsAndFlags_exist() throws IOException {
    Pattern span = Pattern.compile("`(?:\\./)?mooring ([a-z][^`]*)`");
    List<String> unknown = new ArrayList<>();
    Map<String, CommandLine> commands = ALL_COMMANDS.getSubcommands();
    for (Path page : DocumentedCommand.pages()) {
      Matcher found = span.matcher(Files.readString(page));
      while (found.find()) {
        String[] words = found.group(1).split(" +");
        CommandLine command = commands.get(words[0]);
        if (command == null) {
          if (!OF_LAUNCHER.contains(words[0])) {
            unknown.add(page.getFileName() + ": " + found.group());
          }
          continue;
        }
        for (int i = 1; i < words.length; i++) {
          CommandLine sub = command.getSubcommands().get(words[i]);
          command = sub == null ? command : sub;
          String name = words[i].split("=")[0];
          if (name.startsWith("-") && command.getCommandSpec().findOption(name) == null) {
            unknown.add(page.getFileName() + ": " + found.group());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void launcherCommands_flags_areInItsHelp() throws IOException {
    String launcher = Files.readString(DocumentedCommand.ROOT.resolve("mooring"));
    for (DocumentedCommand command : commands()) {
      List<String> arguments = command.isMooring() ? command.arguments() : List.of();
      if (!arguments.isEmpty() && OF_LAUNCHER.contains(arguments.getFirst())) {
        arguments.stream()
            .filter(word -> word.startsWith("--"))
            .forEach(flag ->
                assertThat(launcher).as(command.place()).contains("  " + flag.split("=")[0]));
      }
    }
  }

  /** A value that the chart does not have is rejected at the install only. */
  @Test
  void helmCommands_values_existInChart() throws IOException {
    Map<?, ?> values =
        new Yaml()
            .load(Files.readString(DocumentedCommand.ROOT.resolve("deploy/chart/values.yaml")));
    int checked = 0;
    for (DocumentedCommand command : commands()) {
      List<String> words = command.words();
      for (int i = 0; words.getFirst().equals("helm") && i + 1 < words.size(); i++) {
        if (words.get(i).equals("--set")) {
          Object value = values;
          for (String name : words.get(i + 1).split("=")[0].split("\\.")) {
            assertThat(value).as(command.place()).isInstanceOf(Map.class);
            assertThat(((Map<?, ?>) value).containsKey(name)).as(command + " " + name).isTrue();
            value = ((Map<?, ?>) value).get(name);
          }
          checked++;
        }
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void mavenCommand_withModules_namesExistingModules() throws IOException {
    for (DocumentedCommand command : commands()) {
      List<String> words = command.words();
      int modules = words.indexOf("-pl");
      if (words.getFirst().equals("./mvnw") && modules > 0) {
        for (String module : words.get(modules + 1).split(",")) {
          assertThat(DocumentedCommand.ROOT.resolve(module).resolve("pom.xml"))
              .as(command.place())
              .exists();
        }
      }
    }
  }

  private static boolean isOnlyParsed(List<String> arguments) {
    return arguments.stream()
        .map(word -> word.split("=")[0])
        .anyMatch(word ->
            ONLY_PARSED.containsKey(word)
                && !(word.equals("--audit-log") && !arguments.getFirst().equals("run"))
                && !(word.equals("--csi-endpoint") && arguments.getFirst().equals("rights"))
                && !(word.equals("--plugin-setting") && arguments.getFirst().equals("rights")));
  }

  /** Replaces placeholders and files of the page by those of this test. */
  private List<String> runnable(List<String> arguments, Path kubeconfig) throws Exception {
    Path out = Files.createTempDirectory(folder, "out");
    List<String> all = new ArrayList<>();
    for (String word : arguments) {
      all.add(
          switch (word) {
            case "FILE", "/var/log/mooring/audit.log" -> folder.resolve("audit.log").toString();
            case "~/.kube/config", "/etc/kubernetes/mooring.conf" -> kubeconfig.toString();
            case "config.yaml", "classes.yaml", "values.yaml" -> folder.resolve(word).toString();
            case "HOST:PORT" -> "127.0.0.1:10288";
            case "NAMESPACE" -> "shop";
            default ->
                word.replace("/NAME", "/data")
                    .replace(
                        "--kubeconfig=/etc/kubernetes/mooring.conf", "--kubeconfig=" + kubeconfig)
                    .replace("127.0.0.1:10288", "127.0.0.1:0");
          });
    }
    String command = all.getFirst();
    CommandLine parser = ALL_COMMANDS.getSubcommands().get(command);
    if (parser.getCommandSpec().findOption("--kubeconfig") != null
        && all.stream().noneMatch(word -> word.startsWith("--kubeconfig"))) {
      all.add("--kubeconfig=" + kubeconfig);
    }
    if (parser.getCommandSpec().findOption("--plugins") != null) {
      all.add("--plugins=" + Resources.plugins());
    }
    switch (command) {
      case "run" -> all.addAll(List.of("--endpoints=off", "--leader-elect=false"));
      case "console" -> all.add("--listen=127.0.0.1:0");
      case "migrate" -> all.add("--into=" + out);
      default -> {
        // needs no address or directory
      }
    }
    return all;
  }

  private void writeFiles() throws IOException {
    Files.writeString(folder.resolve("audit.log"), AUDIT);
    Files.writeString(folder.resolve("config.yaml"), LOCAL_PATH);
    Files.writeString(folder.resolve("classes.yaml"), LOCAL_PATH_CLASS);
    Files.writeString(folder.resolve("values.yaml"), "nfs: {server: 10.0.0.1, path: /srv}\n");
  }

  private static void run(DocumentedCommand command, List<String> arguments) throws Exception {
    String name = arguments.getFirst();
    String[] args = arguments.toArray(String[]::new);
    if (LASTING.containsKey(name)) {
      try (JavaProcess process = JavaProcess.startMooring(args)) {
        process.awaitLine(line -> line.contains(LASTING.get(name)));
      }
    } else if (name.equals("demo")) {
      try (JavaProcess process = JavaProcess.startMooring(args)) {
        assertThat(process.exitCode()).as(command.place()).isZero();
      }
    } else {
      assertThat(Main.execute(args)).as(command.toString()).isIn(ENDING.get(name));
    }
  }

  private static void createSnapshots(ApiServer server, RestApi api) throws Exception {
    SnapshotResources.install(server.handlers());
    SnapshotResources.installGroups(server.handlers());
    api.post(
        "/apis/snapshot.storage.k8s.io/v1/namespaces/shop/volumesnapshots",
        JsonParser.parseString(
                """
                {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "db-1"}, "spec": {"source": {"persistentVolumeClaimName": "data"}}}
                """)
            .getAsJsonObject());
    api.post(
        "/apis/groupsnapshot.storage.k8s.io/v1/namespaces/shop/volumegroupsnapshots",
        JsonParser.parseString(
                """
                {"apiVersion": "groupsnapshot.storage.k8s.io/v1", "kind": "VolumeGroupSnapshot", "metadata": {"name": "nightly"}, "spec": {"source": {"selector": {"matchLabels": {"app": "db"}}}}}
                """)
            .getAsJsonObject());
  }

  @Test
  void commands_againstEmbeddedServer_succeed() throws Exception {
    writeFiles();
    Set<String> ran = new TreeSet<>();
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      RestApi api = new RestApi(server.url(), "");
      for (String object : OBJECTS) {
        api.create(JsonParser.parseString(object).getAsJsonObject());
      }
      createSnapshots(server, api);
      for (DocumentedCommand command : ofMooring()) {
        List<String> arguments = command.arguments();
        if (!isOnlyParsed(arguments)) {
          List<String> runnable = runnable(arguments, kubeconfig);
          if (ran.add(String.join(" ", arguments))) {
            run(command, runnable);
          }
        }
      }
    }
    assertThat(ran).hasSizeGreaterThan(25);
    assertThat(ran.stream().map(words -> words.split(" ")[0]))
        .contains("explain", "doctor", "rights", "run", "console", "timeline", "migrate", "demo");
  }
}
