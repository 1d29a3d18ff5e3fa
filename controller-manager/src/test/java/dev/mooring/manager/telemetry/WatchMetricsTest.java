package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchMetricsTest {
  @Test
  void addTo_resourceWithoutFailures_isZero() throws IOException {
    MetricFamilies families = new MetricFamilies();
    new WatchMetrics(Map.of("pods", 3L, "nodes", 0L)).addTo(families);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MetricsExposition.write(families.snapshots(), out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "# TYPE mooring_watch_failures_total counter",
            "mooring_watch_failures_total{resource=\"pods\"} 3.0",
            "mooring_watch_failures_total{resource=\"nodes\"} 0.0");
  }
}
