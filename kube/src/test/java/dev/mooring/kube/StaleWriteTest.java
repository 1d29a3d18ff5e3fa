package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.RecordedRequest;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes whose version becomes stale while they wait for the concurrency window. */
class StaleWriteTest {
  private static final ObjectKey KEY = ObjectKey.cluster("n");
  private static final Uid UID = Uid.of("u");

  @TempDir private Path folder;
  private final SimTime time = new SimTime(true);
  private final SharedInformers informers = new SharedInformers();
  private final Informer<Node> nodes = informers.of(Kind.NODE);
  private final ConcurrencyWindow reads = new ConcurrencyWindow(time);
  private final ConcurrencyWindow window = new ConcurrencyWindow(time);
  private RecordingServer server;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new RecordingServer(StaleWriteTest::answer);
    cluster =
        new KubeCluster(
            server.connect(folder),
            time,
            new KubeCluster.Limits(reads, window, RateCap.NONE, KubeCluster.ALWAYS),
            informers);
    nodes.applyOwnWrite(node(7));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Answer answer(RecordedRequest request) {
    return Answer.json(
        200, "{\"metadata\": {\"name\": \"n\", \"uid\": \"u\", \"resourceVersion\": \"20\"}}");
  }

  private static Node node(long version) {
    return TestObjects.node("n").uid(UID).version(version).build();
  }

  private WriteResult<Node> patch(Document patch) throws InterruptedException {
    return cluster.patch(Kind.NODE, KEY, patch);
  }

  @FunctionalInterface
  private interface Write {
    WriteResult<Node> send(KubeCluster cluster, Document patch) throws InterruptedException;
  }

  private static List<Write> writes() {
    return List.of(
        (cluster, patch) -> cluster.patch(Kind.NODE, KEY, patch),
        (cluster, patch) -> cluster.patchStatus(Kind.NODE, KEY, patch),
        (cluster, patch) -> cluster.patchAndRead(Kind.NODE, KEY, patch).result(),
        (cluster, patch) -> cluster.delete(Kind.NODE, KEY, UID, patch.version()));
  }

  // The server would reject the write, and other writes would have waited for it.
  @ParameterizedTest
  @MethodSource("writes")
  void write_becomesStaleWhileWaiting_isNotSent(Write write) throws Exception {
    WriteResult<Node> result = writeWhileFull(write, Document.patchOf(node(7).meta()), node(8));

    assertThat(result).isInstanceOf(WriteResult.Conflict.class);
    assertThat(server.requests()).isEmpty();
    assertThat(cluster.conflicts()).isEqualTo(1);
    assertThat(window.awaitIdle(0)).as("leaves the window").isTrue();
  }

  @ParameterizedTest
  @MethodSource("writes")
  void write_staysCurrentWhileWaiting_isSent(Write write) throws Exception {
    writeWhileFull(write, Document.patchOf(node(7).meta()), node(7));

    assertThat(server.requests()).hasSize(1);
    assertThat(cluster.conflicts()).isZero();
  }

  @Test
  void write_withoutVersion_isSent() throws Exception {
    assertThat(writeWhileFull(writes().getFirst(), Document.empty(), node(8)))
        .isInstanceOf(WriteResult.Written.class);
    assertThat(cluster.delete(Kind.NODE, KEY, UID)).isInstanceOf(WriteResult.Gone.class);
  }

  // After a restore the server's version may be earlier than the caches'.
  @ParameterizedTest
  @MethodSource("writes")
  void write_alreadyStaleBeforeWaiting_isSent(Write write) throws Exception {
    writeWhileFull(write, Document.patchOf(node(6).meta()), node(8));

    assertThat(server.requests()).hasSize(1);
  }

  // Returns the result of a write that waits for the window while the caches receive a version.
  private WriteResult<Node> writeWhileFull(Write write, Document patch, Node received)
      throws Exception {
    int full = window.limit();
    for (int i = 0; i < full; i++) {
      window.enter(false);
    }
    CompletableFuture<WriteResult<Node>> result = new CompletableFuture<>();
    Thread writing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                result.complete(write.send(cluster, patch));
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    await().until(() -> writing.getState() == Thread.State.WAITING || result.isDone());
    assertThat(result).as("the window is full").isNotDone();
    nodes.applyOwnWrite(received);
    for (int i = 0; i < full; i++) {
      window.leave(1);
    }
    return result.get(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }
}
