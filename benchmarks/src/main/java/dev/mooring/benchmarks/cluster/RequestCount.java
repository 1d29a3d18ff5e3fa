package dev.mooring.benchmarks.cluster;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that a server has answered, without watches.
 *
 * @param conflicts updates, patches and deletes that were rejected with a conflict
 */
record RequestCount(long total, long conflicts) {
  static final RequestCount NONE = new RequestCount(0, 0);

  /**
   * Counted resources. The API server sends requests for other resources to itself all the time.
   */
  private static final Set<String> COUNTED_RESOURCES =
      Set.of(
          "persistentvolumeclaims",
          "persistentvolumes",
          "volumeattachments",
          "storageclasses",
          "csidrivers",
          "csinodes",
          "nodes",
          "pods",
          "events");

  private static final String NAME = "apiserver_request_total{";
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final String CONFLICT = "409";

  /** Sums up a server's metrics for the counted resources. */
  static RequestCount of(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(NAME))
        .map(RequestCount::parseLine)
        .reduce(NONE, RequestCount::plus);
  }

  private static RequestCount parseLine(String line) {
    String verb = "";
    String code = "";
    String resource = "";
    Matcher labels = LABEL.matcher(line);
    while (labels.find()) {
      switch (labels.group(1)) {
        case "verb" -> verb = labels.group(2);
        case "code" -> code = labels.group(2);
        case "resource" -> resource = labels.group(2);
        default -> {
          // not needed
        }
      }
    }
    if (verb.equals("WATCH") || !COUNTED_RESOURCES.contains(resource)) {
      return NONE;
    }
    long count = Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    return new RequestCount(count, isConflict(verb, code) ? count : 0);
  }

  static RequestCount ofRequest(String method, int code) {
    return new RequestCount(1, isConflict(method, Integer.toString(code)) ? 1 : 0);
  }

  // Excludes creates: there, 409 means that the object already exists.
  private static boolean isConflict(String verb, String code) {
    return code.equals(CONFLICT) && !verb.equals("POST");
  }

  RequestCount plus(RequestCount other) {
    return new RequestCount(total + other.total, conflicts + other.conflicts);
  }

  RequestCount minus(RequestCount other) {
    return new RequestCount(total - other.total, conflicts - other.conflicts);
  }
}
