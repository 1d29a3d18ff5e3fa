package dev.mooring.apiserver.http.route;

import dev.mooring.apiserver.access.Attributes;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts answered requests for resources like kube-apiserver's {@code apiserver_request_total}. A
 * watch counts when it starts; kube-apiserver counts it when it ends. Thread-safe.
 */
final class RequestCounts {
  private record CounterLabels(
      String verb, String group, String resource, String subresource, int code) {
    static CounterLabels of(Attributes attributes, int code) {
      return new CounterLabels(
          switch (attributes.verb()) {
            case "create" -> "POST";
            case "update" -> "PUT";
            default -> attributes.verb().toUpperCase(Locale.ROOT);
          },
          attributes.group(),
          attributes.resource(),
          attributes.subresource(),
          code);
    }

    @Override
    public String toString() {
      return "{code=\"%d\",group=\"%s\",resource=\"%s\",subresource=\"%s\",verb=\"%s\"}"
          .formatted(code, group, resource, subresource, verb);
    }
  }

  private final Map<CounterLabels, LongAdder> counts = new ConcurrentHashMap<>();

  void increment(Attributes attributes, int code) {
    counts
        .computeIfAbsent(CounterLabels.of(attributes, code), labels -> new LongAdder())
        .increment();
  }

  String format() {
    Map<String, Long> sorted = new TreeMap<>();
    counts.forEach((labels, count) -> sorted.put(labels.toString(), count.sum()));
    StringBuilder text =
        new StringBuilder(
            "# HELP apiserver_request_total Requests that were answered.\n# TYPE apiserver_request_total counter\n");
    sorted.forEach((labels, count) ->
        text.append("apiserver_request_total")
            .append(labels)
            .append(' ')
            .append(count)
            .append('\n'));
    return text.toString();
  }
}
