package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kube.RecordingServer.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerProbeTest {
  @TempDir private Path folder;

  /** A refusal is an answer; an error of the server, or of what stands before it, is none. */
  @ParameterizedTest
  @CsvSource({
    "200, '', ''",
    "403, '', does not let us list persistentvolumes (403)",
    "404, '', answers 404",
    "503, answers 503, answers 503"
  })
  void answer_isAnOutage_ifTheServerFails(int code, String outage, String problem)
      throws Exception {
    try (RecordingServer server = new RecordingServer(asked -> Answer.json(code, "{}"))) {
      KubeConnection connection = server.connect(folder);
      assertThat(connection.outage())
          .contains(outage)
          .matches(told -> !outage.isEmpty() || told.isEmpty());
      assertThat(connection.probe()).contains(problem);
    }
  }

  @Test
  void server_thatIsGone_isAnOutage() throws Exception {
    RecordingServer server = new RecordingServer(asked -> Answer.json(200, "{}"));
    KubeConnection connection = server.connect(folder);
    server.close();
    assertThat(connection.outage()).contains("cannot be reached");
  }
}
