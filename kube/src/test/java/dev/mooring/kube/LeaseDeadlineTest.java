package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls to a server that does not answer, by a leader whose term ends soon or has ended. */
@Timeout(300) // an unlimited call takes half a minute
class LeaseDeadlineTest {
  private static final ObjectKey KEY = ObjectKey.cluster("v");

  @TempDir private Path folder;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicInteger requests = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SystemTime time = new SystemTime();
  private volatile Duration remainingTerm = Duration.ofSeconds(1);
  private HttpServer server;
  private KubeConnection connection;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          try {
            closed.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.setExecutor(threads);
    server.start();
    Path file =
        RecordingServer.kubeconfig(folder, "http://127.0.0.1:" + server.getAddress().getPort());
    connection = KubeConnection.ofFiles(List.of(file), "", "test");
    cluster =
        new KubeCluster(
            connection.within(() -> remainingTerm),
            time,
            new KubeCluster.Limits(
                new ConcurrencyWindow(time),
                new ConcurrencyWindow(time),
                RateCap.NONE,
                () -> remainingTerm.isPositive()),
            new SharedInformers());
  }

  @AfterEach
  void stop() {
    closed.countDown();
    connection.close();
    server.stop(0);
    threads.shutdownNow();
    time.close();
  }

  @Test
  void calls_serverSilent_endWithTheTerm() throws InterruptedException {
    assertThat(cluster.patch(Kind.VOLUME, KEY, Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
    assertThat(cluster.read(Kind.VOLUME, KEY)).isInstanceOf(ReadResult.Failed.class);
    assertThat(cluster.list(Kind.CLAIM, "ns")).isInstanceOf(ReadResult.Failed.class);
    assertThat(requests.get()).isEqualTo(3);
  }

  @Test
  void calls_termEnded_areNotSent() throws InterruptedException {
    remainingTerm = Duration.ZERO;
    cluster.patch(Kind.VOLUME, KEY, Document.empty());
    assertThat(cluster.read(Kind.VOLUME, KEY)).isInstanceOf(ReadResult.Failed.class);
    assertThat(cluster.list(Kind.CLAIM, "ns")).isInstanceOf(ReadResult.Failed.class);
    assertThat(requests.get()).isZero();
  }

  // Leaves time for another attempt before leadership is lost.
  @Test
  void renewal_serverSilent_isAbandonedInTime() throws InterruptedException {
    KubeCluster direct = KubeCluster.impatient(connection, () -> Duration.ofSeconds(1), time);
    assertThat(direct.patch(Kind.LEASE, ObjectKey.of("kube-system", "x"), Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
    assertThat(requests.get()).isEqualTo(1);
  }
}
