package dev.mooring.manager.telemetry;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Prometheus text format. The library appends {@code _total} to every counter. Some counters of
 * Kubernetes lack it, and existing alerts use those names.
 */
final class MetricsExposition {
  private static final List<String> COUNTERS_WITHOUT_TOTAL =
      List.of(
          "volume_operation_total_errors",
          "attach_detach_controller_attachdetach_controller_forced_detaches",
          "volume_data_source_validator_operation_count");

  private static final int INITIAL_CAPACITY = 1 << 16;
  private static final String SUFFIX = "_total";

  private MetricsExposition() {}

  static void write(MetricSnapshots metrics, OutputStream out) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream(INITIAL_CAPACITY);
    PrometheusTextFormatWriter.create().write(text, metrics);
    write(text.toString(StandardCharsets.UTF_8), out);
  }

  // Removes the unwanted suffixes, and writes few large chunks, because scrapes are frequent.
  private static void write(String text, OutputStream out) throws IOException {
    int start = 0;
    while (start < text.length()) {
      int suffixIndex = nextUnwantedSuffix(text, start);
      out.write(text.substring(start, suffixIndex).getBytes(StandardCharsets.UTF_8));
      start = suffixIndex + SUFFIX.length();
    }
  }

  private static int nextUnwantedSuffix(String text, int start) {
    int index = text.length();
    for (String name : COUNTERS_WITHOUT_TOTAL) {
      int nameIndex = text.indexOf(name + SUFFIX, start);
      while (nameIndex >= 0
          && !isMetricName(text, nameIndex, nameIndex + name.length() + SUFFIX.length())) {
        nameIndex = text.indexOf(name + SUFFIX, nameIndex + 1);
      }
      index = nameIndex < 0 ? index : Math.min(index, nameIndex + name.length());
    }
    return index;
  }

  private static boolean isMetricName(String text, int start, int end) {
    int lineStart = text.lastIndexOf('\n', start) + 1;
    String linePrefix = text.substring(lineStart, start);
    boolean startsLine =
        linePrefix.isEmpty() || linePrefix.equals("# HELP ") || linePrefix.equals("# TYPE ");
    return startsLine
        && end < text.length()
        && (text.charAt(end) == ' ' || text.charAt(end) == '{');
  }
}
