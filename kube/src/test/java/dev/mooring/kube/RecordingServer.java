package dev.mooring.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.kube.auth.KubeConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers as it is told to and remembers what it was asked. */
final class RecordingServer implements AutoCloseable {
  /** What it was asked: the address as it came, escapes and all. */
  record Asked(String method, String uri, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return String.join(",", headers.getOrDefault(name, List.of()));
    }
  }

  /** What it answers. */
  record Answer(int code, Map<String, String> headers, String body) {
    static Answer json(int code, String body) {
      return new Answer(code, Map.of("Content-Type", "application/json"), body);
    }
  }

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private final Function<Asked, Answer> answers;

  RecordingServer(Function<Asked, Answer> answers) throws IOException {
    this.answers = answers;
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] sent = exchange.getRequestBody().readAllBytes();
    Asked now =
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            new String(sent, StandardCharsets.UTF_8));
    asked.add(now);
    Answer answer = answers.apply(now);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** What it was asked since this was asked last. */
  List<Asked> drained() {
    List<Asked> since = List.copyOf(asked);
    asked.clear();
    return since;
  }

  KubeConnection connect(Path folder) throws IOException, KubeConfigException {
    return KubeConnection.ofFiles(List.of(kubeconfig(folder, address())), "", "test");
  }

  /** A kubeconfig in that folder, of somebody without credentials at that address. */
  static Path kubeconfig(Path folder, String address) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters: [{name: test, cluster: {server: "%s"}}]
        users: [{name: test, user: {}}]
        """
            .formatted(address));
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
