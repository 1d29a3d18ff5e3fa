package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authentication and authorization, with reviews by the embedded API server. */
class EndpointServerTest {
  private static final String GET_METRICS =
      """
      {"metadata": {"name": "metrics"}, "rules": [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]}
      """;
  private static final String BINDING =
      """
      {"metadata": {"name": "metrics"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "metrics"},
       "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "scraper"}]}
      """;

  @TempDir private Path folder;
  private final AtomicInteger resumed = new AtomicInteger();
  private final SimTime time = new SimTime();
  private ApiServer api;
  private KubeConnection connection;
  private CertificateAuthority authority;
  private EndpointServer endpoints;

  @BeforeEach
  void start() throws Exception {
    api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
    api.tokens().accept("of-the-scraper", RequestUser.of("scraper", "", List.of()));
    create(KindCatalogue.CLUSTER_ROLES, GET_METRICS);
    create(KindCatalogue.CLUSTER_ROLE_BINDINGS, BINDING);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
    authority = new CertificateAuthority();
    Path clients = Files.writeString(folder.resolve("clients.pem"), authority.pem());
    endpoints = startServer(new EndpointConfig(loopback(), Optional.empty(), Optional.of(clients)));
  }

  @AfterEach
  void stop() throws Exception {
    endpoints.stop();
    connection.close();
    api.close();
  }

  private static EndpointConfig plainConfig(InetSocketAddress address) {
    return new EndpointConfig(address, Optional.empty(), Optional.empty());
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private EndpointServer startServer(EndpointConfig config) throws IOException {
    return EndpointServer.start(
        config,
        new EndpointServer.Answers(
            () -> "",
            out -> out.write("some 1\n".getBytes()),
            () -> {
              resumed.incrementAndGet();
              return "";
            }),
        new SubjectReviews(connection),
        time);
  }

  private void create(ResourceType type, String json) throws Exception {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    api.handlers().create(type, "", object, WriteOptions.PLAIN);
  }

  private String request(String method, String path, String... headers) throws Exception {
    return new RawClient(endpoints.address().getPort(), Optional.empty())
        .request(method, path, headers);
  }

  private static String authorization(String token) {
    return "Authorization: Bearer " + token;
  }

  /** With DNS rebinding, a web page can send any header from a user's browser. */
  @Test
  void request_reboundHostName_getsHealthOnly() throws Exception {
    endpoints.stop();
    endpoints = startServer(plainConfig(loopback()));
    String resume = "POST " + EndpointServer.RESUME_PATH;
    assertThat(requestPlain("GET /metrics", "evil.example.com")).contains(" 421 ");
    assertThat(requestPlain(resume, "evil.example.com:" + endpoints.address().getPort()))
        .contains(" 421 ");
    assertThat(resumed).hasValue(0);
    assertThat(requestPlain("GET /livez", "evil.example.com")).contains(" 200 ");
    assertThat(requestPlain("GET /metrics", "localhost")).contains(" 200 ");
    assertThat(requestPlain(resume, "127.0.0.1")).contains(" 200 ");
    assertThat(resumed).hasValue(1);
  }

  private String requestPlain(String request, String host) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), endpoints.address().getPort())) {
      String text =
          "%s HTTP/1.1\r\nHost: %s\r\n%s: yes\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
              .formatted(request, host, EndpointServer.COMMAND_HEADER);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void request_withoutCredentials_getsHealthOnly() throws Exception {
    for (String path : List.of("/livez", "/readyz", "/healthz")) {
      assertThat(request("GET", path)).startsWith("200 ok");
      assertThat(request("POST", path)).startsWith("405 ");
    }
    for (String path :
        List.of("/metrics", "/", "/livez/x", "/livezz", "/metrics/", "/livez/../metrics")) {

      assertThat(request("GET", path))
          .as(path)
          .startsWith("403 Forbidden")
          .doesNotContain("some 1");
    }
    assertThat(request("GET", "//metrics")).startsWith("404 ");
    assertThat(request("GET", "/metrics", authorization("of-unknown"))).startsWith("401 ");
    assertThat(request("GET", "/metrics", "Authorization: Basic YTpi")).startsWith("401 ");
  }

  @Test
  void metrics_userWithoutRight_isRefused() throws Exception {
    assertThat(request("GET", "/metrics", authorization("of-the-scraper")))
        .startsWith("200 some 1");
    assertThat(request("GET", "/metrics", "authorization: bEARER of-the-scraper"))
        .startsWith("200 ");
    assertThat(request("POST", "/metrics", authorization("of-the-scraper"))).startsWith("403 ");
    assertThat(request("GET", "/else", authorization("of-the-scraper"))).startsWith("403 ");
    assertThat(request("GET", "/metrics", authorization("everything"))).startsWith("200 ");
    assertThat(request("GET", "/else", authorization("everything"))).startsWith("404 ");
  }

  @Test
  void metrics_revokedRight_isAcceptedForTenSeconds() throws Exception {
    assertThat(request("GET", "/metrics", authorization("of-the-scraper"))).startsWith("200 ");
    api.handlers().delete(KindCatalogue.CLUSTER_ROLE_BINDINGS, "", "metrics", WriteOptions.PLAIN);
    assertThat(request("GET", "/metrics", authorization("of-the-scraper"))).startsWith("200 ");
    time.advance(Duration.ofSeconds(10));
    assertThat(request("GET", "/metrics", authorization("of-the-scraper"))).startsWith("403 ");
  }

  @Test
  void metrics_reviewFails_is503() throws Exception {
    api.close();
    assertThat(request("GET", "/metrics", authorization("of-the-scraper")))
        .startsWith("503 authorization failed: ");
    assertThat(request("GET", "/livez")).startsWith("200 ");
  }

  @Test
  void metrics_clientCertificate_authenticatesUser() throws Exception {
    Duration day = Duration.ofDays(1);
    int port = endpoints.address().getPort();
    assertThat(
            new RawClient(port, Optional.of(authority.client("scraper", List.of(), day)))
                .request("GET", "/metrics"))
        .startsWith("200 ");
    assertThat(
            new RawClient(port, Optional.of(authority.client("other", List.of(), day)))
                .request("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"other\" cannot get path \"/metrics\"");
    assertThat(
            new RawClient(
                    port, Optional.of(authority.client("scraper", List.of(), Duration.ofDays(-1))))
                .request("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"system:anonymous\"");
    assertThat(
            new RawClient(
                    port, Optional.of(new CertificateAuthority().client("scraper", List.of(), day)))
                .request("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"system:anonymous\"");
  }

  @Test
  void resume_localKey_isAccepted() throws Exception {
    int port = endpoints.address().getPort();
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    LocalKey key = LocalKey.read(port).orElseThrow();
    assertThat(request("POST", EndpointServer.RESUME_PATH, EndpointServer.COMMAND_HEADER + ": x"))
        .startsWith("403 ");
    assertThat(request("GET", EndpointServer.RESUME_PATH, authorization(key.secret())))
        .startsWith("200 ");
    assertThat(resumed).as("GET only describes").hasValue(0);
    assertThat(request("POST", EndpointServer.RESUME_PATH, authorization(key.secret())))
        .startsWith("405 ");
    assertThat(resumed).hasValue(0);
    assertThat(
            request(
                "POST",
                EndpointServer.RESUME_PATH,
                authorization(key.secret()),
                EndpointServer.COMMAND_HEADER + ": x"))
        .startsWith("200 ");
    assertThat(resumed).hasValue(1);
    endpoints.stop();
    assertThat(file).doesNotExist();
  }

  @Test
  void request_plainHttp_isNotAnswered() throws Exception {
    try (Socket plain =
        new Socket(InetAddress.getLoopbackAddress(), endpoints.address().getPort())) {
      plain
          .getOutputStream()
          .write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      plain.shutdownOutput();
      byte[] answer = plain.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1", "ok");
    } catch (java.net.SocketException e) {
      // in addition
    }
  }

  @Test
  void request_largeBody_is413() throws Exception {
    assertThat(request("GET", "/livez", "Content-Length: 70000")).startsWith("413 ");
  }

  @Test
  void start_certificateFilesReplaced_presentsNewCertificate() throws Exception {
    Path certificate = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    CertificateAuthority.KeyPairFiles first = authority.server(List.of("localhost", "127.0.0.1"));
    CertificateAuthority.KeyPairFiles second = authority.server(List.of("localhost"));
    Files.writeString(certificate, first.certificate());
    Files.writeString(key, first.key());
    endpoints.stop();
    endpoints =
        startServer(
            new EndpointConfig(
                loopback(),
                Optional.of(new EndpointConfig.KeyFiles(certificate, key)),
                Optional.empty()));
    X509Certificate oldCertificate = presentedCertificate();
    assertThat(oldCertificate.getSubjectAlternativeNames()).hasSize(2);
    Files.writeString(certificate, second.certificate());
    assertThat(presentedCertificate())
        .as("the new key is not written yet")
        .isEqualTo(oldCertificate);
    Files.writeString(key, second.key());
    TestWait.until(
        "the new certificate is presented", () -> !presentedCertificate().equals(oldCertificate));
    assertThat(presentedCertificate().getSubjectAlternativeNames()).hasSize(1);
  }

  private X509Certificate presentedCertificate() throws Exception {
    RawClient client = new RawClient(endpoints.address().getPort(), Optional.empty());
    try (SSLSocket socket = client.connect()) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void start_missingFiles_throwsWithTheirNames() {
    Path missing = folder.resolve("none");
    assertThatThrownBy(() ->
            startServer(
                new EndpointConfig(
                    loopback(),
                    Optional.of(new EndpointConfig.KeyFiles(missing, missing)),
                    Optional.empty())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--tls-cert-file " + missing);
    assertThatThrownBy(() ->
            startServer(new EndpointConfig(loopback(), Optional.empty(), Optional.of(missing))))
        .hasMessageContaining("--client-ca-file " + missing);
  }

  @Test
  void config_publicAddress_requiresTls() {
    EndpointConfig publicConfig = plainConfig(new InetSocketAddress("0.0.0.0", 0));
    assertThat(publicConfig.usesTls()).isTrue();
    assertThat(publicConfig.requiresCredentials()).isTrue();
    assertThat(plainConfig(loopback()).usesTls()).isFalse();
  }
}
