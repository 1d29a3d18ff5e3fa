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
  private static final String PROBLEM =
      """
      {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "etcdserver: request timed out", "reason": "InternalError", "code": 500}
      """;

  private final String server;
  private final Pattern objects;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger failed = new AtomicInteger();
  private volatile boolean failing = true;

  /**
   * @param objects a regular expression for paths whose reads fail
   */
  FailingReads(String server, String objects) throws IOException {
    this.server = server;
    this.objects = Pattern.compile(objects);
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    http.setExecutor(threads);
    http.createContext("/", this::serve);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  int failed() {
    return failed.get();
  }

  void stopFailing() {
    failing = false;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (failing
          && exchange.getRequestMethod().equals("GET")
          && objects.matcher(exchange.getRequestURI().getPath()).matches()) {
        failed.incrementAndGet();
        byte[] body = PROBLEM.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(500, body.length);
        exchange.getResponseBody().write(body);
        return;
      }
      passOn(exchange);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void passOn(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : List.of("Accept", "Content-Type", "User-Agent")) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    answer
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    try (InputStream in = answer.body();
        OutputStream out = exchange.getResponseBody()) {
      byte[] some = new byte[8192];
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        out.write(some, 0, read);
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
