package dev.mooring.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page in a separate process and in the process of the controllers. */
class ConsoleTest {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
  private static final List<String> READ_VERBS = List.of("get", "list", "watch");
  private static final String ADDRESS_PREFIX = "console at ";

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private ApiServer server;
  private RestApi admin;

  @BeforeEach
  void start() throws Exception {
    server =
        ApiServer.start(
            new ApiServer.ServerOptions(0, "admin-token", null)
                .withAuditLog(folder.resolve("audit")));
    admin = new RestApi(server.url(), "admin-token");
    server.tokens().accept("viewer-token", RequestUser.of("viewer", "", List.of()));
    create("PersistentVolumeClaim", claim("data", "2Gi"));
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
  }

  private void create(String kind, String json) throws Exception {
    assertThat(
            admin.create(JsonParser.parseString(json).getAsJsonObject()).get("kind").getAsString())
        .isEqualTo(kind);
  }

  private static String claim(String name, String size) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "%s"}}}}
    """
        .formatted(name, size);
  }

  private static String volume(String name, String size) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "%s"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}}
    """
        .formatted(name, size);
  }

  private void grantReads(String resources) throws Exception {
    admin.post(
        RBAC + "clusterroles",
        JsonParser.parseString(
                """
                {"metadata": {"name": "viewer"}, "rules": [{"apiGroups": ["", "storage.k8s.io", "coordination.k8s.io"], "resources": %s, "verbs": ["get", "list", "watch"]}]}
                """
                    .formatted(resources))
            .getAsJsonObject());
    admin.post(
        RBAC + "clusterrolebindings",
        JsonParser.parseString(
                """
                {"metadata": {"name": "viewer"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "viewer"},
                 "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "viewer"}]}
                """)
            .getAsJsonObject());
  }

  private Path kubeconfig(String token) throws IOException {
    return Files.writeString(
        folder.resolve(token), server.kubeconfig().replace("admin-token", token));
  }

  private JavaProcess startConsole() throws Exception {
    return JavaProcess.startMooring(
        "console",
        "--kubeconfig=" + kubeconfig("viewer-token"),
        "--listen=127.0.0.1:0",
        "--plugins=" + Resources.plugins());
  }

  private static String awaitUrl(JavaProcess process) throws InterruptedException {
    String line = process.awaitLine(output -> output.contains(ADDRESS_PREFIX));
    return line.substring(line.indexOf(ADDRESS_PREFIX) + ADDRESS_PREFIX.length()).split(" ", 2)[0];
  }

  private String get(String url) throws Exception {
    return client
        .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private JsonObject getJson(String url) throws Exception {
    return JsonParser.parseString(get(url)).getAsJsonObject();
  }

  private JsonObject findPlugin(String url, String name) throws Exception {
    for (JsonElement plugin : getJson(url + "plugins.json").getAsJsonArray("items")) {
      if (plugin.getAsJsonObject().get("name").getAsString().equals(name)) {
        return plugin.getAsJsonObject();
      }
    }
    throw new AssertionError("no plugin " + name + ": " + get(url + "plugins.json"));
  }

  @Test
  void console_readOnlyAccess_showsWaitingClaimWithoutWrites() throws Exception {
    grantReads("[\"*\"]");
    try (JavaProcess process = startConsole()) {
      String url = awaitUrl(process);
      TestWait.until("page shows the reason", () -> get(url).contains("NoVolume"));
      create("PersistentVolume", volume("pv-a", "1Gi"));
      TestWait.until(
          "volume is a candidate",
          () -> get(url + "claims/default/data").contains("has 1Gi, not 2Gi"));
      assertThat(getJson(url + "overview.json").getAsJsonArray("unseen")).isEmpty();
      assertThat(process.stop()).isEqualTo(143);
    }
    assertThat(
            AuditEvent.read(folder.resolve("audit")).stream()
                .filter(event -> event.userAgent().startsWith("mooring"))
                .map(AuditEvent::verb))
        .isNotEmpty()
        .allMatch(READ_VERBS::contains);
  }

  @Test
  void console_missingRights_namesUnreadableKinds() throws Exception {
    grantReads("[\"persistentvolumeclaims\", \"pods\"]");
    try (JavaProcess process = startConsole()) {
      String url = awaitUrl(process);
      TestWait.until("page shows the reason", () -> get(url).contains("ObjectsUnreadable"));
      assertThat(getJson(url + "overview.json").getAsJsonArray("unseen").toString())
          .contains("which persistentvolumes wait", "whether storageclasses, volumeattachments");
      assertThat(get(url + "claims/default/data"))
          .contains("ObjectsUnreadable", "persistentvolumes");
      assertThat(get(url + "volumes")).contains("This kind cannot be read: ");
    }
  }

  @Test
  void page_withControllers_showsLeaderBindingsAndPlugins() throws Exception {
    try (JavaProcess process =
        JavaProcess.startMooring(
            "run",
            "--mode=replace",
            "--kubeconfig=" + kubeconfig("admin-token"),
            "--console=127.0.0.1:0",
            "--endpoints=off",
            "--plugins=" + Resources.plugins())) {
      String url = awaitUrl(process);
      TestWait.until("page shows the reason", () -> get(url).contains("NoVolume"));
      create("PersistentVolume", volume("pv-b", "2Gi"));
      TestWait.until(
          "claim is bound, and the page shows it",
          () -> getJson(url + "overview.json").getAsJsonObject("timeToBound").has("claims"));
      TestWait.until("nothing waits", () -> get(url).contains("Nothing is waiting."));
      assertThat(getJson(url + "overview.json").getAsJsonObject("timeToBound").keySet())
          .contains("p50Milliseconds", "histogram");
      TestWait.until(
          "this process leads",
          () -> get(url).contains("this process, with Lease kube-system/mooring"));
      assertThat(get(url))
          .contains("persistentvolume-binder-controller", "console/plugins", "enabled");
      assertThat(
              getJson(url + "overview.json")
                  .getAsJsonObject("rates")
                  .getAsJsonObject("bound")
                  .get("lastTenMinutes")
                  .getAsInt())
          .isEqualTo(1);
      JsonObject hostPath = findPlugin(url, "kubernetes.io/host-path");
      assertThat(hostPath.get("works").getAsBoolean()).isTrue();
      assertThat(hostPath.get("version").getAsString()).matches("[0-9]+\\.[0-9]+\\..*");
      assertThat(hostPath.get("faults").getAsInt() + hostPath.get("hangingCalls").getAsInt())
          .isZero();
      assertThat(hostPath.get("abilities").toString()).contains("provision");
      assertThat(get(url + "plugins"))
          .contains("kubernetes.io/host-path", "has no CSI drivers")
          .contains("not configured", "needs --plugin-setting=nfs-exports=VALUE");
    }
  }

  @Test
  void page_driverAway_isOnOverviewAndOnPageOfClaim() throws Exception {
    create(
        "StorageClass",
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "disk"}, "provisioner": "disk.csi"}
        """);
    create("PersistentVolumeClaim", claim("disk", "1Gi").replace("\"\"", "\"disk\""));
    try (JavaProcess process =
        JavaProcess.startMooring(
            "run",
            "--mode=replace",
            "--kubeconfig=" + kubeconfig("admin-token"),
            "--console=127.0.0.1:0",
            "--endpoints=off",
            "--csi-endpoint=disk.csi=unix://" + folder.resolve("absent.sock"),
            "--plugins=" + Resources.csiPlugins())) {
      String url = awaitUrl(process);
      TestWait.until(
          "the overview names the driver",
          () ->
              get(url)
                  .contains("CSI driver <a href=\"/console/plugins\">disk.csi</a> is unavailable"));
      TestWait.until(
          "the page of the claim shows the driver in the chain of causes",
          () ->
              get(url + "claims/default/disk")
                  .matches("(?s).*class=\"because\".*disk\\.csi.*unavailable.*"));
    }
  }

  @Test
  void page_printedRoles_suffice() throws Exception {
    List<String> flags = List.of("--mode=beside", "--console=127.0.0.1:0");
    try (RestrictedServer restrictedServer = RestrictedServer.start(folder)) {
      restrictedServer
          .admin()
          .create(JsonParser.parseString(claim("data", "2Gi")).getAsJsonObject());
      Path kubeconfig = restrictedServer.kubeconfig(folder, flags, right -> false);
      try (JavaProcess process =
          JavaProcess.startMooring(
              "run",
              flags.getFirst(),
              flags.getLast(),
              "--kubeconfig=" + kubeconfig,
              "--endpoints=off",
              "--plugins=" + Resources.plugins())) {
        String url = awaitUrl(process);
        TestWait.until("page shows the reason", () -> get(url).contains("NoVolume"));
        assertThat(getJson(url + "overview.json").getAsJsonArray("unseen")).isEmpty();
        assertThat(get(url + "claims/default/data")).contains("NoVolume").doesNotContain("Unread");
      }
      assertThat(restrictedServer.forbiddenRequests()).isEmpty();
    }
  }

  @Test
  void publicAddress_withoutCertificate_isRejected() throws Exception {
    for (String[] args :
        List.of(
            new String[] {"console", "--listen=0.0.0.0:0"},
            new String[] {"run", "--console=0.0.0.0:0"})) {
      CommandResult result = CommandResult.ofCommand(args);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.lines()).hasSize(1);
      assertThat(result.output())
          .startsWith("mooring: " + args[1].split("=", 2)[0] + " 0.0.0.0:0 is reachable")
          .contains("--tls-cert-file");
    }
  }
}
