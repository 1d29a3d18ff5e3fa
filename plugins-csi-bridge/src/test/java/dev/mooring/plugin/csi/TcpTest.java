package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.apiserver.tls.CertificateAuthority.KeyPairFiles;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector.Tls;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.TestWait;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that listen on a TCP port. */
class TcpTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Settings ABLE =
      Settings.of("d.example.com", DriverCapability.CONTROLLER_SERVICE);
  private static final List<String> LOCAL_NAMES =
      List.of("127.0.0.1", "localhost", "driver.example");

  private static CertificateAuthority authority;
  private static KeyPairFiles clientCredential;
  private static KeyPairFiles driverCredential;

  @TempDir private Path folder;
  private Tls tls;

  @BeforeAll
  static void createCertificates() throws Exception {
    authority = new CertificateAuthority();
    clientCredential = authority.server(LOCAL_NAMES);
    driverCredential = authority.server(LOCAL_NAMES);
  }

  @BeforeEach
  void writeFiles() throws Exception {
    tls =
        new Tls(folder.resolve("ca.crt"), folder.resolve("tls.crt"), folder.resolve("tls.key"), "");
    write(authority, clientCredential);
  }

  private void write(CertificateAuthority authority, KeyPairFiles pair) throws Exception {
    Files.writeString(tls.authority(), authority.pem());
    Files.writeString(tls.certificate(), pair.certificate());
    Files.writeString(tls.key(), pair.key());
  }

  private static InputStream in(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /** Starts a driver that requires client certificates of the authority. */
  private ReferenceDriver driver(
      int port, CertificateAuthority authority, KeyPairFiles driverCredential) throws Exception {
    ServerCredentials credentials =
        TlsServerCredentials.newBuilder()
            .keyManager(in(driverCredential.certificate()), in(driverCredential.key()))
            .trustManager(in(authority.pem()))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build();
    return new ReferenceDriver(port, credentials, new VolumeStore(folder), ABLE);
  }

  /** Starts a driver at the address of a stopped one, whose port may stay occupied for a moment. */
  private ReferenceDriver sameAddress(
      int port, CertificateAuthority authority, KeyPairFiles driverCredential) throws Exception {
    AtomicReference<ReferenceDriver> started = new AtomicReference<>();
    TestWait.until(
        () -> "port " + port + " is not free",
        () -> {
          try {
            started.set(driver(port, authority, driverCredential));
            return true;
          } catch (IOException e) {
            return false;
          }
        });
    return started.get();
  }

  private static CsiConnection connect(ReferenceDriver driver, Tls tls) {
    return new GrpcConnector().connect("tcp://127.0.0.1:" + driver.port(), tls, LONG);
  }

  private static void assertRefused(DriverReply<DriverIdentity> reply) {
    assertThat(reply).isInstanceOf(DriverReply.Refused.class);
    assertThat(((DriverReply.Refused<?>) reply).code()).isEqualTo(StatusCode.UNAVAILABLE);
  }

  @Test
  void connect_mutualTls_succeeds() throws Exception {
    try (ReferenceDriver driver = driver(0, authority, driverCredential);
        CsiConnection connection = connect(driver, tls);
        CsiConnection named =
            new GrpcConnector()
                .connect(
                    "dns:///localhost:" + driver.port(),
                    new Tls(tls.authority(), tls.certificate(), tls.key(), "driver.example"),
                    LONG)) {
      assertThat(connection.identify()).isInstanceOf(DriverReply.Ok.class);
      assertThat(named.identify()).isInstanceOf(DriverReply.Ok.class);
    }
  }

  @Test
  void connect_otherServerName_isRefused() throws Exception {
    Tls otherTls = new Tls(tls.authority(), tls.certificate(), tls.key(), "other.example");
    try (ReferenceDriver driver = driver(0, authority, driverCredential);
        CsiConnection connection = connect(driver, otherTls)) {
      assertRefused(connection.identify());
      assertThat(driver.calls()).isEmpty();
    }
  }

  @Test
  void connect_unknownServerAuthority_isRefused() throws Exception {
    CertificateAuthority otherAuthority = new CertificateAuthority();
    try (ReferenceDriver driver = driver(0, otherAuthority, otherAuthority.server(LOCAL_NAMES));
        CsiConnection connection = connect(driver, tls)) {
      assertRefused(connection.identify());
    }
  }

  /** The connector trusts the driver, but not the other way round. */
  @Test
  void connect_unknownClientAuthority_isRefused() throws Exception {
    CertificateAuthority otherAuthority = new CertificateAuthority();
    write(authority, otherAuthority.server(LOCAL_NAMES));
    try (ReferenceDriver driver = driver(0, authority, driverCredential);
        CsiConnection connection = connect(driver, tls)) {
      assertRefused(connection.identify());
    }
  }

  /**
   * Both sides' certificates are replaced while the connection exists; in between they do not
   * match.
   */
  @Test
  void reload_changedFiles_areUsed() throws Exception {
    int port;
    CsiConnection connection;
    try (ReferenceDriver driver = driver(0, authority, driverCredential)) {
      port = driver.port();
      connection = connect(driver, tls);
      assertThat(connection.identify()).isInstanceOf(DriverReply.Ok.class);
    }
    CertificateAuthority nextAuthority = new CertificateAuthority();
    try (connection;
        ReferenceDriver driver =
            sameAddress(port, nextAuthority, nextAuthority.server(LOCAL_NAMES))) {
      assertRefused(connection.identify());
      Files.writeString(tls.certificate(), "half wri");
      write(nextAuthority, nextAuthority.server(LOCAL_NAMES));
      TestWait.until(
          "the driver accepts the connection",
          () -> connection.identify() instanceof DriverReply.Ok<DriverIdentity>);
      assertThat(driver.port()).isEqualTo(port);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tcp://driver.example:1", "tcp://10.0.0.1:1", "dns:///x:1", "tcp://[::2]:1"})
  void connect_remoteWithoutTls_isRejected(String endpoint) {
    assertThatThrownBy(() -> new GrpcConnector().connect(endpoint, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(endpoint)
        .hasMessageContaining("tls-ca");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp://127.0.0.1:", "tcp://localhost:", "dns:///localhost:"})
  void connect_loopbackWithoutTls_succeeds(String endpoint) throws IOException {
    try (ReferenceDriver driver =
            new ReferenceDriver(
                0, InsecureServerCredentials.create(), new VolumeStore(folder), ABLE);
        CsiConnection connection = new GrpcConnector().connect(endpoint + driver.port(), LONG)) {
      assertThat(connection.identify()).isInstanceOf(DriverReply.Ok.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h:1",
        "tcp://",
        "tcp://h",
        "tcp://h:0",
        "tcp://h:x",
        "tcp://u@h:1",
        "tcp://h:1/p",
        "http://h:1",
        "unix://relative",
        "tcp://h:70000"
      })
  void connect_invalidEndpoint_isRejected(String endpoint) {
    assertThatThrownBy(() -> new GrpcConnector().connect(endpoint, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CSI endpoint \"" + endpoint + "\" is neither");
  }

  @Test
  void connect_unusableCertificates_isRejected() throws Exception {
    Files.writeString(tls.key(), "-----BEGIN RSA PRIVATE KEY-----\n");
    assertThatThrownBy(() -> new GrpcConnector().connect("tcp://h:1", tls, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tls.key")
        .hasMessageContaining("openssl pkcs8");
    Files.delete(tls.authority());
    assertThatThrownBy(() -> new GrpcConnector().connect("tcp://h:1", tls, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca.crt");
  }
}
