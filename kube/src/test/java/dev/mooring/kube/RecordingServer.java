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

/** Answers with a function and records all requests. */
final class RecordingServer implements AutoCloseable {
  /** Request with its raw, undecoded URI. */
  record RecordedRequest(
      String method, String uri, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return String.join(",", headers.getOrDefault(name, List.of()));
    }
  }

  record Answer(int code, Map<String, String> headers, String body) {
    static Answer json(int code, String body) {
      return new Answer(code, Map.of("Content-Type", "application/json"), body);
    }
  }

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<RecordedRequest> requests = new ConcurrentLinkedQueue<>();
  private final Function<RecordedRequest, Answer> answers;

  RecordingServer(Function<RecordedRequest, Answer> answers) throws IOException {
    this.answers = answers;
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] requestBody = exchange.getRequestBody().readAllBytes();
    RecordedRequest request =
        new RecordedRequest(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            new String(requestBody, StandardCharsets.UTF_8));
    requests.add(request);
    Answer answer = answers.apply(request);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  List<RecordedRequest> requests() {
    return List.copyOf(requests);
  }

  /** Returns and removes the recorded requests. */
  List<RecordedRequest> takeRequests() {
    List<RecordedRequest> since = List.copyOf(requests);
    requests.clear();
    return since;
  }

  KubeConnection connect(Path folder) throws IOException, KubeConfigException {
    return KubeConnection.ofFiles(List.of(kubeconfig(folder, address())), "", "test");
  }

  /** Writes a kubeconfig for the address, without credentials. */
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
