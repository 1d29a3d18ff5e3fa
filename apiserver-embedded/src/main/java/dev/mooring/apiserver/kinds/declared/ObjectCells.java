package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.abbreviateModes;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;
import static dev.mooring.apiserver.kinds.model.TableColumns.formatPhase;
import static dev.mooring.apiserver.kinds.model.TableColumns.formatSince;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class ObjectCells {
  private static final int MAX_ENDPOINTS = 3;

  private ObjectCells() {}

  static String compute(String function, JsonObject object, String[] path) {
    return switch (function) {
      case "phase" -> formatPhase(object);
      case "modes" -> abbreviateModes(stringsAt(object, path));
      case "claimModes" ->
          hasVolume(object) ? abbreviateModes(stringsAt(object, "status", "accessModes")) : "";
      case "claimCapacity" ->
          hasVolume(object)
              ? defaultIfEmpty(textAt(object, "status", "capacity", "storage"), "0")
              : "";
      case "claimOfVolume" -> formatClaim(object);
      case "storageClass" -> findClassName(object);
      case "className" ->
          textAt(object, "metadata", "name") + (isDefault(object) ? " (default)" : "");
      case "audiences" -> joinAudiences(object);
      case "nodeStatus" -> formatNodeStatus(object);
      case "podStatus" -> formatPodStatus(object);
      case "podReady" -> formatPodReady(object);
      case "replicasReady" ->
          number(object, "status", "readyReplicas") + "/" + number(object, "spec", "replicas");
      case "first" -> stringsAt(object, path).stream().findFirst().orElse("<none>");
      case "servicePorts" -> formatServicePorts(object);
      case "externalIps" -> formatExternalIps(object);
      default -> computeOther(function, object, path);
    };
  }

  private static String computeOther(String function, JsonObject object, String[] path) {
    return switch (function) {
      case "endpoints" -> abbreviate(listEndpoints(object), "<none>");
      case "slicePorts" -> abbreviate(listSlicePorts(object), "<unset>");
      case "sliceAddresses" -> abbreviate(listSliceAddresses(object), "<unset>");
      case "usage" -> formatUsage(object, path[0].equals("limits"));
      case "role" -> textAt(object, "roleRef", "kind") + "/" + textAt(object, "roleRef", "name");
      case "subjects" -> joinSubjects(object, path[0]);
      case "lastSeen" -> formatSince(findLastTime(object)).getAsString();
      case "firstSeen" -> formatSince(findFirstTime(object)).getAsString();
      case "eventObject" ->
          textAt(object, "involvedObject", "kind").toLowerCase(Locale.ROOT)
              + "/"
              + textAt(object, "involvedObject", "name");
      case "eventSource" -> formatSource(object);
      case "stripped" -> textAt(object, path).strip();
      default -> throw new IllegalArgumentException("rules.txt: no function " + function);
    };
  }

  private static long number(JsonObject object, String... path) {
    JsonElement number = valueAt(object, path);
    return number == null ? 0 : number.getAsLong();
  }

  static long countEntries(JsonObject object, String[] maps) {
    return Stream.of(maps)
        .mapToLong(name -> valueAt(object, name) instanceof JsonObject map ? map.size() : 0)
        .sum();
  }

  private static boolean hasVolume(JsonObject claim) {
    return !textAt(claim, "spec", "volumeName").isEmpty();
  }

  private static String formatClaim(JsonObject volume) {
    return valueAt(volume, "spec", "claimRef") instanceof JsonObject reference
        ? textAt(reference, "namespace") + "/" + textAt(reference, "name")
        : "";
  }

  private static String findClassName(JsonObject object) {
    return defaultIfEmpty(
        textAt(object, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class"),
        textAt(object, "spec", "storageClassName"));
  }

  private static boolean isDefault(JsonObject storageClass) {
    return Stream.of("storageclass.kubernetes.io", "storageclass.beta.kubernetes.io")
        .anyMatch(domain ->
            textAt(storageClass, "metadata", "annotations", domain + "/is-default-class")
                .equals("true"));
  }

  private static String joinAudiences(JsonObject driver) {
    return valueAt(driver, "spec", "tokenRequests") == null
        ? "<unset>"
        : ComputedCells.listElements(driver, "spec", "tokenRequests").stream()
            .map(request -> textAt(request, "audience"))
            .collect(Collectors.joining(","));
  }

  private static String formatNodeStatus(JsonObject node) {
    String status =
        switch (ComputedCells.findConditionStatus(node, "Ready", "?")) {
          case "?" -> "Unknown";
          case "True" -> "Ready";
          default -> "NotReady";
        };
    return status + (flagAt(node, "spec", "unschedulable") ? ",SchedulingDisabled" : "");
  }

  private static String formatPodStatus(JsonObject pod) {
    String reason = textAt(pod, "status", "reason");
    boolean isTerminating = valueAt(pod, "metadata", "deletionTimestamp") != null;
    return reason.isEmpty() || isTerminating ? formatPhase(pod) : reason;
  }

  private static String formatPodReady(JsonObject pod) {
    long readyCount =
        ComputedCells.listElements(pod, "status", "containerStatuses").stream()
            .filter(status -> flagAt(status, "ready"))
            .count();
    return readyCount + "/" + ComputedCells.count(pod, "spec", "containers");
  }

  private static String formatServicePorts(JsonObject service) {
    String ports =
        ComputedCells.listElements(service, "spec", "ports").stream()
            .map(port -> {
              String nodePort = textAt(port, "nodePort");
              return textAt(port, "port")
                  + (nodePort.isEmpty() ? "" : ":" + nodePort)
                  + "/"
                  + textAt(port, "protocol");
            })
            .collect(Collectors.joining(","));
    return defaultIfEmpty(ports, "<none>");
  }

  private static String formatExternalIps(JsonObject service) {
    String externalIps = String.join(",", stringsAt(service, "spec", "externalIPs"));
    return switch (textAt(service, "spec", "type")) {
      case "ExternalName" -> textAt(service, "spec", "externalName");
      case "LoadBalancer" -> defaultIfEmpty(externalIps, "<pending>");
      default -> defaultIfEmpty(externalIps, "<none>");
    };
  }

  private static String abbreviate(List<String> values, String emptyText) {
    String shown = String.join(",", values.subList(0, Math.min(MAX_ENDPOINTS, values.size())));
    return values.size() > MAX_ENDPOINTS
        ? shown + " + " + (values.size() - MAX_ENDPOINTS) + " more..."
        : values.isEmpty() ? emptyText : shown;
  }

  private static List<String> listEndpoints(JsonObject endpoints) {
    List<String> addresses = new ArrayList<>();
    for (JsonObject subset : ComputedCells.listElements(endpoints, "subsets")) {
      for (JsonObject port : ComputedCells.listElements(subset, "ports")) {
        ComputedCells.listElements(subset, "addresses")
            .forEach(a -> addresses.add(textAt(a, "ip") + ":" + textAt(port, "port")));
      }
    }
    return addresses;
  }

  private static List<String> listSlicePorts(JsonObject slice) {
    return ComputedCells.listElements(slice, "ports").stream()
        .map(p -> defaultIfEmpty(textAt(p, "port"), defaultIfEmpty(textAt(p, "name"), "*")))
        .toList();
  }

  private static List<String> listSliceAddresses(JsonObject slice) {
    return ComputedCells.listElements(slice, "endpoints").stream()
        .flatMap(endpoint -> stringsAt(endpoint, "addresses").stream())
        .toList();
  }

  private static String formatUsage(JsonObject quota, boolean isLimit) {
    if (!(valueAt(quota, "status", "hard") instanceof JsonObject hard)) {
      return "";
    }
    return new TreeSet<>(hard.keySet())
        .stream()
            .filter(name -> name.startsWith("limits") == isLimit)
            .map(name ->
                name
                    + ": "
                    + defaultIfEmpty(textAt(quota, "status", "used", name), "0")
                    + "/"
                    + textAt(hard, name))
            .collect(Collectors.joining(", "));
  }

  private static String joinSubjects(JsonObject binding, String kind) {
    return ComputedCells.listElements(binding, "subjects").stream()
        .filter(subject -> textAt(subject, "kind").equals(kind))
        .map(subject -> {
          String namespace = textAt(subject, "namespace");
          return (namespace.isEmpty() ? "" : namespace + "/") + textAt(subject, "name");
        })
        .collect(Collectors.joining(", "));
  }

  private static String findFirstTime(JsonObject event) {
    return defaultIfEmpty(textAt(event, "firstTimestamp"), textAt(event, "eventTime"));
  }

  private static String findLastTime(JsonObject event) {
    return defaultIfEmpty(
        textAt(event, "series", "lastObservedTime"),
        defaultIfEmpty(textAt(event, "lastTimestamp"), findFirstTime(event)));
  }

  static JsonElement countEvents(JsonObject event) {
    JsonElement seriesCount = valueAt(event, "series", "count");
    JsonElement count = seriesCount == null ? valueAt(event, "count") : seriesCount;
    return count == null ? new JsonPrimitive(1) : count;
  }

  private static String formatSource(JsonObject event) {
    boolean hasSource = !textAt(event, "source", "component").isEmpty();
    String source =
        hasSource ? textAt(event, "source", "component") : textAt(event, "reportingComponent");
    String host = hasSource ? textAt(event, "source", "host") : textAt(event, "reportingInstance");
    return host.isEmpty() ? source : source + ", " + host;
  }
}
