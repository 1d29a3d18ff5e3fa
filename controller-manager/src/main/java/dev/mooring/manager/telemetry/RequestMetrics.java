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

  private record Answered(String code, String method) {}

  private final String host;
  private final Map<Answered, LongAdder> answers = new ConcurrentHashMap<>();
  private final OperationStats durations = new OperationStats(BOUNDS);

  RequestMetrics(String host) {
    this.host = host;
  }

  @Override
  public void sent(String method, int code, long nanos) {
    String said = code < 0 ? "<error>" : Integer.toString(code);
    answers.computeIfAbsent(new Answered(said, method), a -> new LongAdder()).increment();
    if (nanos >= 0) {
      durations.took(host, method, true, nanos);
    }
  }

  @Override
  public void addTo(MetricFamilies all) {
    MetricFamilies.Numbers requests =
        all.counter(
            "rest_client_requests",
            "Number of HTTP requests, partitioned by status code, method, and host.");
    answers.forEach((answered, count) ->
        requests.put(
            count.sum(), "code", answered.code(), "host", host, "method", answered.method()));
    MetricFamilies.Histograms took =
        all.histogram(
            "rest_client_request_duration_seconds",
            "Request latency in seconds. Broken down by verb, and host.",
            BOUNDS);
    for (OperationStats.Durations each : durations.read()) {
      took.put(each.counts(), each.sumSeconds(), "host", host, "verb", each.sort().operation());
    }
  }
}
