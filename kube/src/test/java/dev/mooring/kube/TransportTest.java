package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.auth.ClusterLogin;
import dev.mooring.kube.auth.Credentials.CredentialSet;
import dev.mooring.kube.http.Transport;
import dev.mooring.testkit.SimTime;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.SocketFactory;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportTest {
  @TempDir private Path folder;

  private Transport connectTo(String address) throws Exception {
    Path file = RecordingServer.kubeconfig(folder, address);
    ClusterLogin login = ClusterLogin.ofFiles(List.of(file), "", new SimTime(true));
    return new Transport(login, chain -> chain.proceed(chain.request()));
  }

  // With Nagle's algorithm a small request waits for the acknowledgement of the previous one.
  @Test
  void watches_smallRequests_areSentWithoutDelay() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, "{}"));
        Transport transport = connectTo(server.address())) {
      List<Boolean> prompt = new ArrayList<>();
      OkHttpClient observedClient =
          transport
              .getClients(CredentialSet.NONE)
              .watching()
              .newBuilder()
              .addNetworkInterceptor(chain -> {
                prompt.add(chain.connection().socket().getTcpNoDelay());
                return chain.proceed(chain.request());
              })
              .build();
      Request request = new Request.Builder().url(server.address() + "/api").build();
      try (Response response = observedClient.newCall(request).execute()) {
        assertThat(response.code()).isEqualTo(200);
      }
      assertThat(prompt).containsExactly(true);
    }
  }

  // A proxy or a later version of the HTTP client may connect in another way.
  @Test
  void socketFactory_eachMethod_setsNoDelay() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 50, loopback);
        Transport transport = connectTo("http://127.0.0.1:" + server.getLocalPort())) {
      SocketFactory sockets = transport.getClients(CredentialSet.NONE).watching().socketFactory();
      int port = server.getLocalPort();
      try (Socket open = sockets.createSocket();
          Socket named = sockets.createSocket(loopback.getHostAddress(), port);
          Socket addressSocket = sockets.createSocket(loopback, port);
          Socket namedFrom = sockets.createSocket(loopback.getHostAddress(), port, loopback, 0);
          Socket addressedFrom = sockets.createSocket(loopback, port, loopback, 0)) {
        for (Socket socket : List.of(open, named, addressSocket, namedFrom, addressedFrom)) {
          assertThat(socket.getTcpNoDelay()).isTrue();
        }
      }
    }
  }

  // kubectl sends every name that is not an address, with or without a dot.
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, kubernetes, kubernetes",
    "127.0.0.1, my_cluster, my_cluster",
    "127.0.0.1, kubernetes., kubernetes",
    "127.0.0.1, api.example.com, api.example.com",
    "localhost, '', localhost",
    "127.0.0.1, '', ''",
    "127.0.0.1, 10.0.0.1, ''",
  })
  void handshake_serverName_isSent(String host, String name, String indicated) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<byte[]> hello = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try (Socket client = server.accept()) {
              DataInputStream in = new DataInputStream(client.getInputStream());
              in.skipNBytes(3); // type and version of the record
              hello.complete(in.readNBytes(in.readUnsignedShort()));
            } catch (IOException e) {
              hello.completeExceptionally(e);
            }
          });
      Path file =
          Files.writeString(
              folder.resolve("named"),
              """
              apiVersion: v1
              kind: Config
              current-context: test
              contexts: [{name: test, context: {cluster: test, user: test}}]
              clusters: [{name: test, cluster: {server: "https://%s:%d", tls-server-name: "%s", insecure-skip-tls-verify: true}}]
              users: [{name: test, user: {}}]
              """
                  .formatted(host, server.getLocalPort(), name));
      try (KubeConnection connection = KubeConnection.ofFiles(List.of(file), "", "test")) {
        connection.probeAhead();
        assertThat(serverName(hello.join())).isEqualTo(indicated);
      }
    }
  }

  // Returns the server_name extension of a ClientHello; "" for none.
  private static String serverName(byte[] hello) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(hello));
    in.skipNBytes(4 + 2 + 32); // message head, version, random
    in.skipNBytes(in.readUnsignedByte()); // session
    in.skipNBytes(in.readUnsignedShort()); // cipher suites
    in.skipNBytes(in.readUnsignedByte()); // compression
    in.readUnsignedShort();
    while (in.available() > 0) {
      int type = in.readUnsignedShort();
      byte[] body = in.readNBytes(in.readUnsignedShort());
      if (type == 0) {
        return new String(body, 5, body.length - 5, StandardCharsets.US_ASCII);
      }
    }
    return "";
  }
}
