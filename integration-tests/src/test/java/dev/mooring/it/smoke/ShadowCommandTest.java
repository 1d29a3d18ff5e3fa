package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.shadow.ShadowSession;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowCommandTest {
  private static final String CLAIM =
      """
      {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"},
       "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "",
                "resources": {"requests": {"storage": "1Gi"}}}}
      """;

  private static final String VOLUME =
      """
      {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"},
       "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
                "nfs": {"server": "s", "path": "/"}}}
      """;

  @TempDir private Path folder;

  private static CommandResult run(Path kubeconfig, String... flags) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("shadow", "--kubeconfig=" + kubeconfig, "--plugins=" + Resources.plugins()));
    arguments.addAll(List.of(flags));
    return CommandResult.ofCommand(arguments.toArray(String[]::new));
  }

  @Test
  void shadow_quietCluster_findsNothingAndOnlyReads() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      server.admin().create(JsonParser.parseString(CLAIM).getAsJsonObject());
      Path kubeconfig = server.kubeconfig(folder, RunFlags.rightsOfShadow(List.of()));

      CommandResult result = run(kubeconfig, "--for=500ms", "-o", "json");

      assertThat(result.code()).as(result.output()).isZero();
      JsonObject report = JsonParser.parseString(result.out()).getAsJsonObject();
      assertThat(report.get("unexplained").getAsInt()).isZero();
      assertThat(server.requests())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.verb()).isIn("get", "list", "watch"));
      assertThat(server.forbiddenRequests()).isEmpty();
    }
  }

  @Test
  void shadow_endpointsAndConsole_serveResults() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      try (JavaProcess process =
          JavaProcess.startMooring(
              "shadow",
              "--kubeconfig=" + kubeconfig,
              "--plugins=" + Resources.plugins(),
              "--endpoints=127.0.0.1:0",
              "--console=127.0.0.1:0")) {
        String line = process.awaitLine(output -> output.contains("console at "));
        String console = line.substring(line.indexOf("http")).split(" ", 2)[0];
        assertThat(get(console + "shadow.json")).contains("ConsoleShadow");
        assertThat(get(console + "shadow")).contains("Unexplained differences");
      }
    }
  }

  @Test
  void shadow_metrics_countDecisions() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ShadowSession shadow =
          new ShadowSession(Compat.KUBERNETES, PairingLedger.Periods.DEFAULT, new SystemTime());
      ControllerManager manager =
          RunFlags.shadow(
              List.of("--endpoints=127.0.0.1:0"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"),
              shadow);
      manager.start();
      try {
        shadow.begin(manager::queueStats);
        RestApi.of(server, "").create(JsonParser.parseString(VOLUME).getAsJsonObject());
        TestWait.until(
            "decision",
            () ->
                manager.queueStats().stream().anyMatch(queue -> queue.retries() > 0)
                    && shadow.isIdle());
        shadow.finish();
        assertThat(get("http://127.0.0.1:" + manager.port() + "/metrics"))
            .contains(
                "mooring_shadow_decisions_total{class=\"set-phase\",result=\"undecided\"} 1.0");
      } finally {
        manager.stop();
      }
    }
  }

  @Test
  void shadow_addressBeyondLoopback_isRejected() throws Exception {
    CommandResult result = run(folder.resolve("none"), "--endpoints=0.0.0.0:0");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.output()).contains("cannot authorize users: specify a loopback address");
  }

  private static String get(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void shadow_withoutRights_namesKindAndRemedyInOneLine() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig =
          Files.writeString(
              folder.resolve("unprivileged"),
              server
                  .server()
                  .kubeconfig()
                  .replace(
                      '"' + RestrictedServer.TOKEN + '"', '"' + server.unprivilegedToken() + '"'));

      CommandResult result = run(kubeconfig, "--for=1s");

      assertThat(result.code()).isOne();
      assertThat(result.lines())
          .singleElement()
          .asString()
          .startsWith("mooring: cannot list persistentvolumes: ")
          .endsWith("'mooring rights --shadow-only' prints a role that may");
    }
  }

  @Test
  void shadow_directoryOfScenariosInFile_isRejected() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    CommandResult result = run(folder.resolve("none"), "--scenarios-dir=" + file + "/inside");

    assertThat(result.code()).isOne();
    assertThat(result.output()).contains("inside is not a writable directory");
  }
}
