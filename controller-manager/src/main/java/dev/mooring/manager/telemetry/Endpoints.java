package dev.mooring.manager.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** {@code /healthz /livez /readyz /metrics}, and where deletions are resumed. */
public final class Endpoints {
  /** Where deletions are resumed. */
  public static final String RESUME = "/deletions/resume";

  /** The header that a request to {@link #RESUME} must have. */
  public static final String HEADER = "Mooring-Command";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private Endpoints(HttpServer server) {
    this.server = server;
  }

  /**
   * Begins to answer.
   *
   * @param address where
   * @param notReady why it is not ready, "" when it is
   * @param metrics the metrics
   * @param resume lets deletions go on that the circuit breaker holds back
   */
  public static Endpoints start(
      InetSocketAddress address, Supplier<String> notReady, Metrics metrics, Runnable resume)
      throws IOException {
    Endpoints endpoints = new Endpoints(HttpServer.create(address, 64));
    endpoints.server.setExecutor(endpoints.threads);
    endpoints.server.createContext(
        "/",
        exchange -> text(exchange, 404, "not found; there are /healthz /livez /readyz /metrics\n"));
    endpoints.server.createContext("/healthz", exchange -> text(exchange, 200, "ok"));
    endpoints.server.createContext("/livez", exchange -> text(exchange, 200, "ok"));
    endpoints.server.createContext(
        "/readyz",
        exchange -> {
          String why = notReady.get();
          text(exchange, why.isEmpty() ? 200 : 503, why.isEmpty() ? "ok" : why + "\n");
        });
    endpoints.server.createContext(
        "/metrics",
        exchange -> {
          ByteArrayOutputStream body = new ByteArrayOutputStream();
          metrics.write(body);
          answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", body.toByteArray());
        });
    endpoints.server.createContext(
        RESUME,
        exchange -> {
          // a header of our own: no web page can send it from somebody's browser unasked
          boolean meant =
              exchange.getRequestMethod().equals("POST")
                  && exchange.getRequestHeaders().containsKey(HEADER);
          if (meant) {
            resume.run();
          }
          text(
              exchange,
              meant ? 200 : 405,
              meant ? "resumed\n" : "POST, with the header " + HEADER + "\n");
        });
    endpoints.server.start();
    return endpoints;
  }

  private static void text(HttpExchange exchange, int code, String body) throws IOException {
    answer(exchange, code, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** The port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Ends. */
  public void stop() {
    server.stop(0);
    threads.shutdownNow();
  }
}
