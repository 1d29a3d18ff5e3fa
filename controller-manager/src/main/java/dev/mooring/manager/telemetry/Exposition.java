package dev.mooring.manager.telemetry;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The text that Prometheus reads. The library ends the name of every counter with {@code _total};
 * some counters of Kubernetes do not, and alerts know those names.
 */
final class Exposition {
  private static final List<String> COUNTERS_WITHOUT_TOTAL =
      List.of(
          "volume_operation_total_errors",
          "attach_detach_controller_attachdetach_controller_forced_detaches");

  private static final Pattern WITH_TOTAL =
      Pattern.compile(
          "(?m)^((?:# (?:HELP|TYPE) )?(?:"
              + String.join("|", COUNTERS_WITHOUT_TOTAL)
              + "))_total(?=[ {])");

  private Exposition() {}

  /** Writes them all. */
  static void write(MetricSnapshots metrics, OutputStream out) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, metrics);
    out.write(
        WITH_TOTAL
            .matcher(text.toString(StandardCharsets.UTF_8))
            .replaceAll("$1")
            .getBytes(StandardCharsets.UTF_8));
  }
}
