package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kube.RecordingServer.Answer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundProbeTest {
  @TempDir private Path folder;

  // A start runs other steps meanwhile and must not send the probe twice.
  @Test
  void probe_afterProbeAhead_returnsItsResult() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    try (RecordingServer server =
        new RecordingServer(request -> {
          await(answers);
          return Answer.json(200, "{}");
        })) {
      KubeConnection connection = server.connect(folder);
      connection.probeAhead();
      answers.countDown();
      assertThat(connection.probe()).isEmpty();
      assertThat(server.requests()).hasSize(1);
      assertThat(connection.probe()).isEmpty();
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void probe_afterFailure_probesAgain() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(500, "{}"))) {
      KubeConnection connection = server.connect(folder);
      connection.probeAhead();
      assertThat(connection.probe()).contains("answers 500");
      assertThat(connection.probe()).contains("answers 500");
      assertThat(server.requests()).hasSize(2);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
