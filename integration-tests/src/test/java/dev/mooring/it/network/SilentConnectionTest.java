package dev.mooring.it.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.kube.LeaderElection;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests connections that stay open but carry no data, as after a machine failure. Calls on them
 * time out and are retried on new connections.
 */
class SilentConnectionTest {
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring");
  private static final int IDLE_CONNECTIONS = 4;

  @TempDir private Path folder;
  private final SystemTime systemTime = new SystemTime();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ApiServer server;
  private SilentNetwork network;
  private KubeConnection connection;
  private KubeCluster cluster;

  @BeforeEach
  void startServer() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS.withTls());
    connectTo(server);
  }

  private void connectTo(ApiServer apiServer) throws Exception {
    network = new SilentNetwork(apiServer.port());
    Path file =
        Files.writeString(
            folder.resolve("config"),
            apiServer
                .kubeconfig()
                .replace("127.0.0.1:" + apiServer.port(), "127.0.0.1:" + network.port()));
    connection = KubeConnection.ofFiles(List.of(file), "", "test");
    cluster = KubeCluster.alone(connection, systemTime);
  }

  private void disconnect() throws IOException {
    connection.close();
    network.close();
    server.close();
  }

  @AfterEach
  void stopServer() throws Exception {
    disconnect();
    threads.shutdownNow();
    systemTime.close();
  }

  private static ReadResult<Volume> read(KubeCluster kubeCluster) throws InterruptedException {
    return kubeCluster.read(Kind.VOLUME, ObjectKey.cluster("none"));
  }

  private static WriteResult<Lease> write(KubeCluster kubeCluster) throws InterruptedException {
    return kubeCluster.patch(Kind.LEASE, LEASE, Document.empty());
  }

  /** Opens several HTTP/1.1 connections, because the next call might reuse any of them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void call_afterTimeout_usesNewConnection(boolean http2) throws Exception {
    if (!http2) {
      disconnect();
      server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS); // uses HTTP/1.1 without TLS
      connectTo(server);
    }
    List<Future<ReadResult<Volume>>> idleReads = new ArrayList<>();
    for (int i = 0; i < IDLE_CONNECTIONS; i++) {
      idleReads.add(threads.submit(() -> read(cluster)));
    }
    for (Future<ReadResult<Volume>> idleRead : idleReads) {
      assertThat(idleRead.get()).isInstanceOf(ReadResult.Absent.class);
    }
    KubeCluster clusterWithShortTimeout =
        KubeCluster.impatient(connection, () -> Duration.ofSeconds(1), systemTime);
    network.silenceConnections();
    assertThat(write(clusterWithShortTimeout)).isInstanceOf(WriteResult.Unreachable.class);
    assertThat(read(cluster)).as("next call").isInstanceOf(ReadResult.Absent.class);
  }

  @Test
  void lease_silentConnection_isRenewed() throws Exception {
    LeaderElection.Config config =
        new LeaderElection.Config(
            LEASE,
            "a",
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Map.of());
    LeaderElection election =
        LeaderElection.over(connection, config, event -> {}, systemTime, () -> 0);
    AtomicBoolean leadershipLost = new AtomicBoolean();
    election.lead(() -> leadershipLost.set(true));
    network.silenceConnections();
    int oldConnections = network.countConnections();
    TestWait.until(
        "renewal on another connection",
        () ->
            leadershipLost.get()
                || network.countConnections() > oldConnections
                    && election.remainingTerm().compareTo(Duration.ofSeconds(9)) > 0);
    assertThat(leadershipLost).isFalse();
    election.release();
  }

  /** Without pings a write waits half a minute, until its response is overdue. */
  @Test
  void callAndWatch_unansweredPings_areCancelled() throws Exception {
    assertThat(read(cluster)).isInstanceOf(ReadResult.Absent.class);
    KubeListWatch<Volume> volumes = new KubeListWatch<>(connection, Kind.VOLUME);
    long startVersion = volumes.listFirstPage(1, volume -> {}).version();
    network.silenceConnections();
    Future<WriteResult<Lease>> write = threads.submit(() -> write(cluster));
    Future<String> watch =
        threads.submit(() -> awaitEnd(sink -> volumes.watch(startVersion, false, sink)));
    assertThat(write.get()).as("on another connection").isInstanceOf(WriteResult.Gone.class);
    assertThat(watch.get()).isNotEmpty();
    assertThat(read(cluster)).as("next call").isInstanceOf(ReadResult.Absent.class);
    assertThat(awaitEnd(sink -> volumes.catchUp(startVersion, sink))).isEmpty();
  }

  @FunctionalInterface
  private interface WatchOperation {
    void run(ListWatch.Sink<Volume> sink) throws ListWatchException, InterruptedException;
  }

  /** Returns the error that ended the operation, "" for a normal end. */
  private static String awaitEnd(WatchOperation operation) throws InterruptedException {
    try {
      operation.run(
          new ListWatch.Sink<>() {
            @Override
            public void present(Volume object) {}

            @Override
            public void deleted(Volume last) {}

            @Override
            public void bookmark(long version) {}

            @Override
            public void initialEventsEnded(long version) {}
          });
      return "";
    } catch (ListWatchException e) {
      return e.reason() + ": " + e.getMessage();
    }
  }
}
