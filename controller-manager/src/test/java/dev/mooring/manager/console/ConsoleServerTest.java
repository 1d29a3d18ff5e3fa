package dev.mooring.manager.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console over HTTP, with the embedded API server. */
class ConsoleServerTest {
  private static final String VOLUME =
      """
      {"metadata": {"name": "pv-a"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}, "status": {"phase": "Available"}}
      """;
  private static final String POD =
      """
      {"metadata": {"name": "web-0", "namespace": "default"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}}
      """;
  private static final String CLAIM =
      """
      {"metadata": {"name": "%s", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "2Gi"}}}}
      """;

  private static final String DISK_CLASS =
      """
      {"metadata": {"name": "disk"}, "provisioner": "disk.csi"}
      """;
  private static final String OUTAGE_EVENT =
      """
      {"metadata": {"name": "disk.1", "namespace": "default"}, "type": "Warning", "reason": "DriverUnavailable",
       "message": "CSI driver disk.csi is unavailable: connection refused; Mooring calls it again every second",
       "involvedObject": {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "disk", "uid": "%s"}, "lastTimestamp": "%s"}
      """;

  @TempDir private Path folder;
  private final SystemTime time = new SystemTime();
  private final HttpClient client = HttpClient.newHttpClient();
  private ApiServer api;
  private KubeConnection connection;
  private ConsoleServer console;

  @BeforeEach
  void start() throws Exception {
    api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
    create(KindCatalogue.VOLUMES, VOLUME);
    create(KindCatalogue.CLAIMS, CLAIM.formatted("data", ""));
    create(KindCatalogue.PODS, POD);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
    KubeCluster reader = KubeCluster.alone(connection, time);
    WatchedCluster cluster =
        new WatchedCluster(
            new WatchedCluster.Source(
                connection, reader, new KubeEvents(reader), LoadedPlugins.NONE, time),
            new WatchedCluster.Process(Compat.MOORING, List::of, () -> ""),
            List.of());
    console =
        ConsoleServer.start(
            new EndpointConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                Optional.empty()),
            cluster,
            connection,
            () -> "",
            time);
    TestWait.until("the first full evaluation", () -> !get("").body().contains("still being read"));
  }

  @AfterEach
  void stop() throws Exception {
    console.stop();
    connection.close();
    client.close();
    time.close();
    api.close();
  }

  private void create(ResourceType type, String json) throws Exception {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    JsonElement namespace = object.getAsJsonObject("metadata").get("namespace");
    api.handlers()
        .create(type, namespace == null ? "" : namespace.getAsString(), object, WriteOptions.PLAIN);
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console.url() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private JsonObject json(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Test
  void overview_waitingClaim_isListedWithReason() throws Exception {
    assertThat(get("").body())
        .contains("<h1>Overview</h1>", "NoVolume", "/console/claims/default/data");
    JsonObject overview = json("overview.json");
    assertThat(overview.getAsJsonObject("objects").getAsJsonObject("claims"))
        .hasToString("{\"total\":1,\"waiting\":1}");
    assertThat(overview.getAsJsonArray("reasons").get(0).getAsJsonObject().get("code"))
        .hasToString("\"NoVolume\"");
  }

  @Test
  void claimPage_waitingClaim_showsExplanation() throws Exception {
    assertThat(get("claims/default/data").body())
        .contains("Claim data", "NoVolume", "pv-a", "has 1Gi, not 2Gi")
        .contains("Related", "/console/pods/default/web-0");
    JsonObject jsonPage = json("claims/default/data.json");
    assertThat(jsonPage.getAsJsonArray("items")).hasSize(1);
    JsonObject item = jsonPage.getAsJsonArray("items").get(0).getAsJsonObject();
    assertThat(item.getAsJsonObject("reason").get("code").getAsString()).isEqualTo("NoVolume");
    assertThat(item.getAsJsonObject("evidence").getAsJsonArray("candidates")).hasSize(1);
    String negotiated = get("claims/default/data", "Accept", "application/json").body();
    assertThat(JsonParser.parseString(negotiated)).isEqualTo(jsonPage);
    assertThat(get("claims/default/data", "Accept", "text/html,application/json;q=0.5").body())
        .startsWith("<!doctype html>");
  }

  @Test
  void claimPage_waitingClaim_hasCommandsAndTimeline() throws Exception {
    assertThat(get("claims/default/data").body())
        .contains("<code>mooring explain pvc/data -n default</code>")
        .contains("<code>kubectl describe pvc data -n default</code>")
        .contains("<code>kubectl get storageclasses</code>")
        .contains("<h2 id=\"timeline-title\">Timeline</h2>", "was created");
  }

  @Test
  void classPage_driverReportedUnavailable_showsOutage() throws Exception {
    create(KindCatalogue.CLASSES, DISK_CLASS);
    create(KindCatalogue.CLAIMS, CLAIM.formatted("disk", "disk"));
    String uid = readUid("disk");
    create(KindCatalogue.EVENTS, OUTAGE_EVENT.formatted(uid, Instant.now()));
    TestWait.until(
        "the outage is shown",
        () ->
            get("classes/disk")
                .body()
                .contains("CSI driver disk.csi is unavailable: connection refused<"));
  }

  private String readUid(String claim) throws Exception {
    return api.handlers()
        .get(KindCatalogue.CLAIMS, "default", claim)
        .tree()
        .getAsJsonObject("metadata")
        .get("uid")
        .getAsString();
  }

  @Test
  void lists_sixtyMatches_areSearchedAndPaged() throws Exception {
    for (int i = 0; i < 60; i++) {
      create(KindCatalogue.CLAIMS, CLAIM.formatted("many-%02d".formatted(i), ""));
    }
    TestWait.until(
        "all claims are listed", () -> json("claims.json?q=MANY").get("found").getAsInt() == 60);
    JsonObject secondPage = json("claims.json?q=many&page=2");
    assertThat(secondPage.get("pages").getAsInt()).isEqualTo(2);
    JsonArray items = secondPage.getAsJsonArray("items");
    assertThat(items).hasSize(10);
    assertThat(items.get(0).getAsJsonObject().get("name").getAsString()).isEqualTo("many-50");
    assertThat(get("claims?q=many&page=2").body())
        .contains("60 of 61 claims", "Page 2 of 2", "/console/claims?q=many\"");
    assertThat(json("claims.json?namespace=elsewhere").get("found").getAsInt()).isZero();
    assertThat(json("claims.json?page=9999").get("page").getAsInt()).isEqualTo(2);
  }

  @Test
  void lists_everyKind_isServed() throws Exception {
    for (String list :
        List.of("waiting", "claims", "volumes", "pods", "classes", "attachments", "nodes")) {
      assertThat(get(list).statusCode()).as(list).isEqualTo(200);
      assertThat(json(list + ".json").get("items")).as(list).isNotNull();
    }
    assertThat(get("volumes/pv-a").body()).contains("Volume pv-a", "PhaseDue");
    assertThat(get("pods/default/web-0").body()).contains("/console/claims/default/data");
  }

  private long readPageVersion() throws Exception {
    Matcher version = Pattern.compile("data-version=\"(\\d+)\"").matcher(get("").body());
    assertThat(version.find()).isTrue();
    return Long.parseLong(version.group(1));
  }

  /** Waits like a browser: a stream ends after some seconds, and the browser reconnects. */
  private void awaitChangeEvent(long version) {
    TestWait.until("a change after version " + version, () -> readsChangeEvent(version));
  }

  private boolean readsChangeEvent(long version) throws Exception {
    HttpResponse<InputStream> stream =
        client.send(
            HttpRequest.newBuilder(URI.create(console.url() + "events?since=" + version)).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith("retry: ");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("event: change")) {
          return true;
        }
      }
      return false;
    }
  }

  @Test
  void events_newClaim_isReported() throws Exception {
    long version = readPageVersion();
    create(KindCatalogue.CLAIMS, CLAIM.formatted("other", "missing"));
    awaitChangeEvent(version);
    TestWait.until("the object is listed", () -> get("claims").body().contains("/default/other"));
    TestWait.until(
        "so is why", () -> get("waiting?reason=ClassMissing").body().contains("/default/other"));
  }

  @Test
  void outage_apiServerStops_isShownAndReportedAsEvent() throws Exception {
    assertThat(get("").body()).doesNotContain("data-outage", "has not answered since");
    long version = readPageVersion();
    api.close();
    TestWait.until("the page shows the outage", () -> get("").body().contains("data-outage"));
    awaitChangeEvent(version);
    for (String page : List.of("", "waiting", "claims", "plugins")) {
      assertThat(get(page).body())
          .as(page)
          .contains("The API server has not answered since", "<time datetime=\"20");
    }
    assertThat(get("").body()).doesNotContain("Nothing is waiting.");
    assertThat(json("waiting.json").getAsJsonObject("outage").get("since").getAsString())
        .startsWith("20");
  }

  @Test
  void headers_anyPage_forbidExternalContent() throws Exception {
    for (String path : List.of("", "claims", "claims.json", "nothing", "assets/console.js")) {
      HttpResponse<String> answer = get(path);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'self'; ");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.body()).doesNotContain("://cdn", " style=\"", "<script>", " onclick");
    }
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(console.url()))
            .POST(HttpRequest.BodyPublishers.ofString("x"))
            .build();
    assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void request_reboundHostName_is421() throws Exception {
    int port = URI.create(console.url()).getPort();
    assertThat(statusLine(port, "evil.example.com")).contains(" 421 ");
    assertThat(statusLine(port, "evil.example.com:" + port)).contains(" 421 ");
    assertThat(statusLine(port, "localhost:" + port)).contains(" 200 ");
    assertThat(statusLine(port, "[::1]:" + port)).contains(" 200 ");
    assertThat(statusLine(port, "127.0.0.1")).contains(" 200 ");
  }

  private static String statusLine(int port, String host) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "GET /console/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(host)
                  .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  @Test
  void page_missingObject_is404AsHtmlAndJson() throws Exception {
    for (String path :
        List.of(
            "claims/default/none", "nothing", "claims/a/b/c", "volumes/%zz", "volumes/%2e%2e")) {
      HttpResponse<String> answer = get(path.replace("%zz", "%25zz"));
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
      assertThat(answer.body()).contains("<h1>Not found</h1>");
    }
    HttpResponse<String> json = get("claims/default/none.json");
    assertThat(json.statusCode()).isEqualTo(404);
    assertThat(JsonParser.parseString(json.body()).getAsJsonObject().get("message").getAsString())
        .contains("There is no PersistentVolumeClaim default/none");
  }

  @Test
  void page_nameWithFormatExtension_isServed() throws Exception {
    create(KindCatalogue.CLAIMS, CLAIM.formatted("data.json", ""));
    TestWait.until("the object is listed", () -> get("claims").body().contains("data.json.html"));
    assertThat(get("claims/default/data.json.html").body()).contains("<h1>Claim data.json</h1>");
    assertThat(json("claims/default/data.json").toString()).contains("\"name\":\"data\"");
    assertThat(json("claims/default/data.json.json").toString()).contains("\"name\":\"data.json\"");
  }
}
