package dev.mooring.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.cluster.RbacRule;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.it.RightsTrial;
import dev.mooring.kube.auth.TlsCertificates;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.testkit.TestWait;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Runs mode {@code console} with a page that requires authorization. In its cluster, one object
 * waits for each fact that only the server can supply.
 */
final class ConsoleTrial implements RightsTrial {
  private static final String ADDRESS_PREFIX = "console at ";
  private static final List<String> PAGES =
      List.of(
          "claims/default/classless.json",
          "claims/default/lost.json",
          "claims/default/changing.json",
          "volumes/released.json");

  @Override
  public List<RbacRule> rights() throws Exception {
    return RunFlags.rightsOfPage(List.of("--console=127.0.0.1:10288", "--client-ca-file=/anybody"));
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    return new ConsoleStage(folder);
  }

  private static final class ConsoleStage implements Stage {
    private final Path folder;
    private final RestrictedServer granted;
    private final RestApi api;

    ConsoleStage(Path folder) throws Exception {
      this.folder = folder;
      granted = RestrictedServer.start(folder);
      api = granted.admin();
      createClaim("classless", "\"storageClassName\": \"none\"", "Pending");
      createClaim("lost", "\"storageClassName\": \"\", \"volumeName\": \"none\"", "Pending");
      createClaim(
          "changing",
          "\"storageClassName\": \"\", \"volumeName\": \"driven\", \"volumeAttributesClassName\": \"none\"",
          "Bound");
      String claimRef =
          "\"claimRef\": {\"namespace\": \"default\", \"name\": \"%s\", \"uid\": \"%s\"}, ";
      createVolume("released", claimRef.formatted("gone", "u-1"));
      createVolume("driven", claimRef.formatted("changing", readUid("changing")));
    }

    private void createClaim(String name, String spec, String phase) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "annotations": {%s}},
           "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, %s}, "status": {"phase": "%s"}}
          """
              .formatted(
                  name,
                  phase.equals("Bound") ? "\"pv.kubernetes.io/bind-completed\": \"yes\"" : "",
                  spec,
                  phase));
    }

    private String readUid(String claim) throws Exception {
      return api.get("PersistentVolumeClaim", "default", claim)
          .getAsJsonObject("metadata")
          .get("uid")
          .getAsString();
    }

    private void createVolume(String name, String spec) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
           "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], %s"csi": {"driver": "csi.example.com", "volumeHandle": "%1$s"}}, "status": {"phase": "Bound"}}
          """
              .formatted(name, spec));
    }

    private void create(String json) throws Exception {
      api.create(JsonParser.parseString(json).getAsJsonObject());
    }

    @Override
    public RestrictedServer server() {
      return granted;
    }

    @Override
    public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
      Path authority =
          Files.writeString(folder.resolve("ca.pem"), new CertificateAuthority().pem());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {TlsCertificates.acceptingAny()}, null);
      try (JavaProcess process =
              JavaProcess.startMooring(
                  "console",
                  "--listen=127.0.0.1:0",
                  "--client-ca-file=" + authority,
                  "--kubeconfig=" + kubeconfig,
                  "--plugins=" + Resources.plugins());
          HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
        String line = process.awaitLine(output -> output.contains(ADDRESS_PREFIX));
        String url =
            line.substring(line.indexOf(ADDRESS_PREFIX) + ADDRESS_PREFIX.length()).split(" ", 2)[0];
        TestWait.until(
            "page requires authorization",
            () -> get(client, url, granted.unprivilegedToken()).statusCode() == 403);
        TestWait.until(
            () -> "all is listed: " + getText(client, url + "waiting.json"),
            () -> getText(client, url + "waiting.json").contains("classless"));
        for (String page : PAGES) {
          TestWait.until(
              () -> page + " is known: " + getText(client, url + page),
              () -> getText(client, url + page).contains("\"reason\""));
          assertThat(getText(client, url + page)).as(page).doesNotContain("ObjectsUnreadable");
        }
      }
    }

    private static String getText(HttpClient client, String url) {
      try {
        return get(client, url, RestrictedServer.TOKEN).body();
      } catch (Exception e) {
        return String.valueOf(e);
      }
    }

    private static HttpResponse<String> get(HttpClient client, String url, String token)
        throws Exception {
      return client.send(
          HttpRequest.newBuilder(URI.create(url))
              .header("Authorization", "Bearer " + token)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() throws Exception {
      granted.close();
    }
  }
}
