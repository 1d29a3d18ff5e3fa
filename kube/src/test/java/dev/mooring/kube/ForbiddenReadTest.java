package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A read is forbidden only if a Status with reason Forbidden says so. */
class ForbiddenReadTest {
  private static final ObjectKey KEYS = ObjectKey.of("vault", "keys");

  private final SystemTime time = new SystemTime();
  @TempDir private Path folder;

  @AfterEach
  void close() {
    time.close();
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized, false",
    "403, Forbidden, true",
    "403, '', false",
    "404, NotFound, false",
    "429, TooManyRequests, false",
    "500, InternalError, false",
    "503, ServiceUnavailable, false",
  })
  void isForbidden_eachStatus_onlyForForbidden(int code, String reason, boolean forbidden)
      throws Exception {
    try (RecordingServer server =
        new RecordingServer(request ->
            Answer.json(
                code,
                "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"reason\": \"%s\", \"code\": %d}"
                    .formatted(reason, code)))) {
      KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
      assertThat(cluster.isForbidden(Kind.SECRET, KEYS)).isEqualTo(forbidden);
      assertThat(cluster.readWhole(Kind.SECRET, KEYS) instanceof ReadResult.Failed<?>)
          .isEqualTo(code != 404);
    }
  }

  @Test
  void isForbidden_noResponse_isFalse() throws Exception {
    RecordingServer server = new RecordingServer(request -> Answer.json(403, "{}"));
    KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
    server.close();
    assertThat(cluster.isForbidden(Kind.SECRET, KEYS)).isFalse();
    assertThat(cluster.isForbidden(Kind.SECRET, ObjectKey.of("..", "x"))).isFalse();
  }
}
