package dev.mooring.it.smoke;

import dev.mooring.kube.auth.TlsCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Ports and requests for metrics endpoints on this machine. */
final class MetricsPort {
  private MetricsPort() {}

  static int findFree() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static String fetchText(int port, String path) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** Returns the status code for the token; accepts any server certificate. */
  static int fetchStatus(int port, String token) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {TlsCertificates.acceptingAny()}, null);
    try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
      URI metrics = URI.create("https://127.0.0.1:" + port + "/metrics");
      return http.send(
              HttpRequest.newBuilder(metrics).header("Authorization", "Bearer " + token).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }
}
