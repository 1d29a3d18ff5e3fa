package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.console.ConsoleServer;
import dev.mooring.manager.console.WatchedCluster;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.SystemTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleAccessTest {
  @TempDir private Path folder;
  private final SystemTime time = new SystemTime();
  private ApiServer api;
  private KubeConnection connection;
  private CertificateAuthority authority;
  private ConsoleServer console;

  @BeforeEach
  void start() throws Exception {
    api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
    api.tokens().accept("of-user", RequestUser.of("user", "", List.of()));
    create(
        KindCatalogue.CLUSTER_ROLES,
        """
        {"metadata": {"name": "looks"}, "rules": [{"nonResourceURLs": ["/console", "/console/*"], "verbs": ["get"]}]}
        """);
    create(
        KindCatalogue.CLUSTER_ROLE_BINDINGS,
        """
        {"metadata": {"name": "looks"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "looks"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "looker"}]}
        """);
    api.tokens().accept("of-the-looker", RequestUser.of("looker", "", List.of()));
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
    KubeCluster reader = KubeCluster.alone(connection, time);
    authority = new CertificateAuthority();
    Path clients = Files.writeString(folder.resolve("clients.pem"), authority.pem());
    console =
        ConsoleServer.start(
            new EndpointConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                Optional.of(clients)),
            new WatchedCluster(
                new WatchedCluster.Source(
                    connection, reader, new KubeEvents(reader), LoadedPlugins.NONE, time),
                new WatchedCluster.Process(Compat.MOORING, List::of, () -> ""),
                List.of()),
            connection,
            () -> "",
            time);
  }

  @AfterEach
  void stop() throws Exception {
    console.stop();
    connection.close();
    time.close();
    api.close();
  }

  private void create(ResourceType type, String json) throws Exception {
    api.handlers()
        .create(type, "", JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private String get(String path, String... headers) throws Exception {
    return new RawClient(URI.create(console.url()).getPort(), Optional.empty())
        .request("GET", path, headers);
  }

  @Test
  void get_unauthorizedUser_isRefused() throws Exception {
    List<String> paths =
        List.of(
            "/",
            "/console/",
            "/console/claims.json",
            "/console/claims/default/x",
            "/console/events",
            "/console/assets/console.js",
            "/metrics",
            "/deletions/resume");
    for (String path : paths) {
      assertThat(get(path)).as(path).startsWith("403 Forbidden");
      assertThat(get(path, "Authorization: Bearer of-unknown")).as(path).startsWith("401 ");
      assertThat(get(path, "Authorization: Bearer of-user")).as(path).startsWith("403 ");
    }
    assertThat(get("/livez")).startsWith("200 ok");
    assertThat(get("/console/", "Authorization: Bearer of-the-looker"))
        .startsWith("200 <!doctype html>");
    assertThat(get("/console/claims.json", "Authorization: Bearer of-the-looker"))
        .startsWith("200 {");
  }

  @Test
  void get_pathOutsideConsole_isNotFound() throws Exception {
    assertThat(get("/metrics", "Authorization: Bearer everything")).startsWith("404 ");
    assertThat(get("/deletions/resume", "Authorization: Bearer everything")).startsWith("404 ");
    assertThat(get("/", "Authorization: Bearer everything")).startsWith("302 ");
  }
}
