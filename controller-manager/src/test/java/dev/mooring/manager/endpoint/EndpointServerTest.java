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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Authentication and authorization, with reviews by the embedded API server. */
@Timeout(300)
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
    endpoints = started(new EndpointConfig(loopback(), Optional.empty(), Optional.of(clients)));
  }

  @AfterEach
  void stop() throws Exception {
    endpoints.stop();
    connection.close();
    api.close();
  }

  private static EndpointConfig plain(InetSocketAddress address) {
    return new EndpointConfig(address, Optional.empty(), Optional.empty());
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private EndpointServer started(EndpointConfig config) throws IOException {
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

  private String asked(String method, String path, String... headers) throws Exception {
    return new RawClient(endpoints.address().getPort(), Optional.empty())
        .ask(method, path, headers);
  }

  private static String token(String token) {
    return "Authorization: Bearer " + token;
  }

  /** With DNS rebinding, a web page can send any header from a user's browser. */
  @Test
  void reboundHostName_servesHealthOnly() throws Exception {
    endpoints.stop();
    endpoints = started(plain(loopback()));
    String resume = "POST " + EndpointServer.RESUME;
    assertThat(plain("GET /metrics", "evil.example.com")).contains(" 421 ");
    assertThat(plain(resume, "evil.example.com:" + endpoints.address().getPort()))
        .contains(" 421 ");
    assertThat(resumed).hasValue(0);
    assertThat(plain("GET /livez", "evil.example.com")).contains(" 200 ");
    assertThat(plain("GET /metrics", "localhost")).contains(" 200 ");
    assertThat(plain(resume, "127.0.0.1")).contains(" 200 ");
    assertThat(resumed).hasValue(1);
  }

  private String plain(String request, String host) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), endpoints.address().getPort())) {
      String text =
          "%s HTTP/1.1\r\nHost: %s\r\n%s: yes\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
              .formatted(request, host, EndpointServer.HEADER);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void unauthenticated_servesHealthOnly() throws Exception {
    for (String path : List.of("/livez", "/readyz", "/healthz")) {
      assertThat(asked("GET", path)).startsWith("200 ok");
      assertThat(asked("POST", path)).startsWith("405 ");
    }
    for (String path :
        List.of("/metrics", "/", "/livez/x", "/livezz", "/metrics/", "/livez/../metrics")) {

      assertThat(asked("GET", path)).as(path).startsWith("403 Forbidden").doesNotContain("some 1");
    }
    assertThat(asked("GET", "//metrics")).startsWith("404 ");
    assertThat(asked("GET", "/metrics", token("of-unknown"))).startsWith("401 ");
    assertThat(asked("GET", "/metrics", "Authorization: Basic YTpi")).startsWith("401 ");
  }

  @Test
  void metrics_requireAuthorization() throws Exception {
    assertThat(asked("GET", "/metrics", token("of-the-scraper"))).startsWith("200 some 1");
    assertThat(asked("GET", "/metrics", "authorization: bEARER of-the-scraper")).startsWith("200 ");
    assertThat(asked("POST", "/metrics", token("of-the-scraper"))).startsWith("403 ");
    assertThat(asked("GET", "/else", token("of-the-scraper"))).startsWith("403 ");
    assertThat(asked("GET", "/metrics", token("everything"))).startsWith("200 ");
    assertThat(asked("GET", "/else", token("everything"))).startsWith("404 ");
  }

  @Test
  void reviews_areCachedForTenSeconds() throws Exception {
    assertThat(asked("GET", "/metrics", token("of-the-scraper"))).startsWith("200 ");
    api.handlers().delete(KindCatalogue.CLUSTER_ROLE_BINDINGS, "", "metrics", WriteOptions.PLAIN);
    assertThat(asked("GET", "/metrics", token("of-the-scraper"))).startsWith("200 ");
    time.advance(Duration.ofSeconds(10));
    assertThat(asked("GET", "/metrics", token("of-the-scraper"))).startsWith("403 ");
  }

  @Test
  void reviewFails_is503() throws Exception {
    api.close();
    assertThat(asked("GET", "/metrics", token("of-the-scraper")))
        .startsWith("503 authorization failed: ");
    assertThat(asked("GET", "/livez")).startsWith("200 ");
  }

  @Test
  void clientCertificate_authenticates() throws Exception {
    Duration day = Duration.ofDays(1);
    int port = endpoints.address().getPort();
    assertThat(
            new RawClient(port, Optional.of(authority.client("scraper", List.of(), day)))
                .ask("GET", "/metrics"))
        .startsWith("200 ");
    assertThat(
            new RawClient(port, Optional.of(authority.client("other", List.of(), day)))
                .ask("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"other\" cannot get path \"/metrics\"");
    assertThat(
            new RawClient(
                    port, Optional.of(authority.client("scraper", List.of(), Duration.ofDays(-1))))
                .ask("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"system:anonymous\"");
    assertThat(
            new RawClient(
                    port, Optional.of(new CertificateAuthority().client("scraper", List.of(), day)))
                .ask("GET", "/metrics"))
        .startsWith("403 Forbidden: User \"system:anonymous\"");
  }

  @Test
  void localKey_authenticatesCommands() throws Exception {
    int port = endpoints.address().getPort();
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    LocalKey key = LocalKey.read(port).orElseThrow();
    assertThat(asked("POST", EndpointServer.RESUME, EndpointServer.HEADER + ": x"))
        .startsWith("403 ");
    assertThat(asked("GET", EndpointServer.RESUME, token(key.secret()))).startsWith("200 ");
    assertThat(resumed).as("GET only describes").hasValue(0);
    assertThat(asked("POST", EndpointServer.RESUME, token(key.secret()))).startsWith("405 ");
    assertThat(resumed).hasValue(0);
    assertThat(
            asked(
                "POST", EndpointServer.RESUME, token(key.secret()), EndpointServer.HEADER + ": x"))
        .startsWith("200 ");
    assertThat(resumed).hasValue(1);
    endpoints.stop();
    assertThat(file).doesNotExist();
  }

  @Test
  void plainHttp_isNotAnswered() throws Exception {
    try (Socket plain =
        new Socket(InetAddress.getLoopbackAddress(), endpoints.address().getPort())) {
      plain
          .getOutputStream()
          .write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      plain.shutdownOutput();
      byte[] said = plain.getInputStream().readAllBytes();
      assertThat(new String(said, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1", "ok");
    } catch (java.net.SocketException ended) {
      // in addition
    }
  }

  @Test
  void largeBody_isRefused() throws Exception {
    assertThat(asked("GET", "/livez", "Content-Length: 70000")).startsWith("413 ");
  }

  @Test
  void certificates_areReloaded() throws Exception {
    Path certificate = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    CertificateAuthority.KeyPairFiles first = authority.server(List.of("localhost", "127.0.0.1"));
    CertificateAuthority.KeyPairFiles second = authority.server(List.of("localhost"));
    Files.writeString(certificate, first.certificate());
    Files.writeString(key, first.key());
    endpoints.stop();
    endpoints =
        started(
            new EndpointConfig(
                loopback(),
                Optional.of(new EndpointConfig.KeyFiles(certificate, key)),
                Optional.empty()));
    X509Certificate before = shown();
    assertThat(before.getSubjectAlternativeNames()).hasSize(2);
    Files.writeString(certificate, second.certificate());
    assertThat(shown()).as("the new key is not written yet").isEqualTo(before);
    Files.writeString(key, second.key());
    TestWait.until("the new certificate is presented", () -> !shown().equals(before));
    assertThat(shown().getSubjectAlternativeNames()).hasSize(1);
  }

  private X509Certificate shown() throws Exception {
    RawClient client = new RawClient(endpoints.address().getPort(), Optional.empty());
    try (SSLSocket socket = client.connect()) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void start_invalidFiles_namesThem() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() ->
            started(
                new EndpointConfig(
                    loopback(),
                    Optional.of(new EndpointConfig.KeyFiles(none, none)),
                    Optional.empty())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--tls-cert-file " + none);
    assertThatThrownBy(
            () -> started(new EndpointConfig(loopback(), Optional.empty(), Optional.of(none))))
        .hasMessageContaining("--client-ca-file " + none);
  }

  @Test
  void publicAddress_requiresTls() {
    EndpointConfig anywhere = plain(new InetSocketAddress("0.0.0.0", 0));
    assertThat(anywhere.speaksTls()).isTrue();
    assertThat(anywhere.asksForCredentials()).isTrue();
    assertThat(plain(loopback()).speaksTls()).isFalse();
  }
}
