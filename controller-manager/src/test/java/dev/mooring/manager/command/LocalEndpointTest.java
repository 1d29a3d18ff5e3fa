package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointServer;
import dev.mooring.manager.endpoint.LocalKey;
import dev.mooring.time.SystemTime;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalEndpointTest {
  private static final Map<String, String> COMMAND = Map.of(EndpointServer.COMMAND_HEADER, "x");

  @TempDir private Path folder;
  private final AtomicInteger resumed = new AtomicInteger();
  private ApiServer api;
  private KubeConnection connection;

  @BeforeEach
  void start() throws Exception {
    api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
  }

  @AfterEach
  void stop() throws Exception {
    connection.close();
    api.close();
  }

  private EndpointServer at(
      int port, Optional<EndpointConfig.KeyFiles> files, Optional<Path> clients) throws Exception {
    return EndpointServer.start(
        new EndpointConfig(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), files, clients),
        new EndpointServer.Answers(
            () -> "not yet",
            out -> {},
            () -> {
              resumed.incrementAndGet();
              return "";
            }),
        new SubjectReviews(connection),
        new SystemTime());
  }

  private static LocalEndpoint to(EndpointServer endpoints) {
    return new LocalEndpoint("127.0.0.1:" + endpoints.address().getPort(), Duration.ofSeconds(60));
  }

  private Path clients() throws Exception {
    return Files.writeString(folder.resolve("ca.pem"), new CertificateAuthority().pem());
  }

  private void answers(EndpointServer endpoints) throws Exception {
    assertThat(to(endpoints).send("GET", "/livez", Map.of()))
        .isEqualTo(new LocalEndpoint.Answer(200, "ok"));
    assertThat(to(endpoints).send("GET", "/readyz", Map.of()))
        .isEqualTo(new LocalEndpoint.Answer(503, "not yet"));
    int before = resumed.get();
    assertThat(to(endpoints).send("POST", EndpointServer.RESUME_PATH, COMMAND).code())
        .isEqualTo(200);
    assertThat(resumed).hasValue(before + 1);
  }

  @Test
  void ask_withAndWithoutTls_isAnswered() throws Exception {
    CertificateAuthority.KeyPairFiles keyFiles =
        new CertificateAuthority().server(List.of("localhost"));
    Path certificate = Files.writeString(folder.resolve("tls.crt"), keyFiles.certificate());
    Path key = Files.writeString(folder.resolve("tls.key"), keyFiles.key());
    for (EndpointServer endpoints :
        List.of(
            at(0, Optional.empty(), Optional.empty()),
            at(0, Optional.of(new EndpointConfig.KeyFiles(certificate, key)), Optional.empty()),
            at(0, Optional.empty(), Optional.of(clients())))) {
      try {
        answers(endpoints);
      } finally {
        endpoints.stop();
      }
    }
  }

  @Test
  void ask_staleKey_isNotSent() throws Exception {
    EndpointServer killed = at(0, Optional.empty(), Optional.of(clients()));
    int port = killed.address().getPort();
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
    String left = Files.readString(file);
    killed.stop();
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, left);
    try {
      assertThat(LocalKey.read(port)).isPresent();
      assertThatThrownBy(() ->
              new LocalEndpoint("127.0.0.1:" + port, Duration.ofSeconds(60))
                  .send("GET", "/livez", Map.of()))
          .isInstanceOf(ConnectException.class);
      EndpointServer another = at(port, Optional.empty(), Optional.empty());
      try {
        answers(another);
      } finally {
        another.stop();
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
