package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that errors about wrong input name the setting, the value and the remedy, and set an exit
 * code.
 */
@Isolated("replaces the standard error stream")
class CommandLineTest {
  private record CommandResult(int code, String errors) {}

  private static CommandResult runMooring(String... args) {
    PrintStream originalErrors = System.err;
    ByteArrayOutputStream capturedErrors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(capturedErrors, true, StandardCharsets.UTF_8));
    try {
      return new CommandResult(Main.execute(args), capturedErrors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(originalErrors);
    }
  }

  @Test
  void command_typo_suggestsNearest() {
    CommandResult result = runMooring("rnu");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains("unknown command 'rnu'").contains("Did you mean 'run'?");
  }

  @Test
  void flag_typo_suggestsNearest() {
    CommandResult result = runMooring("run", "--embeded");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains("'--embeded'").contains("--embedded");
  }

  @Test
  void kubeconfig_missing_isNamed() {
    CommandResult result = runMooring("run", "--kubeconfig", "/does/not/exist");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("/does/not/exist").contains("--kubeconfig");
  }

  @Test
  void kubeconfig_broken_isNamed(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("config"), "apiVersion: v1\nclusters: [\n");
    CommandResult result = runMooring("run", "--kubeconfig", file.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains(file.toString()).contains("not valid YAML");
  }

  @Test
  void pluginJar_broken_isNamed(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("x.jar"), "not a jar");
    CommandResult result = runMooring("plugins", "--plugins", folder.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("x.jar").contains("not a readable jar");
  }

  @Test
  void address_invalid_isNamed() {
    CommandResult result = runMooring("run", "--embedded", "--endpoints", "127.0.0.1:99999");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains("--endpoints 127.0.0.1:99999");
  }

  @Test
  void verificationInterval_tooShort_isRejected() {
    CommandResult result =
        runMooring(
            "run", "--embedded", "--endpoints=off", "--attach-detach-reconcile-sync-period=999ms");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors())
        .contains("--attach-detach-reconcile-sync-period must be at least 1s, was 999ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x                     | --csi-endpoint x must contain a driver and its endpoint",
        "x=                    | --csi-endpoint x= must contain a driver and its endpoint",
        "x=tcp://h:1           | CSI endpoint \"tcp://h:1\" is not on this machine",
        "x=http://h:1          | CSI endpoint \"http://h:1\" is neither a unix socket nor a TCP port",
      })
  void csiEndpoint_invalid_isNamed(String endpoint, String problem) {
    CommandResult result =
        runMooring(
            "run",
            "--embedded",
            "--endpoints=off",
            "--plugins=" + Resources.csiPlugins(),
            "--csi-endpoint=" + endpoint);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mode=besides                        | 2 | besides",
        "--plugin-setting=nfs-export=x         | 2 | --plugin-setting nfs-export: no plugin reads it; the loaded plugins read [enable-hostpath-provisioner, local-folder, local-node, local-path-config, local-path-helper-image, local-path-helper-jar, local-path-helper-java, local-path-helper-priority-class, local-path-helper-pull-secrets, local-path-node, local-path-node-gone, nfs-earlier-volumes, nfs-exports, nfs-require-mount]",
        "--concurrent-provisioner-syncs=0      | 2 | not a number of workers (specify 1 to 10000)",
        "--provisioner-retry-interval-max=10ms | 2 | --provisioner-retry-interval-start",
        "--provisioner-failed-delete-threshold=-1 | 2 | --provisioner-failed-delete-threshold -1 is negative",
        "--provisioner-failed-delete-threshold=few | 2 | is not a whole number",
      })
  void provisionerFlag_invalid_isNamed(String flag, int code, String problem) throws Exception {
    CommandResult result =
        runMooring(
            "run", "--embedded", "--endpoints=off", "--plugins=" + Resources.plugins(), flag);
    assertThat(result.code()).isEqualTo(code);
    assertThat(result.errors()).contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--leader-elect-lease-duration=99999999h        | '99999999h' is too long (maximum: 876000h)",
        "--leader-elect-lease-duration=1.5s             | --leader-elect-lease-duration 1.5s must be longer than --leader-elect-renew-deadline 10s",
        "--leader-elect-retry-period=0                  | --leader-elect-retry-period 0s must be positive",
        "--leader-elect-resource-lock=endpoints         | --leader-elect-resource-lock endpoints is not supported",
        "--kube-api-qps=NaN                             | --kube-api-qps NaN with --kube-api-burst 30: specify a rate from 0 (adaptive) to 1000000",
        "--kube-api-qps=Infinity                        | --kube-api-qps Infinity",
        "--kube-api-qps=-1                              | --kube-api-qps -1.0",
        "--kube-api-burst=0                             | --kube-api-burst 0",
        "--concurrent-binder-syncs=2000000000           | '2000000000' is not a number of workers (specify 1 to 10000)",
        "--concurrent-ephemeralvolume-syncs=2000000000  | '2000000000' is not a number of workers",
        "--concurrent-provisioner-syncs=99999999999     | '99999999999' is not a number of workers",
        "--csi-workers=-1                               | '-1' is not a number of workers",
        "--csi-endpoint=x=unix:///run/x,workers=2000000000 | '2000000000' is not a number of workers",
        "--deletion-brake-limit=-1                      | --deletion-brake-limit must not be negative, was -1",
        "--pvclaimbinder-sync-period=0                  | --pvclaimbinder-sync-period must be positive, was 0s",
        "--controllers=x                                | unknown controller \"x\"",
        "--feature-gates=WatchLists=true                | unknown gate \"WatchLists\": did you mean \"WatchList\"?",
        "--audit-log-maxsize=0                          | --audit-log-maxsize 0",
        "--endpoints=nowhere                            | --endpoints nowhere is not an address",
        "--logging-format=xml                           | --logging-format xml is unknown",
      })
  void run_wrongValue_exitsWith2AndNamesFlagValueAndRemedy(String flag, String problem) {
    String[] args =
        flag.contains("leader-elect")
            ? new String[] {"run", flag}
            : new String[] {"run", "--embedded", flag};
    CommandResult result = runMooring(args);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains(problem).doesNotContain("\tat ");
  }

  @Test
  void migrate_unwritableFolder_isNamed(@TempDir Path folder) throws IOException {
    Path values = Files.writeString(folder.resolve("v.yaml"), "nfs: {server: s}");
    Path missingPath = folder.resolve("nowhere");
    CommandResult result =
        runMooring(
            "migrate", "nfs-subdir", values.toString(), "--release=r", "--into=" + missingPath);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("--into " + missingPath + " is not a writable directory");
  }

  @Test
  void timeline_objectNotInLog_exitsWith1(@TempDir Path folder) throws IOException {
    Path log = Files.writeString(folder.resolve("audit.log"), "");
    assertThat(runMooring("timeline", "pvc/x", "--audit-log=" + log).code()).isEqualTo(1);
  }

  @Test
  void csiBridge_missing_isNamed(@TempDir Path folder) {
    CommandResult result =
        runMooring(
            "run",
            "--embedded",
            "--endpoints=off",
            "--plugins=" + folder,
            "--csi-endpoint=x=unix:///run/x");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors())
        .contains("--csi-endpoint x", "plugins-csi-bridge", "plugin directory");
  }

  private static Path writeKubeconfig(Path folder, String server, String token) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {token: "%s"}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server, token));
  }

  /**
   * Returns the line that the process logs about the server. The process retries and does not exit,
   * because the server may recover.
   */
  private static String awaitServerError(Path kubeconfig) throws IOException, InterruptedException {
    try (JavaProcess process =
        JavaProcess.startMooring("run", "--endpoints=off", "--kubeconfig", kubeconfig.toString())) {
      String problem = process.awaitLine(line -> line.contains("the API server at"));
      assertThat(process.output())
          .as("no stack traces")
          .noneMatch(line -> line.startsWith("\tat "));
      return problem;
    }
  }

  @Test
  void token_wrong_isReported(@TempDir Path folder) throws Exception {
    try (ApiServer server = ApiServer.start(new ApiServer.ServerOptions(0, "right", null))) {
      String problem = awaitServerError(writeKubeconfig(folder, server.url(), "wr0ng"));
      assertThat(problem).contains(server.url()).contains("401").contains("check the token");
      assertThat(problem).as("secrets are not printed").doesNotContain("wr0ng");
    }
  }

  @Test
  void tls_broken_isReported(@TempDir Path folder) throws Exception {
    try (ServerSocket plainServer = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> respondInPlainText(plainServer));
      String url = "https://127.0.0.1:" + plainServer.getLocalPort();
      assertThat(awaitServerError(writeKubeconfig(folder, url, "t")))
          .contains(url)
          .contains("TLS")
          .contains("certificate-authority");
    }
  }

  private static void respondInPlainText(ServerSocket server) {
    try {
      while (true) {
        try (Socket client = server.accept()) {
          client.getInputStream().read();
          client
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  @Test
  void server_unreachable_isNamed(@TempDir Path folder) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    String url = "http://127.0.0.1:" + port;
    assertThat(awaitServerError(writeKubeconfig(folder, url, "t")))
        .contains(url)
        .contains("cannot be reached");
  }

  @Test
  void port_inUse_isNamed() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(listener.getLocalPort());
      CommandResult result = runMooring("apiserver", "--port", port);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.errors()).contains(port).contains("in use").contains("--port");
    }
  }

  @Test
  void simulatedController_unknown_isNamedWithChoices() throws IOException {
    CommandResult result = runMooring("apiserver", "--simulate-controllers=jobs,cronjobs");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors())
        .contains("--simulate-controllers cronjobs is unknown: specify namespaces, ")
        .doesNotContain("Exception");
  }

  @Test
  void endpointsPort_inUse_isNamed() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + listener.getLocalPort();
      CommandResult result = runMooring("run", "--embedded", "--endpoints", address);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.errors()).contains(address).contains("--endpoints");
    }
  }

  @Test
  void dataDirectory_unusable_isNamed(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    CommandResult result = runMooring("apiserver", "--data-dir", file.resolve("data").toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains(file.toString()).contains("data directory");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rights --name=a/b                                    | --name \"a/b\" is not a valid name",
        "rights --secrets-namespaces=a,..                     | --secrets-namespaces \"..\" is not a valid name",
        "rights --controllers=x                               | unknown controller \"x\"",
        "apiserver --authorization-mode=AlwaysAllow --token=t | omit --token, or specify RBAC",
      })
  void command_invalidFlags_areNamed(String command, String problem) {
    CommandResult result = runMooring(command.split(" "));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.errors()).contains(problem);
  }

  @Test
  void pluginDirectory_missing_isNamed() {
    CommandResult result = runMooring("plugins", "--plugins", "/does/not/exist");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("/does/not/exist").contains("--plugins");
  }

  @Test
  void plugins_sameName_areNamed(@TempDir Path folder) throws Exception {
    Path jar = Resources.plugins().resolve("plugins-hostpath.jar");
    Files.copy(jar, folder.resolve("a.jar"));
    Files.copy(jar, folder.resolve("b.jar"));
    CommandResult result = runMooring("plugins", "--plugins", folder.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("b.jar").contains("is used by a.jar").contains("remove");
  }

  @Test
  void jar_withoutPlugins_isNamed(@TempDir Path folder) throws IOException {
    try (var jarOut = new ZipOutputStream(Files.newOutputStream(folder.resolve("empty.jar")))) {
      jarOut.putNextEntry(new ZipEntry("readme.txt"));
    }
    CommandResult result = runMooring("plugins", "--plugins", folder.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("empty.jar").contains("META-INF/services");
  }

  @Test
  void pluginClass_missing_isNamed(@TempDir Path folder) throws IOException {
    try (var jarOut = new ZipOutputStream(Files.newOutputStream(folder.resolve("gone.jar")))) {
      jarOut.putNextEntry(new ZipEntry("META-INF/services/dev.mooring.spi.VolumePlugin"));
      jarOut.write("com.example.NotHere\n".getBytes(StandardCharsets.UTF_8));
    }
    CommandResult result = runMooring("plugins", "--plugins", folder.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("gone.jar").contains("com.example.NotHere");
  }
}
