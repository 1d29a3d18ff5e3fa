package dev.mooring.manager.telemetry;

import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Optional;

/** Metrics of the program, its process and its JVM, with the names of Prometheus' libraries. */
final class RuntimeMetrics implements MetricsSource {
  private Optional<PrometheusRegistry> registry = Optional.empty();

  @Override
  public void addTo(MetricFamilies all) {
    all.info(
        "mooring_build",
        "Version of Mooring and of the Java runtime; the value is always 1.",
        "version",
        Optional.ofNullable(RuntimeMetrics.class.getPackage().getImplementationVersion())
            .orElse("development"),
        "java_version",
        Runtime.version().toString());
    all.add(registry().scrape());
  }

  // Created by the first scrape, because many processes are never scraped.
  private synchronized PrometheusRegistry registry() {
    if (registry.isEmpty()) {
      PrometheusRegistry created = new PrometheusRegistry();
      ProcessMetrics.builder().register(created);
      JvmMemoryMetrics.builder().register(created);
      JvmGarbageCollectorMetrics.builder().register(created);
      JvmThreadsMetrics.builder().register(created);
      registry = Optional.of(created);
    }
    return registry.get();
  }
}
