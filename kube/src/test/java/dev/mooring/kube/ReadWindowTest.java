package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads while the maximum number of reads runs: each more would need another connection. */
class ReadWindowTest {
  private static final ObjectKey KEY = ObjectKey.cluster("n");

  @TempDir private Path folder;
  private final SimTime time = new SimTime(true);
  private final ConcurrencyWindow reads = new ConcurrencyWindow(time);
  private RecordingServer server;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new RecordingServer(request -> Answer.json(200, "{\"metadata\": {\"name\": \"n\"}}"));
    cluster =
        new KubeCluster(
            server.connect(folder),
            time,
            new KubeCluster.Limits(
                reads, new ConcurrencyWindow(time), RateCap.NONE, KubeCluster.ALWAYS),
            new SharedInformers());
    for (int i = 0; i < reads.limit(); i++) {
      reads.enter(false);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void read_windowIsFull_waitsForItsTurn() throws Exception {
    CompletableFuture<ReadResult<Node>> result = new CompletableFuture<>();
    Thread reading =
        Thread.ofVirtual()
            .start(() -> {
              try {
                result.complete(cluster.read(Kind.NODE, KEY));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    TestWait.until(
        "read waits", () -> reading.getState() == Thread.State.WAITING || result.isDone());
    assertThat(result).isNotDone();
    assertThat(server.requests()).isEmpty();
    reads.leave(1);
    assertThat(result.join()).isInstanceOf(ReadResult.Found.class);
  }

  @Test
  void list_windowIsFull_isSent() throws Exception {
    cluster.list(Kind.CLAIM, "ns");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void readWhole_windowHasRoom_leavesWindow() throws Exception {
    reads.leave(1);
    assertThat(cluster.readWhole(Kind.NODE, KEY))
        .isEqualTo(new ReadResult.Found<>(Map.of("metadata", Map.of("name", "n"))));
    assertThat(cluster.readWhole(Kind.NODE, KEY)).isInstanceOf(ReadResult.Found.class);
  }
}
