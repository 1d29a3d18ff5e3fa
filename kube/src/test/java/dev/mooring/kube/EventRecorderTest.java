package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.Document;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
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
    KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
    return new EventRecorder(cluster, new ConcurrencyWindow(time), time, "here");
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

  /** A write under way, and an event that is told meanwhile. */
  private final class Meanwhile {
    private final SimTime time = new SimTime();
    private final CountDownLatch posted = new CountDownLatch(1);
    private final AtomicReference<EventRecorder> recorder = new AtomicReference<>();
    private final AtomicReference<String> event = new AtomicReference<>("");
    private final Supplier<Boolean> duringTheWrite;
    private volatile boolean cameDuringTheWrite;

    Meanwhile(Function<Meanwhile, Boolean> duringTheWrite) {
      this.duringTheWrite = () -> duringTheWrite.apply(this);
    }

    private RecordingServer.Answer answer(RecordingServer.Asked asked) {
      if (asked.method().equals("POST")) {
        event.set(asked.body());
        posted.countDown();
        return RecordingServer.Answer.json(201, "{}");
      }
      recorder.get().tell(event("a"));
      cameDuringTheWrite = duringTheWrite.get();
      return RecordingServer.Answer.json(
          200,
          """
          {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"namespace": "ns", "name": "a", "uid": "u", "resourceVersion": "7"}}
          """);
    }

    private boolean comesWithin(Duration patience) {
      try {
        return posted.await(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }

    /** The event as it was sent. */
    private String play() throws Exception {
      try (RecordingServer server = new RecordingServer(this::answer)) {
        ConcurrencyWindow window = new ConcurrencyWindow(time);
        KubeCluster cluster =
            new KubeCluster(
                server.connect(folder),
                time,
                new KubeCluster.Limits(window, RateCap.NONE, KubeCluster.ALWAYS),
                new SharedInformers());
        recorder.set(new EventRecorder(cluster, window, time, "here"));
        cluster.patch(
            Kind.CLAIM,
            ObjectKey.of("ns", "a"),
            Document.empty().set("x", "metadata", "annotations", "y"));
        posted.await();
        recorder.get().stop();
        return event.get();
      }
    }
  }

  @Test
  void anEventLetsWritesGoFirstAndBearsTheTimeWhenItWasTold() throws Exception {
    Meanwhile meanwhile =
        new Meanwhile(now -> {
          now.time.advance(Duration.ofMillis(900));
          return now.comesWithin(Duration.ofMillis(300));
        });
    String told = DateTimeFormatter.ISO_INSTANT.format(meanwhile.time.now());
    assertThat(meanwhile.play()).contains("\"eventTime\":\"" + told.substring(0, 19));
    assertThat(meanwhile.cameDuringTheWrite).isFalse();
  }

  @Test
  void butForASecondOnly() throws Exception {
    Meanwhile meanwhile =
        new Meanwhile(now -> {
          now.time.advance(Duration.ofSeconds(1));
          return now.comesWithin(Patience.LONGEST);
        });
    meanwhile.play();
    assertThat(meanwhile.cameDuringTheWrite).isTrue();
  }
}
