package dev.mooring.manager.telemetry;

import dev.mooring.kube.RequestListener;
import dev.mooring.operation.OperationStats;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Metrics of requests to the API server, with client-go's names. Thread-safe. */
final class RequestMetrics implements RequestListener, MetricsSource {
  private static final List<Double> BOUNDS =
      List.of(.005, .025, .1, .25, .5, 1., 2., 4., 8., 15., 30., 60.);

  private record RequestOutcome(String code, String method) {}

  private final String host;
  private final Map<RequestOutcome, LongAdder> counts = new ConcurrentHashMap<>();
  private final OperationStats durations = new OperationStats(BOUNDS);

  RequestMetrics(String host) {
    this.host = host;
  }

  @Override
  public void sent(String method, int code, long nanos) {
    String codeLabel = code < 0 ? "<error>" : Integer.toString(code);
    counts.computeIfAbsent(new RequestOutcome(codeLabel, method), a -> new LongAdder()).increment();
    if (nanos >= 0) {
      durations.recordDuration(host, method, true, nanos);
    }
  }

  @Override
  public void addTo(MetricFamilies families) {
    MetricFamilies.Numbers requests =
        families.counter(
            "rest_client_requests",
            "Number of HTTP requests, partitioned by status code, method, and host.");
    counts.forEach((outcome, count) ->
        requests.put(
            count.sum(), "code", outcome.code(), "host", host, "method", outcome.method()));
    MetricFamilies.Histograms latency =
        families.histogram(
            "rest_client_request_duration_seconds",
            "Request latency in seconds. Broken down by verb, and host.",
            BOUNDS);
    for (OperationStats.Durations operation : durations.read()) {
      latency.put(
          operation.counts(),
          operation.sumSeconds(),
          "host",
          host,
          "verb",
          operation.labels().operation());
    }
  }
}
