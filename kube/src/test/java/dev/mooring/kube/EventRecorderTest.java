package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRecorderTest {
  @TempDir private Path folder;

  private static ClusterEvent event(String name) {
    return event(name, "none");
  }

  private static ClusterEvent event(String name, String note) {
    Meta subject = TestObjects.metaOf(ObjectKey.of("ns", name)).uid(name).created(1).meta();
    return new ClusterEvent(
        Kind.CLAIM, subject, ClusterEvent.Type.NORMAL, "FailedBinding", "Binding", note, "test");
  }

  private EventRecorder recorder(RecordingServer server) throws Exception {
    SimTime time = new SimTime();
    KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
    return new EventRecorder(cluster, new ConcurrencyWindow(time), time, "here");
  }

  @Test
  void emit_serverRejects_reportsDroppedEvent() throws Exception {
    AtomicInteger answer = new AtomicInteger(500);
    try (RecordingServer server =
        new RecordingServer(request -> RecordingServer.Answer.json(answer.get(), "{}"))) {
      EventRecorder recorder = recorder(server);
      CountDownLatch dropped = new CountDownLatch(1);
      recorder.emit(event("a"), dropped::countDown);
      dropped.await();
      assertThat(recorder.dropped()).isOne();
      answer.set(201);
      recorder.emit(
          event("b"),
          () -> {
            throw new AssertionError("the event was lost");
          });
      recorder.stop();
      assertThat(recorder.written()).isOne();
      assertThat(recorder.dropped()).isOne();
    }
  }

  @Test
  void emit_queueFull_reportsDroppedEvents() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    CountDownLatch canAnswer = new CountDownLatch(1);
    try (RecordingServer server =
        new RecordingServer(request -> {
          received.countDown();
          try {
            canAnswer.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
          return RecordingServer.Answer.json(201, "{}");
        })) {
      EventRecorder recorder = recorder(server);
      recorder.emit(event("first"));
      received.await();
      AtomicInteger dropped = new AtomicInteger();
      for (int i = 0; i < 9_000; i++) {
        recorder.emit(event("e" + i), dropped::incrementAndGet);
      }
      assertThat(dropped.get()).isEqualTo(9_000 - 8_192);
      assertThat(recorder.dropped()).isEqualTo(9_000 - 8_192);
      canAnswer.countDown();
      recorder.stop();
    }
  }

  // A recorder whose window the test fills with writes, and the requests that it sends.
  private final class RecorderWithWrites implements AutoCloseable {
    private final SimTime time = new SimTime();
    private final ConcurrencyWindow window = new ConcurrencyWindow(time);
    private final BlockingQueue<RecordingServer.RecordedRequest> requests =
        new LinkedBlockingQueue<>();
    private final RecordingServer server =
        new RecordingServer(request -> {
          requests.add(request);
          return RecordingServer.Answer.json(201, "{}");
        });
    private final EventRecorder recorder =
        new EventRecorder(KubeCluster.alone(server.connect(folder), time), window, time, "here");

    RecorderWithWrites() throws Exception {}

    private String body() throws InterruptedException {
      RecordingServer.RecordedRequest request =
          requests.poll(TestWait.LONGEST.toMillis(), TimeUnit.MILLISECONDS);
      if (request == null) {
        throw new AssertionError("no request");
      }
      return request.body();
    }

    @Override
    public void close() {
      try {
        recorder.stop();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      server.close();
    }
  }

  @Test
  void event_writesRunning_yieldsAndKeepsItsTime() throws Exception {
    try (RecorderWithWrites fixture = new RecorderWithWrites()) {
      fixture.window.enter(false);
      fixture.recorder.emit(event("a"));
      fixture.time.advance(Duration.ofMillis(900));
      assertThat(fixture.requests.poll(300, TimeUnit.MILLISECONDS)).isNull();
      fixture.window.withdraw();
      assertThat(fixture.body()).contains("\"eventTime\":\"2026-01-01T00:00:00.000000Z\"");
    }
  }

  @Test
  void repetition_writesRunning_keepsItsTime() throws Exception {
    try (RecorderWithWrites fixture = new RecorderWithWrites()) {
      fixture.recorder.emit(event("a"));
      fixture.body();
      fixture.time.advance(Duration.ofSeconds(11));
      fixture.window.enter(false);
      fixture.recorder.emit(event("a"));
      fixture.time.advance(Duration.ofMillis(900));
      fixture.window.withdraw();
      assertThat(fixture.body()).contains("\"lastObservedTime\":\"2026-01-01T00:00:11.000000Z\"");
    }
  }

  @Test
  void event_writesRunningForASecond_isSent() throws Exception {
    try (RecorderWithWrites fixture = new RecorderWithWrites()) {
      fixture.window.enter(false);
      fixture.recorder.emit(event("a"));
      fixture.time.advance(Duration.ofSeconds(1));
      assertThat(fixture.body()).contains("\"eventTime\"");
      fixture.window.withdraw();
    }
  }

  private static String longName(int length) {
    return ("e".repeat(62) + ".").repeat(5).substring(0, length - 1) + "e";
  }

  private static JsonObject json(String body) {
    return JsonParser.parseString(body).getAsJsonObject();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 236, 237, 238, 252, 253})
  void eventName_longObjectName_isValidAndUnique(int length) throws Exception {
    String objectName = longName(length);
    Set<String> names = new HashSet<>();
    try (RecorderWithWrites fixture = new RecorderWithWrites()) {
      for (String message : List.of("first", "second")) {
        fixture.recorder.emit(event(objectName, message));
        JsonObject body = json(fixture.body());
        String name = body.getAsJsonObject("metadata").get("name").getAsString();
        assertThat(name)
            .hasSizeLessThanOrEqualTo(253)
            .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
        assertThat(names.add(name)).as("unique").isTrue();
        assertThat(body.getAsJsonObject("regarding").get("name").getAsString())
            .isEqualTo(objectName);
      }
    }
  }

  @Test
  void note_wideCharacters_isTruncatedToServerLimit() throws Exception {
    try (RecorderWithWrites fixture = new RecorderWithWrites()) {
      fixture.recorder.emit(event("a", "\u4e2d".repeat(1_000)));
      String message = json(fixture.body()).get("note").getAsString();
      assertThat(message).endsWith("...").startsWith("\u4e2d");
      assertThat(message.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_000, 1_024);
      fixture.recorder.emit(event("b", "\ud83d\udca5".repeat(400)));
      String emojiMessage = json(fixture.body()).get("note").getAsString();
      assertThat(emojiMessage.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_000, 1_024);
      assertThat(emojiMessage).matches("(\ud83d\udca5)+\\.\\.\\.");
    }
  }
}
