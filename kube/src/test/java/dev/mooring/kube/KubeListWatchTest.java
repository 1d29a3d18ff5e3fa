package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeListWatchTest {
  // Answer to one request; without its end if !ends.
  private record Answer(int code, String body, boolean ends) {}

  @TempDir private Path folder;
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<Map<String, String>> requests =
      Collections.synchronizedList(new ArrayList<>());
  private final List<String> accepted = Collections.synchronizedList(new ArrayList<>());
  private final List<String> received = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;
  private KubeConnection connection;
  private ListWatch<CsiDriver> drivers;

  private final ListWatch.Sink<CsiDriver> sink =
      new ListWatch.Sink<>() {
        @Override
        public void present(CsiDriver object) {
          received.add("+" + object.meta().name());
        }

        @Override
        public void deleted(CsiDriver last) {
          received.add("-" + last.meta().name());
        }

        @Override
        public void bookmark(long version) {
          received.add("@" + version);
        }

        @Override
        public void initialEventsEnded(long version) {
          received.add("all@" + version);
        }
      };

  @BeforeEach
  void start() throws IOException, KubeConfigException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
    Path file =
        RecordingServer.kubeconfig(folder, "http://127.0.0.1:" + server.getAddress().getPort());
    connection = KubeConnection.ofFiles(List.of(file), "", "test");
    drivers = new KubeListWatch<>(connection, Kind.CSI_DRIVER);
  }

  @AfterEach
  void stop() {
    closed.countDown();
    connection.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    accepted.add(String.valueOf(exchange.getRequestHeaders().getFirst("Accept")));
    requests.add(
        Stream.ofNullable(exchange.getRequestURI().getQuery())
            .flatMap(query -> Arrays.stream(query.split("&")))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    Answer answer = answers.remove();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer.code(), 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer.body().getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (!answer.ends()) {
        closed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private static String event(String type, String name, long version, String annotations) {
    return """
    {"type":"%s","object":{"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1","metadata":{"name":"%s","uid":"u","resourceVersion":"%d","annotations":{%s}},"spec":{}}}
    """
        .formatted(type, name, version, annotations);
  }

  private static String page(String name, long version, String next) {
    return """
    {"kind":"CSIDriverList","apiVersion":"storage.k8s.io/v1","metadata":{"resourceVersion":"%d","continue":"%s"},"items":[{"metadata":{"name":"%s","uid":"u","resourceVersion":"1"},"spec":{}}]}
    """
        .formatted(version, next, name);
  }

  private static String status(int code, String reason, String message) {
    return """
    {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s","reason":"%s","details":{"retryAfterSeconds":1},"code":%d}
    """
        .formatted(message, reason, code);
  }

  private static int seconds(Map<String, String> query) {
    return Integer.parseInt(query.get("timeoutSeconds"));
  }

  // A streamed list may take longer than a watch, and must end when it is complete.
  @Test
  void watch_streamedList_endsWhenComplete() throws Exception {
    answers.add(
        new Answer(
            200,
            event("ADDED", "a", 3, "")
                + event("BOOKMARK", "", 5, "\"k8s.io/initial-events-end\":\"true\""),
            false));
    drivers.watch(0, true, sink);
    assertThat(received).containsExactly("+a", "all@5");
    assertThat(requests.getFirst())
        .containsEntry("sendInitialEvents", "true")
        .doesNotContainKey("resourceVersion");
    assertThat(seconds(requests.getFirst())).isBetween(300, 600);
  }

  @Test
  void watch_anyKind_asksForObjectsWithoutManagedFields() throws Exception {
    answers.add(new Answer(200, event("MODIFIED", "a", 8, ""), true));
    drivers.watch(7, false, sink);
    assertThat(received).containsExactly("+a");
    assertThat(accepted)
        .containsExactly(
            "application/vnd.kubernetes.protobuf;drop=metadata.managedFields,application/json;drop=metadata.managedFields");
  }

  @Test
  void watch_fromVersion_requestsShortWatch() throws Exception {
    answers.add(
        new Answer(200, event("MODIFIED", "a", 8, "") + event("BOOKMARK", "", 9, ""), true));
    drivers.watch(7, false, sink);
    assertThat(received).containsExactly("+a", "@9");
    assertThat(requests.getFirst()).containsEntry("resourceVersion", "7");
    assertThat(seconds(requests.getFirst())).isBetween(8, 10);
  }

  @Test
  void catchUp_silentAfterEnd_isAbandoned() {
    answers.add(new Answer(200, event("MODIFIED", "a", 8, ""), false));
    ListWatchException e =
        catchThrowableOfType(ListWatchException.class, () -> drivers.catchUp(7, sink));
    assertThat(e.reason()).isEqualTo(Reason.SILENT);
    assertThat(received).containsExactly("+a");
    assertThat(seconds(requests.getFirst())).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized, Unauthorized, UNAUTHENTICATED",
    "403, Forbidden, csidrivers is forbidden, FORBIDDEN",
    "403, '', a page of a proxy, FAILED",
    "404, NotFound, the server could not find the requested resource, NO_SUCH_RESOURCE",
    "410, Expired, too old resource version, EXPIRED",
    "429, TooManyRequests, storage is (re)initializing, THROTTLED",
    "500, InternalError, etcd, FAILED",
    "504, Timeout, 'Too large resource version: 9, current: 7', FUTURE_VERSION",
    "504, Timeout, no time left, FAILED"
  })
  void error_inStreamAndAsResponse_isTheSame(int code, String reason, String message, Reason why) {
    String status = status(code, reason, message);
    answers.add(new Answer(200, "{\"type\":\"ERROR\",\"object\":" + status + "}", false));
    answers.add(new Answer(code, status, true));
    answers.add(new Answer(code, status, true));
    assertThat(
            catchThrowableOfType(ListWatchException.class, () -> drivers.watch(7, false, sink))
                .reason())
        .isEqualTo(why);
    assertThat(
            catchThrowableOfType(ListWatchException.class, () -> drivers.watch(7, false, sink))
                .reason())
        .isEqualTo(why);
    assertThat(
            catchThrowableOfType(
                    ListWatchException.class,
                    () -> drivers.list(d -> received.add(d.meta().name())))
                .reason())
        .isEqualTo(why);
    assertThat(received).isEmpty();
  }

  // The API server refuses users without rights before it looks for the kind.
  @ParameterizedTest
  @CsvSource({"404, NO_SUCH_RESOURCE", "200, FORBIDDEN", "503, FORBIDDEN"})
  void list_forbiddenCustomKind_isAbsentIfItsGroupIsNotServed(int discoveryCode, Reason why) {
    answers.add(new Answer(403, status(403, "Forbidden", "forbidden"), true));
    answers.add(new Answer(discoveryCode, "{}", true));
    assertThat(
            catchThrowableOfType(
                    ListWatchException.class,
                    () -> new KubeListWatch<>(connection, Kind.GROUP_SNAPSHOT).list(group -> {}))
                .reason())
        .isEqualTo(why);
  }

  // Reading the pages took longer than the server keeps them; a retry would expire as well.
  @Test
  void list_pagesExpired_retriesWithoutPages() throws Exception {
    answers.add(new Answer(200, page("a", 5, "more"), true));
    answers.add(new Answer(410, status(410, "Expired", "the token is too old"), true));
    answers.add(new Answer(200, page("b", 9, ""), true));
    assertThat(catchThrowableOfType(ListWatchException.class, () -> drivers.list(d -> {})).reason())
        .isEqualTo(Reason.EXPIRED);
    assertThat(drivers.list(d -> received.add(d.meta().name()))).isEqualTo(9);
    assertThat(received).containsExactly("b");
    assertThat(requests.get(1)).containsEntry("continue", "more");
    assertThat(requests.get(2)).doesNotContainKeys("limit", "continue", "resourceVersion");
  }

  @Test
  void head_firstPage_returnsVersionAndCompleteness() throws Exception {
    answers.add(new Answer(200, page("a", 5, "more"), true));
    answers.add(new Answer(200, page("a", 6, ""), true));
    assertThat(drivers.listFirstPage(1, d -> {})).isEqualTo(new ListWatch.Page(5, false));
    assertThat(drivers.listFirstPage(500, d -> {})).isEqualTo(new ListWatch.Page(6, true));
    assertThat(requests.getFirst())
        .containsEntry("limit", "1")
        .doesNotContainKey("resourceVersion");
  }

  // An idle watch of custom resources, whose events are JSON, has an empty body.
  @ParameterizedTest
  @ValueSource(strings = {"", "\n", " \n\n"})
  void watch_withoutEvents_endsNormally(String body) throws Exception {
    answers.add(new Answer(200, body, true));
    answers.add(new Answer(200, body, true));
    answers.add(new Answer(200, body, true));
    drivers.watch(7, false, sink);
    drivers.watch(0, true, sink);
    drivers.catchUp(7, sink);
    assertThat(received).isEmpty();
    assertThat(requests).hasSize(3);
  }

  // Taken for an empty list it would empty a cache, and every volume would seem unused.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\": \"Status\", \"status\": \"Success\", \"metadata\": {\"resourceVersion\": \"7\"}}",
        "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"7\"}, \"items\": []}"
      })
  void list_responseOfOtherKind_fails(String body) {
    answers.add(new Answer(200, body, true));
    ListWatchException e =
        catchThrowableOfType(
            ListWatchException.class, () -> drivers.list(d -> received.add(d.meta().name())));
    assertThat(e.reason()).isEqualTo(Reason.FAILED);
  }

  @Test
  void watch_truncatedEvent_fails() {
    answers.add(new Answer(200, event("MODIFIED", "a", 8, "").substring(0, 40), true));
    assertThat(
            catchThrowableOfType(ListWatchException.class, () -> drivers.watch(7, false, sink))
                .reason())
        .isEqualTo(Reason.FAILED);
  }
}
