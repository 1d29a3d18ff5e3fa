package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuntimeMetricsTest {
  private static List<String> names(RuntimeMetrics metrics) {
    MetricFamilies families = new MetricFamilies();
    metrics.addTo(families);
    return families.snapshots().stream()
        .map(MetricSnapshot::getMetadata)
        .map(m -> m.getName())
        .toList();
  }

  @Test
  void addTo_anyProcess_hasStandardNames() {
    assertThat(names(new RuntimeMetrics()))
        .contains(
            "mooring_build",
            "process_cpu_seconds",
            "process_start_time_seconds",
            "jvm_memory_used_bytes",
            "jvm_gc_collection_seconds",
            "jvm_threads_current");
  }

  @Test
  void addTo_secondScrape_hasSameFamilies() {
    RuntimeMetrics metrics = new RuntimeMetrics();
    assertThat(names(metrics)).isEqualTo(names(metrics)).doesNotHaveDuplicates();
  }
}
