package dev.mooring.apiserver.http.route;

import dev.mooring.apiserver.access.Attributes;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many requests for resources were answered so far, as kube-apiserver's {@code
 * apiserver_request_total} tells it: for finding out what a controller costs a server. A watch
 * counts when it begins, there when it has ended. Thread-safe.
 */
final class RequestCounts {
  /** What requests have in common that are counted together, spelt as the labels are. */
  private record Labels(String verb, String group, String resource, String subresource, int code) {
    static Labels of(Attributes asked, int code) {
      return new Labels(
          switch (asked.verb()) {
            case "create" -> "POST";
            case "update" -> "PUT";
            default -> asked.verb().toUpperCase(Locale.ROOT);
          },
          asked.group(),
          asked.resource(),
          asked.subresource(),
          code);
    }

    @Override
    public String toString() {
      return "{code=\"%d\",group=\"%s\",resource=\"%s\",subresource=\"%s\",verb=\"%s\"}"
          .formatted(code, group, resource, subresource, verb);
    }
  }

  private final Map<Labels, LongAdder> counts = new ConcurrentHashMap<>();

  /** A request for something that is served here is answered. */
  void answered(Attributes asked, int code) {
    counts.computeIfAbsent(Labels.of(asked, code), labels -> new LongAdder()).increment();
  }

  /** In the text format of Prometheus, in order. */
  String text() {
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
