package dev.mooring.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A TLS server and a client that connects to it. */
abstract class CredentialsFixture {
  static final Duration LIFETIME = Duration.ofHours(1);

  final SimTime time = new SimTime();
  @TempDir Path folder;
  CertificateAuthority authority;
  TlsServer server;
  KubeCluster cluster;
  KubeConnection connection;

  @BeforeEach
  void start() throws Exception {
    authority = new CertificateAuthority();
    server = new TlsServer(authority, 0);
    write("ca.crt", authority.pem());
  }

  @AfterEach
  void stop() {
    server.close();
    if (connection != null) {
      connection.close();
    }
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Connects as a kubeconfig user, whose fields are the members of a YAML flow mapping. */
  void connect(String user) throws Exception {
    connect("certificate-authority: ca.crt", user);
  }

  void connect(String clusterFields, String user) throws Exception {
    connect("127.0.0.1", clusterFields, user);
  }

  void connect(String host, String clusterFields, String user) throws Exception {
    Path file =
        write(
            "kubeconfig",
            """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters: [{name: test, cluster: {server: "https://%s:%d", %s}}]
            users: [{name: test, user: {%s}}]
            """
                .formatted(host, server.port(), clusterFields, user));
    connection = KubeConnection.ofFiles(List.of(file), "", "test", time);
    cluster = KubeCluster.alone(connection, time);
  }

  ReadResult<Node> read() throws InterruptedException {
    return cluster.read(Kind.NODE, ObjectKey.cluster("n"));
  }

  void assertAccepted() throws InterruptedException {
    assertThat(read()).isInstanceOf(ReadResult.Found.class);
  }

  String readError() throws InterruptedException {
    assertThat(cluster.patch(Kind.NODE, ObjectKey.cluster("n"), Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
    return read() instanceof ReadResult.Failed<Node>(String message) ? message : "";
  }

  String lastAuthorization() {
    return server.lastRequest().header("Authorization");
  }
}
