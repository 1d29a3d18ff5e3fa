package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.Asked;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.SimTime;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write for a version of which the caches know a later one is not sent. */
class OutdatedWriteTest {
  private static final ObjectKey KEY = ObjectKey.cluster("n");
  private static final Uid UID = Uid.of("u");

  @TempDir private Path folder;
  private final SimTime time = new SimTime(true);
  private final SharedInformers informers = new SharedInformers();
  private final Informer<Node> nodes = informers.of(Kind.NODE);
  private final ConcurrencyWindow window = new ConcurrencyWindow(time);
  private RecordingServer server;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new RecordingServer(OutdatedWriteTest::answer);
    cluster =
        new KubeCluster(
            server.connect(folder),
            time,
            new KubeCluster.Limits(window, RateCap.NONE, KubeCluster.ALWAYS),
            informers);
    nodes.wrote(node(7));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Answer answer(Asked asked) {
    return Answer.json(
        200, "{\"metadata\": {\"name\": \"n\", \"uid\": \"u\", \"resourceVersion\": \"20\"}}");
  }

  private static Node node(long version) {
    return Builders.node("n").uid(UID).version(version).build();
  }

  private WriteResult<Node> patch(Document patch) throws InterruptedException {
    return cluster.patch(Kind.NODE, KEY, patch);
  }

  @Test
  void whatTheServerWouldRefuseIsNotSent() throws Exception {
    assertThat(patch(Document.patchOf(node(6).meta()))).isInstanceOf(WriteResult.Conflict.class);
    assertThat(cluster.patchStatus(Kind.NODE, KEY, Document.patchOf(node(6).meta())))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(cluster.delete(Kind.NODE, KEY, UID, 6)).isInstanceOf(WriteResult.Conflict.class);

    assertThat(server.asked()).isEmpty();
  }

  @Test
  void whatTheServerMayTakeIsSent() throws Exception {
    assertThat(patch(Document.patchOf(node(7).meta()))).isInstanceOf(WriteResult.Written.class);
    // a live read may be ahead of the caches
    assertThat(patch(Document.patchOf(node(30).meta()))).isInstanceOf(WriteResult.Written.class);
    // whoever wants no version is not held to one
    assertThat(patch(Document.empty())).isInstanceOf(WriteResult.Written.class);
    assertThat(cluster.delete(Kind.NODE, KEY, UID)).isInstanceOf(WriteResult.Gone.class);

    assertThat(server.asked()).hasSize(4);
  }

  /** That is where they become outdated; and the room is for the next then. */
  @Test
  void whoWaitsForRoomMayBeOvertaken() throws Exception {
    for (int i = window.limit(); i > 0; i--) {
      window.enter(false);
    }
    CompletableFuture<WriteResult<Node>> late = new CompletableFuture<>();
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              try {
                late.complete(patch(Document.patchOf(node(7).meta())));
              } catch (InterruptedException e) {
                late.completeExceptionally(e);
              }
            });
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    nodes.wrote(node(8));
    window.leave(1);

    assertThat(late.get()).isInstanceOf(WriteResult.Conflict.class);
    assertThat(server.asked()).isEmpty();
    assertThat(patch(Document.patchOf(node(8).meta()))).isInstanceOf(WriteResult.Written.class);
  }
}
