package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that a client with more connections than the server accepts does not break health probes.
 */
class CrowdedEndpointsTest {
  private static final int CONNECTIONS = 300;
  private static final InetAddress SERVER = InetAddress.ofLiteral("127.0.0.1");

  @TempDir private Path folder;

  private static int findFreePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, SERVER)) {
      return socket.getLocalPort();
    }
  }

  private JavaProcess startProcess(int port) throws IOException, InterruptedException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: u, user: {}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);
    JavaProcess process =
        JavaProcess.startMooring(
            "run", "--endpoints=127.0.0.1:" + port, "--kubeconfig", kubeconfig.toString());
    process.awaitLine(line -> line.contains("cannot be reached")); // the endpoints respond earlier
    return process;
  }

  private static Socket connect(String source, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(source, 0));
    socket.connect(new InetSocketAddress(SERVER, port));
    return socket;
  }

  private static String fetchLivez(String source, int port) throws IOException {
    try (Socket socket = connect(source, port)) {
      socket
          .getOutputStream()
          .write(
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2"})
  void probe_anotherClientHoldsManyIdleConnections_isAnswered(String probeSource) throws Exception {
    int port = findFreePort();
    List<Socket> connections = new ArrayList<>();
    try (JavaProcess process = startProcess(port)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(connect("127.0.0.1", port));
      }
      for (int i = 0; i < 5; i++) {
        assertThat(fetchLivez(probeSource, port)).startsWith("HTTP/1.1 200").endsWith("ok");
      }
      assertThat(process.output()).noneMatch(line -> line.startsWith("\tat "));
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  @Test
  void probe_requestsOfAnotherClientNeverEnd_isAnswered() throws Exception {
    int port = findFreePort();
    List<Socket> connections = new ArrayList<>();
    try (JavaProcess process = startProcess(port)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        Socket unfinishedRequest = connect("127.0.0." + (2 + i % 20), port);
        unfinishedRequest
            .getOutputStream()
            .write("GET /metrics HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII));
        connections.add(unfinishedRequest);
      }
      assertThat(fetchLivez("127.0.0.1", port)).startsWith("HTTP/1.1 200").endsWith("ok");
      assertThat(process.output()).noneMatch(line -> line.startsWith("\tat "));
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }
}
