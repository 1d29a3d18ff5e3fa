package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.time.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An object is absent only if the API server responds with the Status NotFound. A 404 page of a
 * proxy proves nothing; otherwise Mooring would delete the volume of a claim that still exists.
 */
class AbsentObjectTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private final SystemTime time = new SystemTime();
  @TempDir private Path folder;

  @AfterEach
  void close() {
    time.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"reason\": \"NotFound\", \"code\": 404} | true",
        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 404} | false",
        "404 page not found | false",
        "default backend - 404 | false",
        "<html><body>404 Not Found</body></html> | false",
        "{} | false",
        "`` | false",
      })
  void request_response404_isAbsentOnlyWithNotFoundStatus(String body, boolean absent)
      throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(404, body))) {
      KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
      assertThat(cluster.read(Kind.CLAIM, CLAIM) instanceof ReadResult.Absent<?>).isEqualTo(absent);
      assertThat(cluster.readWhole(Kind.CLAIM, CLAIM) instanceof ReadResult.Absent<?>)
          .isEqualTo(absent);
      Class<?> writeResult = absent ? WriteResult.Gone.class : WriteResult.Unreachable.class;
      assertThat(cluster.delete(Kind.CLAIM, CLAIM, Uid.of("u"))).isInstanceOf(writeResult);
      assertThat(cluster.patch(Kind.CLAIM, CLAIM, Document.empty())).isInstanceOf(writeResult);
      assertThat(cluster.patchStatus(Kind.CLAIM, CLAIM, Document.empty()))
          .isInstanceOf(writeResult);
    }
  }
}
