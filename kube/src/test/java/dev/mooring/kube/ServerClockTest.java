package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerClockTest {
  private final SimTime time = new SimTime(true); // begins at 2026-01-01T00:00:00Z
  private final ServerClock clock = new ServerClock(time);
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "'Thu, 01 Jan 2026 00:00:04 GMT', PT0S",
    "'Thu, 01 Jan 2026 01:00:00 GMT', PT1H",
    "'Sun, 28 Dec 2025 00:00:00 GMT', PT-96H",
    "'', PT0S",
    "yesterday, PT0S",
  })
  void ahead_dateOfResponse_isDifference(String date, Duration expected) {
    clock.record(date);
    assertThat(clock.ahead()).isEqualTo(expected);
  }

  @Test
  void ahead_clockCorrected_isZero() {
    clock.record("Sun, 28 Dec 2025 00:00:00 GMT");
    clock.record("Thu, 01 Jan 2026 00:00:00 GMT");
    assertThat(clock.ahead()).isZero();
  }

  @Test
  void read_responseWithDate_setsClock() throws Exception {
    try (RecordingServer server =
        new RecordingServer(request -> RecordingServer.Answer.json(404, "{}"))) {
      KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
      cluster.read(Kind.NODE, ObjectKey.cluster("n"));
      assertThat(cluster.clockAhead()).as("the server's clock is real").isPositive();
    }
  }
}
