package dev.mooring.manager.console;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.mooring.console.Console;
import dev.mooring.console.ConsoleReply;
import dev.mooring.console.ConsoleRequest;
import dev.mooring.manager.endpoint.EndpointServer;
import dev.mooring.text.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Serves the console over HTTP. Thread-safe. */
final class ConsolePages implements EndpointServer.Pages {
  // Maximum number of event streams; further browsers poll.
  private static final int MAX_STREAMS = 32;

  // Forbids external and inline content, framing, and access by other origins.
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
              "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Vary", "Accept");

  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  private final Console console;
  private final Semaphore streams = new Semaphore(MAX_STREAMS);

  ConsolePages(Console console) {
    this.console = console;
  }

  @Override
  public void answer(HttpExchange exchange) throws IOException {
    HEADERS.forEach(exchange.getResponseHeaders()::set);
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      send(exchange, 405, "text/plain; charset=utf-8", bytes("GET or HEAD\n"));
      return;
    }
    try {
      reply(exchange, console.answer(toRequest(exchange)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process is stopping, and closes the connection
    }
  }

  private static ConsoleRequest toRequest(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    String accept = exchange.getRequestHeaders().getFirst("Accept");
    String lastEventId = exchange.getRequestHeaders().getFirst("Last-Event-ID");
    return new ConsoleRequest(
        String.valueOf(exchange.getRequestURI().getRawPath()),
        lastEventId != null ? "since=" + lastEventId : query == null ? "" : query,
        accept == null ? "" : accept);
  }

  private void reply(HttpExchange exchange, ConsoleReply reply)
      throws IOException, InterruptedException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    switch (reply) {
      case ConsoleReply.Document(int code, String text) ->
          send(exchange, code, "text/html; charset=utf-8", bytes(text));
      case ConsoleReply.Data(int code, Map<String, Object> tree) ->
          send(
              exchange,
              code,
              "application/json",
              bytes(GSON.toJson(PlainText.filterTree(tree)) + "\n"));
      case ConsoleReply.Asset(String type, byte[] content, String tag) -> {
        headers.set("Cache-Control", "no-cache");
        headers.set("ETag", tag);
        boolean isUnchanged = tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        send(exchange, isUnchanged ? 304 : 200, type, isUnchanged ? new byte[0] : content);
      }
      case ConsoleReply.Moved(String address) -> {
        headers.set("Location", address);
        send(exchange, 302, "text/plain; charset=utf-8", bytes(address + "\n"));
      }
      case ConsoleReply.Changes(long since) -> streamEvents(exchange, since);
    }
  }

  private void streamEvents(HttpExchange exchange, long since)
      throws IOException, InterruptedException {
    if (!streams.tryAcquire()) {
      exchange.getResponseHeaders().set("Retry-After", "5");
      send(exchange, 503, "text/plain; charset=utf-8", bytes("too many event streams\n"));
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      console.streamChanges(
          since,
          text -> {
            out.write(bytes(text));
            out.flush();
          });
    } finally {
      streams.release();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean hasNoBody = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
    exchange.sendResponseHeaders(code, hasNoBody ? -1 : body.length);
    if (!hasNoBody) {
      OutputStream out = exchange.getResponseBody();
      out.write(body);
      out.flush();
    }
  }
}
