package dev.mooring.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.docs.DocumentedCommand.CodeBlock;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the kubectl commands of README and docs against the embedded server. Every command of
 * another program has the test that runs it, or the reason why no test can.
 */
class OtherCommandsTest {
  private static final Set<String> OF_KUBECTL_BLOCKS = Set.of("kubectl", "jq", "sort");

  /** Beginnings of commands, and the test or reason. */
  private static final Map<String, String> RUN_ELSEWHERE =
      Map.ofEntries(
          Map.entry("./mvnw", "mavenCommand_withModules_namesExistingModules; the build itself"),
          Map.entry("mvn archetype:generate", "GuideTest"),
          Map.entry("mvn -B -f disks package", "GuideTest"),
          Map.entry("mkdir -p plugins/disks", "GuideTest"),
          Map.entry("cp disks/target", "GuideTest"),
          Map.entry("mkdir -p volumes", "GuideTest"),
          Map.entry("curl -s 127.0.0.1:10288/", "ConsoleApiPageTest"),
          Map.entry("curl -sN 127.0.0.1:10288/", "ends after 25 seconds; ConsoleTest"),
          Map.entry("jq ", "ConsoleApiPageTest"),
          Map.entry("helm ", "ChartInstallTest; helmCommands_values_existInChart"),
          Map.entry("kubectl apply -f -", "input from 'mooring rights'; RightsTest"),
          Map.entry("kubectl get configmap local-path-config", "LocalPathMigrationTest"),
          Map.entry("kubectl get storageclass -o yaml", "LocalPathMigrationTest"),
          Map.entry("kubectl port-forward", "needs a running container"),
          Map.entry("kubectl -n mooring exec", "needs a running container; ContainerImageTest"),
          Map.entry("docker run", "needs a registry; ContainerImageTest runs the image"),
          Map.entry("skopeo copy", "needs a registry"),
          Map.entry("dpkg", "needs packages of another processor; OtherMachineTest"),
          Map.entry("apt-get", "needs packages of another processor; OtherMachineTest"),
          Map.entry("for deb", "needs packages of another processor; OtherMachineTest"),
          Map.entry("do dpkg-deb", "needs packages of another processor; OtherMachineTest"),
          Map.entry("done", "needs packages of another processor; OtherMachineTest"),
          Map.entry("tar xf mooring-VERSION.tar.gz", "LauncherTest"),
          Map.entry("ln -s", "writes to /usr/local/bin; LauncherTest uses a link"),
          Map.entry("source", "reads the output of 'mooring completion bash', which runs"),
          Map.entry("man -M", "needs a manual reader; DistMainTest"),
          Map.entry("sha256sum plugins", "PluginRegistryTest"));

  private static final List<String> OBJECTS =
      List.of(
          "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'local-path-storage'}}",
          "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'nfs'}}",
          "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'shop'}}",
          "{'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1'}}",
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': 'local-path'}, 'provisioner': 'rancher.io/local-path'}",
          "{'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': 'nfs-client'}, 'provisioner': 'cluster.local/nfs'}",
          "{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'disk-7', 'finalizers': ['example.com/kept']}, 'spec': {'capacity': {'storage': '2Gi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 's', 'path': '/p'}}}",
          "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'mooring-controller-manager', 'namespace': 'kube-system'}, 'spec': {'holderIdentity': 'pod_1'}}",
          deployment("local-path-storage", "local-path-provisioner"),
          deployment("nfs", "nfs-subdir-external-provisioner"));

  private static final List<String> INSTALLED =
      List.of(
          "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'mooring'}}",
          "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'mooring', 'namespace': 'mooring'}, 'spec': {'holderIdentity': 'pod_1'}}");

  @TempDir private Path folder;

  private static String deployment(String namespace, String name) {
    return """
    {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': '%s', 'namespace': '%s'},
     'spec': {'replicas': 1, 'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}}}
    """
        .formatted(name, namespace);
  }

  private static boolean isRunElsewhere(DocumentedCommand command) {
    String text = String.join(" ", command.words());
    return RUN_ELSEWHERE.keySet().stream().anyMatch(text::startsWith);
  }

  /** Returns whether a block consists of commands of kubectl and filters of its output. */
  private static boolean isOfKubectl(CodeBlock block) {
    return block.isShell()
        && block.script().startsWith("kubectl ")
        && block.commands().stream()
            .allMatch(command -> OF_KUBECTL_BLOCKS.contains(command.words().getFirst()));
  }

  @Test
  void command_ofOtherProgram_hasTestOrReason() throws IOException {
    Set<String> unexplained = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    for (Path page : DocumentedCommand.pages()) {
      for (CodeBlock block : DocumentedCommand.blocks(page)) {
        if (block.isShell()) {
          for (DocumentedCommand command : block.commands()) {
            String text = String.join(" ", command.words());
            RUN_ELSEWHERE.keySet().stream().filter(text::startsWith).forEach(used::add);
            if (!command.isMooring() && !isRunElsewhere(command) && !isOfKubectl(block)) {
              unexplained.add(block.place() + ": " + text);
            }
          }
        }
      }
    }
    assertThat(unexplained).isEmpty();
    assertThat(used).containsExactlyInAnyOrderElementsOf(RUN_ELSEWHERE.keySet());
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  /** Every page begins with a cluster of its own. */
  @Test
  void kubectlBlocks_againstEmbeddedServer_succeed() throws Exception {
    assumeThat(isOnPath("kubectl") && isOnPath("jq")).as("kubectl and jq are installed").isTrue();
    Files.writeString(
        folder.resolve("mooring-config.yaml"),
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local-path}\n");
    int ran = 0;
    for (Path page : DocumentedCommand.pages()) {
      List<CodeBlock> blocks =
          DocumentedCommand.blocks(page).stream().filter(OtherCommandsTest::isOfKubectl).toList();
      if (!blocks.isEmpty()) {
        try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
          Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
          createObjects(blocks);
          for (CodeBlock block : blocks) {
            ran += runScript(block);
          }
        }
      }
    }
    assertThat(ran).isGreaterThan(15);
  }

  private void createObjects(List<CodeBlock> blocks) throws IOException, InterruptedException {
    List<String> objects = new ArrayList<>(OBJECTS);
    if (blocks.stream().noneMatch(block -> block.text().contains("create namespace mooring"))) {
      objects.addAll(INSTALLED);
    }
    Files.writeString(
        folder.resolve("objects.yaml"),
        objects.stream().map(object -> "---\n" + object + "\n").collect(Collectors.joining()));
    runShell("kubectl create -f objects.yaml", "objects");
  }

  /** Runs a block in a shell, without the commands that another test runs. */
  private int runScript(CodeBlock block) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder();
    block
        .script()
        .lines()
        .filter(line -> RUN_ELSEWHERE.keySet().stream().noneMatch(line::startsWith))
        .forEach(line ->
            script
                .append(line.replace(" NAME ", " disk-7 ").replace(" NODE ", " n1 "))
                .append('\n'));
    runShell(script.toString(), block.place());
    return (int) block.commands().stream().filter(command -> !isRunElsewhere(command)).count();
  }

  private void runShell(String script, String place) throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-e", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    shell.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    shell.environment().put("HOME", folder.toString());
    Process process = shell.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(place + ": " + output).isZero();
  }
}
