package dev.mooring.manager.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * All metrics, collected per scrape. Names of Kubernetes' metrics are unchanged; others begin with
 * {@code mooring_}.
 */
public record Metrics(List<MetricsSource> sources) {
  public Metrics {
    sources = List.copyOf(sources);
  }

  public void write(OutputStream out) throws IOException {
    MetricFamilies families = new MetricFamilies();
    sources.forEach(source -> source.addTo(families));
    MetricsExposition.write(families.snapshots(), out);
  }
}
