package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.auth.Credentials.Shown;
import dev.mooring.kube.auth.Login;
import dev.mooring.kube.auth.Transport;
import dev.mooring.testkit.SimTime;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportTest {
  @TempDir private Path folder;

  private Transport to(String address) throws Exception {
    Path file = RecordingServer.kubeconfig(folder, address);
    Login login = Login.ofFiles(List.of(file), "", new SimTime(true));
    return new Transport(login, chain -> chain.proceed(chain.request()));
  }

  /** With Nagle's algorithm a request waits until the server has acknowledged the one before. */
  @Test
  void smallRequestsAreSentAtOnce() throws Exception {
    try (RecordingServer server = new RecordingServer(asked -> Answer.json(200, "{}"));
        Transport transport = to(server.address())) {
      Transport.Clients clients = transport.clients(Shown.NOTHING);
      for (OkHttpClient client : List.of(clients.calls(), clients.watching())) {
        List<Boolean> prompt = new ArrayList<>();
        OkHttpClient seen =
            client
                .newBuilder()
                .addNetworkInterceptor(chain -> {
                  prompt.add(chain.connection().socket().getTcpNoDelay());
                  return chain.proceed(chain.request());
                })
                .build();
        Request request = new Request.Builder().url(server.address() + "/api").build();
        try (Response response = seen.newCall(request).execute()) {
          assertThat(response.code()).isEqualTo(200);
        }
        assertThat(prompt).containsExactly(true);
      }
    }
  }

  /** A proxy in between, or a library to come, may connect in another way. */
  @Test
  void howeverTheyAreConnected() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 50, here);
        Transport transport = to("http://127.0.0.1:" + server.getLocalPort())) {
      SocketFactory sockets = transport.clients(Shown.NOTHING).calls().socketFactory();
      int port = server.getLocalPort();
      try (Socket open = sockets.createSocket();
          Socket named = sockets.createSocket(here.getHostAddress(), port);
          Socket addressed = sockets.createSocket(here, port);
          Socket namedFrom = sockets.createSocket(here.getHostAddress(), port, here, 0);
          Socket addressedFrom = sockets.createSocket(here, port, here, 0)) {
        for (Socket socket : List.of(open, named, addressed, namedFrom, addressedFrom)) {
          assertThat(socket.getTcpNoDelay()).isTrue();
        }
      }
    }
  }
}
