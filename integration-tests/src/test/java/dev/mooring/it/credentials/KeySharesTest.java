package dev.mooring.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that the client sends one TLS key share first, for X25519, and still reaches a server that
 * accepts only another group.
 */
@Timeout(120)
class KeySharesTest {
  private static final int X25519 = 0x1d;
  private static final int P256 = 0x17;

  @TempDir private Path folder;
  private final SimTime time = new SimTime();

  private Path writeKubeconfig(CertificateAuthority authority, int port) throws Exception {
    Files.writeString(folder.resolve("ca.crt"), authority.pem());
    CertificateAuthority.KeyPairFiles user = authority.client("u", List.of(), Duration.ofHours(1));
    Files.writeString(folder.resolve("u.crt"), user.certificate());
    Files.writeString(folder.resolve("u.key"), user.key());
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", certificate-authority: ca.crt}}]
        users: [{name: test, user: {client-certificate: u.crt, client-key: u.key}}]
        """
            .formatted(port));
  }

  private ReadResult<Node> read(KubeConnection connection) throws InterruptedException {
    return KubeCluster.alone(connection, time).read(Kind.NODE, ObjectKey.cluster("n"));
  }

  /** The certificates of the server and the client use P-256, as with k3s. */
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, x25519",
    "TLSv1.3, secp256r1",
    "TLSv1.3, secp384r1",
    "TLSv1.3, secp521r1",
    "TLSv1.2, x25519",
    "TLSv1.2, secp256r1",
    "TLSv1.2, secp384r1"
  })
  void handshake_singleGroup_succeedsOnFirstCall(String protocol, String group) throws Exception {
    CertificateAuthority authority = new CertificateAuthority();
    // in TLS 1.2 the groups must include the certificate's own
    List<String> groups =
        protocol.equals("TLSv1.3") || group.equals("secp256r1")
            ? List.of(group)
            : List.of(group, "secp256r1");
    try (TlsServer server = new TlsServer(authority, 0, protocol, groups);
        KubeConnection connection =
            KubeConnection.ofFiles(
                List.of(writeKubeconfig(authority, server.port())), "", "test", time)) {
      assertThat(read(connection)).isInstanceOf(ReadResult.Found.class);
      assertThat(server.lastRequest().certificate()).as("client certificate").contains("CN=u");
    }
  }

  @Test
  void keyShares_afterFailedConnection_includeX25519AndP256() throws Exception {
    List<List<Integer>> sharesByConnection = new CopyOnWriteArrayList<>();
    try (ServerSocket listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        KubeConnection connection =
            KubeConnection.ofFiles(
                List.of(writeKubeconfig(new CertificateAuthority(), listener.getLocalPort())),
                "",
                "test",
                time)) {
      Thread.ofVirtual().start(() -> recordHellos(listener, sharesByConnection));
      assertThat(read(connection)).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(sharesByConnection).startsWith(List.of(X25519), List.of(X25519, P256));
  }

  private static void recordHellos(ServerSocket listener, List<List<Integer>> sharesByConnection) {
    while (!listener.isClosed()) {
      try (Socket client = listener.accept()) {
        sharesByConnection.add(readKeyShares(new DataInputStream(client.getInputStream())));
      } catch (IOException closed) {
        return;
      }
    }
  }

  /** Returns the groups of the key shares in a ClientHello. */
  private static List<Integer> readKeyShares(DataInputStream in) throws IOException {
    in.readNBytes(3);
    ByteBuffer hello = ByteBuffer.wrap(in.readNBytes(in.readUnsignedShort()));
    hello.position(4 + 2 + 32); // handshake header, version and random
    skipBytes(hello, hello.get() & 0xff); // session id
    skipBytes(hello, hello.getShort() & 0xffff); // cipher suites
    skipBytes(hello, hello.get() & 0xff); // compression methods
    hello.getShort();
    List<Integer> groups = new ArrayList<>();
    while (hello.hasRemaining()) {
      int extension = hello.getShort() & 0xffff;
      int extensionEnd = (hello.getShort() & 0xffff) + hello.position();
      if (extension == 51) {
        hello.getShort();
        while (hello.position() < extensionEnd) {
          groups.add(hello.getShort() & 0xffff);
          skipBytes(hello, hello.getShort() & 0xffff);
        }
      }
      hello.position(extensionEnd);
    }
    return groups;
  }

  private static void skipBytes(ByteBuffer buffer, int count) {
    buffer.position(buffer.position() + count);
  }
}
