package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.SimTime;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of events that nobody takes. */
@Timeout(300)
class EventRecorderTest {
  @TempDir private Path folder;

  private static ClusterEvent event(String name) {
    Meta about = Builders.metaOf(ObjectKey.of("ns", name)).uid(name).created(1).meta();
    return new ClusterEvent(
        Kind.CLAIM, about, ClusterEvent.Type.NORMAL, "FailedBinding", "Binding", "none", "test");
  }

  private EventRecorder recorder(RecordingServer server) throws Exception {
    SimTime time = new SimTime();
    return new EventRecorder(KubeCluster.alone(server.connect(folder), time), time, "here");
  }

  @Test
  void whoeverToldItHearsThatTheServerDidNotTakeIt() throws Exception {
    AtomicInteger answer = new AtomicInteger(500);
    try (RecordingServer server =
        new RecordingServer(asked -> RecordingServer.Answer.json(answer.get(), "{}"))) {
      EventRecorder recorder = recorder(server);
      CountDownLatch lost = new CountDownLatch(1);
      recorder.tell(event("a"), lost::countDown);
      lost.await();
      assertThat(recorder.dropped()).isOne();
      answer.set(201);
      recorder.tell(
          event("b"),
          () -> {
            throw new AssertionError("it was written");
          });
      recorder.stop();
      assertThat(recorder.written()).isOne();
      assertThat(recorder.dropped()).isOne();
    }
  }

  @Test
  void andThatThereWasNoRoomForIt() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (RecordingServer server =
        new RecordingServer(one -> {
          asked.countDown();
          try {
            go.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
          return RecordingServer.Answer.json(201, "{}");
        })) {
      EventRecorder recorder = recorder(server);
      recorder.tell(event("first"));
      asked.await();
      AtomicInteger lost = new AtomicInteger();
      for (int i = 0; i < 9_000; i++) {
        recorder.tell(event("e" + i), lost::incrementAndGet);
      }
      assertThat(lost.get()).isEqualTo(9_000 - 8_192);
      assertThat(recorder.dropped()).isEqualTo(9_000 - 8_192);
      go.countDown();
      recorder.stop();
    }
  }
}
