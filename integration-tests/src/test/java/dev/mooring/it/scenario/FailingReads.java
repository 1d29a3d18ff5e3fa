package dev.mooring.it.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A proxy in front of an API server that answers 500 to reads of matching objects until {@link
 * #stopFailing}.
 */
final class FailingReads implements AutoCloseable {
  private static final String ERROR_STATUS =
      """
      {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "etcdserver: request timed out", "reason": "InternalError", "code": 500}
      """;

  private final String serverUrl;
  private final Pattern failingPaths;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger failedReads = new AtomicInteger();
  private volatile boolean isFailing = true;

  /**
   * @param pathPattern a regular expression for paths whose reads fail
   */
  FailingReads(String serverUrl, String pathPattern) throws IOException {
    this.serverUrl = serverUrl;
    this.failingPaths = Pattern.compile(pathPattern);
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  int countFailedReads() {
    return failedReads.get();
  }

  void stopFailing() {
    isFailing = false;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (isFailing
          && exchange.getRequestMethod().equals("GET")
          && failingPaths.matcher(exchange.getRequestURI().getPath()).matches()) {
        failedReads.incrementAndGet();
        byte[] body = ERROR_STATUS.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(500, body.length);
        exchange.getResponseBody().write(body);
        return;
      }
      forward(exchange);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void forward(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(serverUrl + exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : List.of("Accept", "Content-Type", "User-Agent")) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    HttpResponse<InputStream> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    response
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
    exchange.sendResponseHeaders(response.statusCode(), 0);
    try (InputStream in = response.body();
        OutputStream out = exchange.getResponseBody()) {
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
  }
}
