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

  // A refusal counts as an answer; a 5xx of the server or of a proxy does not.
  @ParameterizedTest
  @CsvSource({
    "200, '', ''",
    "403, '', does not allow listing persistentvolumes (403)",
    "404, '', answers 404",
    "503, answers 503, answers 503"
  })
  void outage_eachStatusCode_onlyServerErrors(int code, String outage, String problem)
      throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(code, "{}"))) {
      KubeConnection connection = server.connect(folder);
      assertThat(connection.outage())
          .contains(outage)
          .matches(message -> !outage.isEmpty() || message.isEmpty());
      assertThat(connection.probe()).contains(problem);
    }
  }

  @Test
  void outage_serverStopped_isReported() throws Exception {
    RecordingServer server = new RecordingServer(request -> Answer.json(200, "{}"));
    KubeConnection connection = server.connect(folder);
    server.close();
    assertThat(connection.outage()).contains("cannot be reached");
  }
}
