package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeLeaseWatchTest {
  private static final Lease HELD =
      TestObjects.lease(ObjectKey.of("kube-system", "mooring")).version(7).holder("leader").build();
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private final List<Lease> changes = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile int code = 200;
  private volatile String events = "";
  private volatile boolean endsStream;
  private volatile String uri = "";
  private HttpServer server;
  private KubeConnection connection;
  private KubeLeaseWatch watch;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
    Path file =
        RecordingServer.kubeconfig(folder, "http://127.0.0.1:" + server.getAddress().getPort());
    connection = KubeConnection.ofFiles(List.of(file), "", "test");
    watch = new KubeLeaseWatch(connection);
  }

  @AfterEach
  void stop() {
    ended.countDown();
    connection.close();
    server.stop(0);
    threads.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    uri = exchange.getRequestURI().toString();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, 0);
    exchange.getResponseBody().write(events.getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
    if (!endsStream) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.close();
  }

  private static String event(String type, String holder) {
    return """
    {"type": "%s", "object": {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
     "metadata": {"namespace": "kube-system", "name": "mooring", "resourceVersion": "8"},
     "spec": {"holderIdentity": "%s"}}}
    """
        .formatted(type, holder);
  }

  @ParameterizedTest
  @CsvSource({"MODIFIED, ''", "DELETED, leader"})
  void openWatch_leaseReleased_returnsAtOnce(String type, String holder) throws Exception {
    events = event("MODIFIED", "leader") + event(type, holder);
    assertThat(watch.awaitRelease(HELD, LIMIT, changes::add)).isTrue();
    assertThat(uri)
        .startsWith("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?")
        .contains("fieldSelector=metadata.name%3Dmooring", "resourceVersion=7", "watch=true");
  }

  @Test
  void watchEnds_leaseRenewed_returnsFalse() throws Exception {
    endsStream = true;
    events = event("MODIFIED", "leader") + event("MODIFIED", "another");
    assertThat(watch.awaitRelease(HELD, LIMIT, changes::add)).isFalse();
  }

  @Test
  void watch_leaseRenewed_passesRenewals() throws Exception {
    endsStream = true;
    events = event("MODIFIED", "leader") + event("MODIFIED", "") + event("MODIFIED", "another");
    watch.awaitRelease(HELD, LIMIT, changes::add);
    assertThat(changes).extracting(Lease::holder).containsExactly("leader");
  }

  @ParameterizedTest
  @CsvSource({"403", "404", "500"})
  void watch_serverRefuses_returnsFalse(int refusal) throws Exception {
    endsStream = true;
    code = refusal;
    events = event("DELETED", "");
    assertThat(watch.awaitRelease(HELD, LIMIT, changes::add)).isFalse();
  }

  @Test
  void watch_noAnswer_returnsFalse() throws Exception {
    server.stop(0);
    assertThat(watch.awaitRelease(HELD, LIMIT, changes::add)).isFalse();
  }

  @Test
  void openWatch_noEventUntilLimit_returnsFalse() throws Exception {
    assertThat(watch.awaitRelease(HELD, Duration.ofMillis(200), changes::add)).isFalse();
  }
}
