package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kube.RecordingServer.Answer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeAheadTest {
  @TempDir private Path folder;

  /** A start does something else meanwhile, and does not ask the same twice. */
  @Test
  void theNextProbeIsToldWhatCameOfIt() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    try (RecordingServer server =
        new RecordingServer(asked -> {
          awaitIt(answers);
          return Answer.json(200, "{}");
        })) {
      KubeConnection connection = server.connect(folder);
      connection.probeAhead();
      answers.countDown();
      assertThat(connection.probe()).isEmpty();
      assertThat(server.asked()).hasSize(1);
      assertThat(connection.probe()).isEmpty();
      assertThat(server.asked()).hasSize(2);
    }
  }

  @Test
  void whatWasWrongThenIsAskedAgain() throws Exception {
    try (RecordingServer server = new RecordingServer(asked -> Answer.json(500, "{}"))) {
      KubeConnection connection = server.connect(folder);
      connection.probeAhead();
      assertThat(connection.probe()).contains("answers 500");
      assertThat(connection.probe()).contains("answers 500");
      assertThat(server.asked()).hasSize(2);
    }
  }

  private static void awaitIt(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
