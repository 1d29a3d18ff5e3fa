package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

final class ComputedCells {
  private static final String NONE = "<none>";
  private static final int MAX_HOSTS = 3;

  private ComputedCells() {}

  static String compute(String function, JsonObject object, String[] path) {
    return switch (function) {
      case "ago" -> formatAgo(textAt(object, path));
      case "join" -> String.join(",", stringsAt(object, path));
      case "labels" -> formatLabels(valueAt(object, path));
      case "selector" -> defaultIfEmpty(LabelSelectors.formatLine(valueAt(object, path)), NONE);
      case "containers" -> joinContainers(valueAt(object, path), "name");
      case "images" -> joinContainers(valueAt(object, path), "image");
      case "reference" -> formatReference(valueAt(object, path));
      case "parent" -> formatParent(valueAt(object, path));
      case "hosts" -> formatHosts(listElements(object, path));
      case "addresses" -> formatAddresses(listElements(object, path));
      case "seconds" -> formatSeconds(valueAt(object, path));
      case "health" -> formatHealth(object, path[1]);
      case "ingressPorts" -> count(object, "spec", "tls") > 0 ? "80, 443" : "80";
      case "controller" -> findController(object);
      case "paramKind" -> formatParamKind(object);
      case "paramRef" -> formatParamRef(object);
      case "claimState" -> formatClaimState(object);
      case "csrCondition" -> formatCsrCondition(object);
      case "dangling" -> findConditionStatus(object, "Dangling", "?");
      case "apiService" -> formatApiService(object);
      case "apiAvailable" -> formatApiAvailable(object);
      case "metrics" -> AutoscalerCells.formatMetrics(object);
      case "jobStatus" -> JobCells.formatStatus(object);
      case "completions" -> JobCells.formatCompletions(object);
      case "jobDuration" -> JobCells.formatDuration(object);
      default -> ObjectCells.compute(function, object, path);
    };
  }

  static List<JsonObject> listElements(JsonObject object, String... path) {
    List<JsonObject> elements = new ArrayList<>();
    if (valueAt(object, path) instanceof JsonArray list) {
      list.forEach(element -> elements.add(element.getAsJsonObject()));
    }
    return elements;
  }

  static int count(JsonObject object, String... path) {
    return valueAt(object, path) instanceof JsonArray list ? list.size() : 0;
  }

  private static String formatAgo(String time) {
    return time.isEmpty() ? NONE : TableColumns.formatSince(time).getAsString();
  }

  private static String formatSeconds(@Nullable JsonElement seconds) {
    return seconds == null
        ? NONE
        : TableColumns.formatDuration(Duration.ofSeconds(seconds.getAsLong()));
  }

  private static String formatLabels(@Nullable JsonElement labels) {
    if (!(labels instanceof JsonObject map) || map.isEmpty()) {
      return NONE;
    }
    List<String> terms = new ArrayList<>();
    new TreeMap<>(map.asMap()).forEach((key, value) -> terms.add(key + "=" + value.getAsString()));
    return String.join(",", terms);
  }

  private static String joinContainers(@Nullable JsonElement template, String field) {
    List<String> values = new ArrayList<>();
    if (template instanceof JsonObject object) {
      listElements(object, "spec", "containers").forEach(c -> values.add(textAt(c, field)));
    }
    return String.join(",", values);
  }

  private static String formatReference(@Nullable JsonElement reference) {
    if (!(reference instanceof JsonObject object)) {
      return NONE;
    }
    String group = textAt(object, "apiGroup");
    String kind = textAt(object, "kind") + (group.isEmpty() ? "" : "." + group);
    return kind + "/" + textAt(object, "name");
  }

  private static String formatParent(@Nullable JsonElement reference) {
    if (!(reference instanceof JsonObject object)) {
      return NONE;
    }
    String group = textAt(object, "group");
    String namespace = textAt(object, "namespace");
    String resource = textAt(object, "resource") + (group.isEmpty() ? "" : "." + group);
    return resource.toLowerCase(Locale.ROOT)
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + "/"
        + textAt(object, "name");
  }

  private static String formatHosts(List<JsonObject> rules) {
    List<String> hosts =
        rules.stream().map(r -> textAt(r, "host")).filter(host -> !host.isEmpty()).toList();
    String shown = String.join(",", hosts.subList(0, Math.min(MAX_HOSTS, hosts.size())));
    return hosts.isEmpty()
        ? "*"
        : hosts.size() > MAX_HOSTS
            ? shown + " + " + (hosts.size() - MAX_HOSTS) + " more..."
            : shown;
  }

  private static String formatAddresses(List<JsonObject> ingress) {
    return String.join(
        ",",
        ingress.stream()
            .map(i -> defaultIfEmpty(textAt(i, "ip"), textAt(i, "hostname")))
            .sorted()
            .distinct()
            .toList());
  }

  private static String formatHealth(JsonObject object, String field) {
    for (JsonObject condition : listElements(object, "conditions")) {
      if (textAt(condition, "type").equals("Healthy")) {
        return field.equals("status")
            ? textAt(condition, "status").equals("True") ? "Healthy" : "Unhealthy"
            : textAt(condition, field);
      }
    }
    return field.equals("status") ? "Unknown" : "";
  }

  private static String findController(JsonObject object) {
    for (JsonObject owner : listElements(object, "metadata", "ownerReferences")) {
      if (textAt(owner, "controller").equals("true")) {
        String version = textAt(owner, "apiVersion");
        String group =
            version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
        return textAt(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + textAt(owner, "name");
      }
    }
    return NONE;
  }

  private static String formatParamKind(JsonObject object) {
    return valueAt(object, "spec", "paramKind") instanceof JsonObject kind
        ? textAt(kind, "apiVersion") + "/" + textAt(kind, "kind")
        : "<unset>";
  }

  private static String formatParamRef(JsonObject object) {
    if (!(valueAt(object, "spec", "paramRef") instanceof JsonObject reference)) {
      return "<unset>";
    }
    String name = textAt(reference, "name");
    return name.isEmpty()
        ? LabelSelectors.formatLine(valueAt(reference, "selector"))
        : defaultIfEmpty(textAt(reference, "namespace"), "*") + "/" + name;
  }

  private static String formatClaimState(JsonObject claim) {
    boolean isDeleted = !textAt(claim, "metadata", "deletionTimestamp").isEmpty();
    List<String> states = new ArrayList<>();
    if (isDeleted) {
      states.add("deleted");
    }
    if (valueAt(claim, "status", "allocation") != null) {
      states.add("allocated");
      if (count(claim, "status", "reservedFor") > 0) {
        states.add("reserved");
      }
    } else if (!isDeleted) {
      states.add("pending");
    }
    return String.join(",", states);
  }

  private static String formatCsrCondition(JsonObject request) {
    String decision =
        hasCondition(request, "Denied")
            ? "Denied"
            : hasCondition(request, "Approved") ? "Approved" : "Pending";
    return decision
        + (hasCondition(request, "Failed") ? ",Failed" : "")
        + (textAt(request, "status", "certificate").isEmpty() ? "" : ",Issued");
  }

  private static boolean hasCondition(JsonObject object, String type) {
    return !findConditionStatus(object, type, "").isEmpty();
  }

  static String findConditionStatus(JsonObject object, String type, String absent) {
    for (JsonObject condition : listElements(object, "status", "conditions")) {
      if (textAt(condition, "type").equals(type)) {
        return textAt(condition, "status");
      }
    }
    return absent;
  }

  private static String formatApiService(JsonObject object) {
    return valueAt(object, "spec", "service") instanceof JsonObject service
        ? textAt(service, "namespace") + "/" + textAt(service, "name")
        : "Local";
  }

  private static String formatApiAvailable(JsonObject object) {
    for (JsonObject condition : listElements(object, "status", "conditions")) {
      if (textAt(condition, "type").equals("Available")) {
        String status = textAt(condition, "status");
        return status.equals("True") ? status : status + " (" + textAt(condition, "reason") + ")";
      }
    }
    return "Unknown";
  }

  static String formatBetween(String start, String end) {
    Instant startTime = CanonicalValues.parseTime(start);
    Instant endTime = end.isEmpty() ? Instant.now() : CanonicalValues.parseTime(end);
    return startTime == null || endTime == null
        ? ""
        : TableColumns.formatDuration(Duration.between(startTime, endTime));
  }
}
