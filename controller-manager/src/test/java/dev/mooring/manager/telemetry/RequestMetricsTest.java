package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestMetricsTest {
  private final RequestMetrics metrics = new RequestMetrics("10.0.0.1:6443");

  private String text() throws IOException {
    MetricFamilies families = new MetricFamilies();
    metrics.addTo(families);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MetricsExposition.write(families.snapshots(), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void requests_severalAnswers_areCountedByCodeMethodAndHost() throws IOException {
    metrics.sent("GET", 200, 1);
    metrics.sent("GET", 200, -1);
    metrics.sent("PATCH", 409, 1);
    metrics.sent("POST", -1, 1);
    assertThat(text())
        .contains(
            "# TYPE rest_client_requests_total counter",
            "rest_client_requests_total{code=\"200\",host=\"10.0.0.1:6443\",method=\"GET\"} 2.0",
            "rest_client_requests_total{code=\"409\",host=\"10.0.0.1:6443\",method=\"PATCH\"} 1.0",
            "rest_client_requests_total{code=\"<error>\",host=\"10.0.0.1:6443\",method=\"POST\"} 1.0");
  }

  @Test
  void latency_watch_isExcluded() throws IOException {
    metrics.sent("GET", 200, Duration.ofMillis(20).toNanos());
    metrics.sent("GET", 200, Duration.ofSeconds(3).toNanos());
    metrics.sent("GET", 200, -1);
    String labels = "{host=\"10.0.0.1:6443\",verb=\"GET\",le=";
    assertThat(text())
        .contains(
            "# TYPE rest_client_request_duration_seconds histogram",
            "rest_client_request_duration_seconds_bucket" + labels + "\"0.005\"} 0",
            "rest_client_request_duration_seconds_bucket" + labels + "\"0.025\"} 1",
            "rest_client_request_duration_seconds_bucket" + labels + "\"2.0\"} 1",
            "rest_client_request_duration_seconds_bucket" + labels + "\"4.0\"} 2",
            "rest_client_request_duration_seconds_bucket" + labels + "\"60.0\"} 2",
            "rest_client_request_duration_seconds_count{host=\"10.0.0.1:6443\",verb=\"GET\"} 2",
            "rest_client_request_duration_seconds_sum{host=\"10.0.0.1:6443\",verb=\"GET\"} 3.02");
  }
}
