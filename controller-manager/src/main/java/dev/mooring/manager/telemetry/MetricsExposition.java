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
          "attach_detach_controller_attachdetach_controller_forced_detaches");

  private static final int FIRST_BYTES = 1 << 16;
  private static final String ENDING = "_total";

  private MetricsExposition() {}

  static void write(MetricSnapshots metrics, OutputStream out) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream(FIRST_BYTES);
    PrometheusTextFormatWriter.create().write(text, metrics);
    write(text.toString(StandardCharsets.UTF_8), out);
  }

  // Removes the unwanted suffixes, and writes few large chunks, because scrapes are frequent.
  private static void write(String text, OutputStream out) throws IOException {
    int from = 0;
    while (from < text.length()) {
      int ending = nextEnding(text, from);
      out.write(text.substring(from, ending).getBytes(StandardCharsets.UTF_8));
      from = ending + ENDING.length();
    }
  }

  private static int nextEnding(String text, int from) {
    int first = text.length();
    for (String name : COUNTERS_WITHOUT_TOTAL) {
      int at = text.indexOf(name + ENDING, from);
      while (at >= 0 && !isName(text, at, at + name.length() + ENDING.length())) {
        at = text.indexOf(name + ENDING, at + 1);
      }
      first = at < 0 ? first : Math.min(first, at + name.length());
    }
    return first;
  }

  private static boolean isName(String text, int from, int to) {
    int line = text.lastIndexOf('\n', from) + 1;
    String before = text.substring(line, from);
    boolean begins = before.isEmpty() || before.equals("# HELP ") || before.equals("# TYPE ");
    return begins && to < text.length() && (text.charAt(to) == ' ' || text.charAt(to) == '{');
  }
}
