package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Replaces values that a server chooses (uids, versions, times, suffixes, tokens) by names, as in
 * the recorded responses.
 */
final class ContractNames {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
  private static final Pattern AGE = Pattern.compile("(\\d+[smhdy])+|<invalid>");
  private static final Map<String, Set<String>> COMPARED_STATUS_FIELDS =
      Map.of(
          "Pod",
          Set.of("phase", "reason", "message", "conditions", "nominatedNodeName"),
          "Node",
          Set.of(
              "volumesAttached",
              "volumesInUse",
              "conditions",
              "capacity",
              "allocatable",
              "addresses"));
  private static final Set<String> CONDITION_FIELDS =
      Set.of("type", "status", "reason", "message", "lastTransitionTime", "lastHeartbeatTime");

  private final TreeMap<Long, String> versions = new TreeMap<>();
  private final Set<String> uids = new HashSet<>();
  private final Set<String> requestUids = new HashSet<>();
  private final List<Pattern> generatedNames = new ArrayList<>();
  private final Map<String, JsonObject> sentFields;
  private final String token;
  private boolean keepsManagedFields;
  private long highestVersion;
  private long lastListVersion = -1;
  private List<String> columnNames = List.of();

  ContractNames(JsonObject testCase, String token) {
    this.token = token;
    String text = testCase.get("exchanges").toString();
    Matcher uuid = UUID.matcher(SentObjects.collectRequests(testCase).toString());
    while (uuid.find()) {
      requestUids.add(uuid.group());
    }
    Matcher prefix = Pattern.compile("\"generateName\":\"([^\"]*)\"").matcher(text);
    Set<String> prefixes = new HashSet<>();
    while (prefix.find()) {
      String generateName = prefix.group(1);
      prefixes.add(generateName);
      prefixes.add(generateName.substring(0, Math.min(58, generateName.length())));
    }
    prefixes.stream()
        .sorted((left, right) -> right.length() - left.length())
        .forEach(namePrefix ->
            generatedNames.add(
                Pattern.compile(
                    "("
                        + Pattern.quote(namePrefix)
                        + ")[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])")));
    sentFields =
        Map.of(
            "Pod",
            SentObjects.collectFields(testCase, "pod"),
            "Node",
            SentObjects.collectFields(testCase, "node"));
  }

  private String nameVersion(String text) {
    if (!text.matches("\\d+")) {
      return "<rv?'" + text + "'>";
    }
    long number = Long.parseLong(text);
    if (!versions.containsKey(number)) {
      Map.Entry<Long, String> previousVersion = versions.lowerEntry(number);
      String position =
          number > highestVersion
              ? ""
              : previousVersion != null
                  ? " after " + previousVersion.getValue().replaceAll("[<>]", "").split(" ")[0]
                  : " first";
      versions.put(number, "<rv" + (versions.size() + 1) + position + ">");
      highestVersion = Math.max(highestVersion, number);
    }
    return "<rv#" + number + ">";
  }

  private String nameListVersion(String text, long floor, Map<String, String> query) {
    if (text.isEmpty()) {
      return "";
    }
    long number = Long.parseLong(text);
    long previousListVersion = lastListVersion;
    lastListVersion = number;
    if (query.containsKey("continue")) {
      return number == previousListVersion ? "<list-rv:same>" : "<list-rv>";
    }
    if (text.equals(query.get("resourceVersion"))
        && ("Exact".equals(query.get("resourceVersionMatch")) || query.containsKey("limit"))) {
      return "<list-rv:exact>";
    }
    return number >= floor ? "<list-rv>" : "<list-rv:behind>";
  }

  private String nameText(String value) {
    if (!token.isEmpty() && value.equals(token)) {
      return "${token}";
    }
    if (uids.contains(value)) {
      return "<uid>";
    }
    String result =
        TIME.matcher(value).replaceAll(match -> Matcher.quoteReplacement(nameTime(match.group())));
    for (Pattern pattern : generatedNames) {
      result = pattern.matcher(result).replaceAll("$1<suffix>");
    }
    return result;
  }

  private static String nameTime(String text) {
    Instant time = OffsetDateTime.parse(text).toInstant();
    if (Duration.between(time, Instant.now()).abs().compareTo(Duration.ofDays(1)) > 0) {
      return text;
    }
    return text.matches("[^.]*Z")
        ? "<time>"
        : text.matches("[^.]*\\.\\d{6}Z")
            ? "<microtime>"
            : "<time?" + text.replaceAll("\\d", "0") + ">";
  }

  private JsonElement comparableStatus(JsonObject status) {
    JsonObject result = new JsonObject();
    for (String name : List.of("kind", "apiVersion", "status", "reason", "code")) {
      if (status.has(name)) {
        result.add(name, status.get(name));
      }
    }
    if (status.get("metadata") instanceof JsonObject metadata
        && metadata.has("continue")
        && !metadata.get("continue").getAsString().isEmpty()) {
      JsonObject continueOnly = new JsonObject();
      continueOnly.addProperty("continue", "<continue>");
      result.add("metadata", continueOnly);
    }
    if (status.get("details") instanceof JsonObject details) {
      JsonObject comparableDetails = new JsonObject();
      details.entrySet().stream()
          .filter(detail -> !detail.getKey().equals("causes") && !detail.getKey().equals("uid"))
          .forEach(detail ->
              comparableDetails.add(
                  detail.getKey(), nameValue(detail.getValue(), "", Map.of(), -1)));
      if (details.has("uid")) {
        comparableDetails.addProperty(
            "uid", UUID.matcher(details.get("uid").getAsString()).replaceAll("<uid>"));
      }
      if (details.get("causes") instanceof JsonArray causes) {
        List<JsonObject> sortedCauses = new ArrayList<>();
        causes.forEach(cause -> sortedCauses.add(cause.getAsJsonObject()));
        sortedCauses.sort(
            Comparator.comparing((JsonObject cause) -> textOf(cause, "field"))
                .thenComparing(cause -> textOf(cause, "reason"))
                .thenComparing(cause -> textOf(cause, "message")));
        JsonArray causeList = new JsonArray();
        sortedCauses.forEach(causeList::add);
        comparableDetails.add("causes", causeList);
      }
      result.add("details", comparableDetails);
    }
    return result;
  }

  private static String textOf(JsonObject object, String name) {
    return object.has(name) ? object.get(name).getAsString() : "";
  }

  /** Sets whether later calls keep managedFields. */
  void compareManagedFields(boolean keepsManagedFields) {
    this.keepsManagedFields = keepsManagedFields;
  }

  /** Sorts managedFields by owner, because the server sorts them by time. */
  private static JsonElement sortManagedFields(JsonElement value) {
    if (!(value instanceof JsonArray entries)) {
      return value;
    }
    JsonArray result = new JsonArray();
    entries.asList().stream()
        .sorted(Comparator.comparing(ContractNames::ownerKey))
        .forEach(result::add);
    return result;
  }

  private static String ownerKey(JsonElement entry) {
    return Stream.of("operation", "manager", "subresource", "apiVersion")
        .map(field -> textOf(entry.getAsJsonObject(), field))
        .collect(Collectors.joining("\0"));
  }

  private JsonObject nameMetadata(
      JsonObject metadata, boolean isCollection, long floor, Map<String, String> query) {
    JsonObject result = new JsonObject();
    for (Map.Entry<String, JsonElement> member : metadata.entrySet()) {
      String name = member.getKey();
      JsonElement value = member.getValue();
      boolean isText = value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
      switch (name) {
        case "managedFields" -> {
          if (!keepsManagedFields) {
            continue;
          }
          value = sortManagedFields(nameValue(value, "", query, floor));
        }
        case "resourceVersion" ->
            value =
                new JsonPrimitive(
                    isCollection
                        ? nameListVersion(value.getAsString(), floor, query)
                        : nameVersion(value.getAsString()));
        case "uid" -> {
          if (isText
              && !requestUids.contains(value.getAsString())
              && UUID.matcher(value.getAsString()).matches()) {
            uids.add(value.getAsString());
            value = new JsonPrimitive("<uid>");
          }
        }
        case "continue" -> value = new JsonPrimitive("<continue>");
        default -> value = nameValue(value, "", query, -1);
      }
      result.add(name, value);
    }
    return result;
  }

  JsonElement nameValue(JsonElement value, String hint, Map<String, String> query, long bookmark) {
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      list.forEach(element -> result.add(nameValue(element, hint, query, -1)));
      return result;
    }
    if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()) {
      return new JsonPrimitive(nameText(value.getAsString()));
    }
    if (!(value instanceof JsonObject givenObject)) {
      return value;
    }
    String kind =
        givenObject.has("kind") && givenObject.get("kind").isJsonPrimitive()
            ? givenObject.get("kind").getAsString()
            : hint;
    if (kind.equals("Status") && givenObject.has("status")) {
      return comparableStatus(givenObject);
    }
    JsonObject object =
        COMPARED_STATUS_FIELDS.containsKey(kind) && givenObject.has("metadata")
            ? projectObject(givenObject, kind)
            : givenObject.deepCopy();
    boolean isCollection = bookmark >= 0;
    long floor = Math.max(0, bookmark);
    boolean isTable = kind.equals("Table");
    if (kind.endsWith("List") && object.has("items") || isTable) {
      isCollection = true;
      floor = findFloor(object, isTable);
      if (!isTable && !query.containsKey("resourceVersion") && !query.containsKey("continue")) {
        floor = Math.max(floor, highestVersion);
      }
    }
    if (isTable) {
      replaceAges(object);
    }
    JsonObject result = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      String name = member.getKey();
      if (name.equals("metadata") && member.getValue() instanceof JsonObject metadata) {
        result.add(name, nameMetadata(metadata, isCollection, floor, query));
      } else if (name.equals("items") && isCollection) {
        result.add(
            name, nameValue(member.getValue(), kind.substring(0, kind.length() - 4), query, -1));
      } else {
        result.add(name, nameValue(member.getValue(), "", query, -1));
      }
    }
    return result;
  }

  private static long findFloor(JsonObject list, boolean isTable) {
    long floor = 0;
    if (list.get(isTable ? "rows" : "items") instanceof JsonArray rows) {
      for (JsonElement row : rows) {
        JsonElement object = isTable ? row.getAsJsonObject().get("object") : row;
        if (object instanceof JsonObject rowObject
            && rowObject.get("metadata") instanceof JsonObject metadata
            && metadata.has("resourceVersion")) {
          floor = Math.max(floor, Long.parseLong(metadata.get("resourceVersion").getAsString()));
        }
      }
    }
    return floor;
  }

  private void replaceAges(JsonObject tableObject) {
    if (tableObject.get("columnDefinitions") instanceof JsonArray definitions) {
      columnNames =
          definitions.asList().stream()
              .map(definition -> definition.getAsJsonObject().get("name").getAsString())
              .toList();
    }
    if (!(tableObject.get("rows") instanceof JsonArray rows)) {
      return;
    }
    for (JsonElement row : rows) {
      JsonArray cells = row.getAsJsonObject().getAsJsonArray("cells");
      for (int i = 0; i < cells.size() && i < columnNames.size(); i++) {
        boolean isAgeColumn =
            List.of("Age", "Last Seen", "First Seen").contains(columnNames.get(i));
        if (isAgeColumn
            && cells.get(i).isJsonPrimitive()
            && AGE.matcher(cells.get(i).getAsString()).matches()) {
          cells.set(i, new JsonPrimitive("<age>"));
        }
      }
    }
  }

  private JsonObject projectObject(JsonObject givenObject, String kind) {
    JsonObject object = givenObject.deepCopy();
    JsonObject fields = sentFields.get(kind);
    if (object.get("spec") instanceof JsonObject spec) {
      JsonObject specFields = fields.getAsJsonObject("spec").deepCopy();
      if (kind.equals("Pod")) {
        specFields.add("nodeName", new JsonObject());
      }
      object.add(
          "spec",
          specFields.isEmpty() ? new JsonObject() : SentObjects.selectFields(spec, specFields));
    }
    if (object.get("status") instanceof JsonObject status) {
      JsonObject sentStatus = fields.getAsJsonObject("status");
      JsonObject comparedStatus = new JsonObject();
      for (Map.Entry<String, JsonElement> member : status.entrySet()) {
        String name = member.getKey();
        if (sentStatus.has(name) || COMPARED_STATUS_FIELDS.get(kind).contains(name)) {
          comparedStatus.add(
              name,
              sentStatus.has(name) && !name.equals("conditions")
                  ? SentObjects.selectFields(member.getValue(), sentStatus.getAsJsonObject(name))
                  : member.getValue());
        }
      }
      if (comparedStatus.get("conditions") instanceof JsonArray conditions) {
        conditions.forEach(condition ->
            condition
                .getAsJsonObject()
                .entrySet()
                .removeIf(member -> !CONDITION_FIELDS.contains(member.getKey())));
      }
      object.add("status", comparedStatus);
    }
    for (String name : List.of("spec", "status")) {
      if (object.get(name) instanceof JsonObject section && section.isEmpty()) {
        object.remove(name);
      }
    }
    return object;
  }
}
