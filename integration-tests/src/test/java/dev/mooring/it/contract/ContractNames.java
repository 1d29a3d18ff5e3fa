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
  private static final Map<String, Set<String>> PROJECTED =
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
  private static final Set<String> CONDITION =
      Set.of("type", "status", "reason", "message", "lastTransitionTime", "lastHeartbeatTime");

  private final TreeMap<Long, String> versions = new TreeMap<>();
  private final Set<String> uids = new HashSet<>();
  private final Set<String> own = new HashSet<>();
  private final List<Pattern> generated = new ArrayList<>();
  private final Map<String, JsonObject> sent;
  private final String token;
  private boolean keepsManagedFields;
  private long top;
  private long lastList = -1;
  private List<String> columns = List.of();

  ContractNames(JsonObject testCase, String token) {
    this.token = token;
    String text = testCase.get("exchanges").toString();
    Matcher uuid = UUID.matcher(SentObjects.requests(testCase).toString());
    while (uuid.find()) {
      own.add(uuid.group());
    }
    Matcher prefix = Pattern.compile("\"generateName\":\"([^\"]*)\"").matcher(text);
    Set<String> prefixes = new HashSet<>();
    while (prefix.find()) {
      String p = prefix.group(1);
      prefixes.add(p);
      prefixes.add(p.substring(0, Math.min(58, p.length())));
    }
    prefixes.stream()
        .sorted((a, b) -> b.length() - a.length())
        .forEach(p ->
            generated.add(
                Pattern.compile(
                    "(" + Pattern.quote(p) + ")[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])")));
    sent =
        Map.of(
            "Pod",
            SentObjects.fields(testCase, "pod"),
            "Node",
            SentObjects.fields(testCase, "node"));
  }

  private String version(String text) {
    if (!text.matches("\\d+")) {
      return "<rv?'" + text + "'>";
    }
    long number = Long.parseLong(text);
    if (!versions.containsKey(number)) {
      Map.Entry<Long, String> under = versions.lowerEntry(number);
      String place =
          number > top
              ? ""
              : under != null
                  ? " after " + under.getValue().replaceAll("[<>]", "").split(" ")[0]
                  : " first";
      versions.put(number, "<rv" + (versions.size() + 1) + place + ">");
      top = Math.max(top, number);
    }
    return "<rv#" + number + ">";
  }

  private String listVersion(String text, long floor, Map<String, String> query) {
    if (text.isEmpty()) {
      return "";
    }
    long number = Long.parseLong(text);
    long last = lastList;
    lastList = number;
    if (query.containsKey("continue")) {
      return number == last ? "<list-rv:same>" : "<list-rv>";
    }
    if (text.equals(query.get("resourceVersion"))
        && ("Exact".equals(query.get("resourceVersionMatch")) || query.containsKey("limit"))) {
      return "<list-rv:exact>";
    }
    return number >= floor ? "<list-rv>" : "<list-rv:behind>";
  }

  private String text(String value) {
    if (!token.isEmpty() && value.equals(token)) {
      return "${token}";
    }
    if (uids.contains(value)) {
      return "<uid>";
    }
    String result = TIME.matcher(value).replaceAll(m -> Matcher.quoteReplacement(time(m.group())));
    for (Pattern pattern : generated) {
      result = pattern.matcher(result).replaceAll("$1<suffix>");
    }
    return result;
  }

  private static String time(String text) {
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

  private JsonElement status(JsonObject status) {
    JsonObject out = new JsonObject();
    for (String name : List.of("kind", "apiVersion", "status", "reason", "code")) {
      if (status.has(name)) {
        out.add(name, status.get(name));
      }
    }
    if (status.get("metadata") instanceof JsonObject metadata
        && metadata.has("continue")
        && !metadata.get("continue").getAsString().isEmpty()) {
      JsonObject kept = new JsonObject();
      kept.addProperty("continue", "<continue>");
      out.add("metadata", kept);
    }
    if (status.get("details") instanceof JsonObject details) {
      JsonObject kept = new JsonObject();
      details.entrySet().stream()
          .filter(e -> !e.getKey().equals("causes") && !e.getKey().equals("uid"))
          .forEach(e -> kept.add(e.getKey(), walk(e.getValue(), "", Map.of(), -1)));
      if (details.has("uid")) {
        kept.addProperty("uid", UUID.matcher(details.get("uid").getAsString()).replaceAll("<uid>"));
      }
      if (details.get("causes") instanceof JsonArray causes) {
        List<JsonObject> sorted = new ArrayList<>();
        causes.forEach(c -> sorted.add(c.getAsJsonObject()));
        sorted.sort(
            java.util.Comparator.comparing((JsonObject c) -> get(c, "field"))
                .thenComparing(c -> get(c, "reason"))
                .thenComparing(c -> get(c, "message")));
        JsonArray list = new JsonArray();
        sorted.forEach(list::add);
        kept.add("causes", list);
      }
      out.add("details", kept);
    }
    return out;
  }

  private static String get(JsonObject object, String name) {
    return object.has(name) ? object.get(name).getAsString() : "";
  }

  /** Sets whether managedFields are compared from now on. */
  void keepManagedFields(boolean keep) {
    keepsManagedFields = keep;
  }

  /** Sorts managedFields independently of the second in which a write arrived. */
  private static JsonElement sorted(JsonElement value) {
    if (!(value instanceof JsonArray entries)) {
      return value;
    }
    JsonArray result = new JsonArray();
    entries.asList().stream()
        .sorted(Comparator.comparing(ContractNames::owner))
        .forEach(result::add);
    return result;
  }

  private static String owner(JsonElement entry) {
    return Stream.of("operation", "manager", "subresource", "apiVersion")
        .map(k -> get(entry.getAsJsonObject(), k))
        .collect(Collectors.joining("\0"));
  }

  private JsonObject metadata(
      JsonObject metadata, boolean collection, long floor, Map<String, String> query) {
    JsonObject out = new JsonObject();
    for (Map.Entry<String, JsonElement> member : metadata.entrySet()) {
      String name = member.getKey();
      JsonElement value = member.getValue();
      boolean isText = value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
      switch (name) {
        case "managedFields" -> {
          if (!keepsManagedFields) {
            continue;
          }
          value = sorted(walk(value, "", query, floor));
        }
        case "resourceVersion" ->
            value =
                new JsonPrimitive(
                    collection
                        ? listVersion(value.getAsString(), floor, query)
                        : version(value.getAsString()));
        case "uid" -> {
          if (isText
              && !own.contains(value.getAsString())
              && UUID.matcher(value.getAsString()).matches()) {
            uids.add(value.getAsString());
            value = new JsonPrimitive("<uid>");
          }
        }
        case "continue" -> value = new JsonPrimitive("<continue>");
        default -> value = walk(value, "", query, -1);
      }
      out.add(name, value);
    }
    return out;
  }

  JsonElement walk(JsonElement value, String hint, Map<String, String> query, long bookmark) {
    if (value instanceof JsonArray list) {
      JsonArray out = new JsonArray();
      list.forEach(e -> out.add(walk(e, hint, query, -1)));
      return out;
    }
    if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()) {
      return new JsonPrimitive(text(value.getAsString()));
    }
    if (!(value instanceof JsonObject given)) {
      return value;
    }
    String kind =
        given.has("kind") && given.get("kind").isJsonPrimitive()
            ? given.get("kind").getAsString()
            : hint;
    if (kind.equals("Status") && given.has("status")) {
      return status(given);
    }
    JsonObject object =
        PROJECTED.containsKey(kind) && given.has("metadata")
            ? projected(given, kind)
            : given.deepCopy();
    boolean collection = bookmark >= 0;
    long floor = Math.max(0, bookmark);
    boolean table = kind.equals("Table");
    if (kind.endsWith("List") && object.has("items") || table) {
      collection = true;
      floor = floor(object, table);
      if (!table && !query.containsKey("resourceVersion") && !query.containsKey("continue")) {
        floor = Math.max(floor, top);
      }
    }
    if (table) {
      ages(object);
    }
    JsonObject out = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      String name = member.getKey();
      if (name.equals("metadata") && member.getValue() instanceof JsonObject metadata) {
        out.add(name, metadata(metadata, collection, floor, query));
      } else if (name.equals("items") && collection) {
        out.add(name, walk(member.getValue(), kind.substring(0, kind.length() - 4), query, -1));
      } else {
        out.add(name, walk(member.getValue(), "", query, -1));
      }
    }
    return out;
  }

  private static long floor(JsonObject list, boolean table) {
    long floor = 0;
    if (list.get(table ? "rows" : "items") instanceof JsonArray rows) {
      for (JsonElement row : rows) {
        JsonElement object = table ? row.getAsJsonObject().get("object") : row;
        if (object instanceof JsonObject o
            && o.get("metadata") instanceof JsonObject m
            && m.has("resourceVersion")) {
          floor = Math.max(floor, Long.parseLong(m.get("resourceVersion").getAsString()));
        }
      }
    }
    return floor;
  }

  private void ages(JsonObject table) {
    if (table.get("columnDefinitions") instanceof JsonArray definitions) {
      columns =
          definitions.asList().stream()
              .map(d -> d.getAsJsonObject().get("name").getAsString())
              .toList();
    }
    if (!(table.get("rows") instanceof JsonArray rows)) {
      return;
    }
    for (JsonElement row : rows) {
      JsonArray cells = row.getAsJsonObject().getAsJsonArray("cells");
      for (int i = 0; i < cells.size() && i < columns.size(); i++) {
        boolean age = List.of("Age", "Last Seen", "First Seen").contains(columns.get(i));
        if (age
            && cells.get(i).isJsonPrimitive()
            && AGE.matcher(cells.get(i).getAsString()).matches()) {
          cells.set(i, new JsonPrimitive("<age>"));
        }
      }
    }
  }

  private JsonObject projected(JsonObject given, String kind) {
    JsonObject object = given.deepCopy();
    JsonObject fields = sent.get(kind);
    if (object.get("spec") instanceof JsonObject spec) {
      JsonObject keep = fields.getAsJsonObject("spec").deepCopy();
      if (kind.equals("Pod")) {
        keep.add("nodeName", new JsonObject());
      }
      object.add("spec", keep.isEmpty() ? new JsonObject() : SentObjects.project(spec, keep));
    }
    if (object.get("status") instanceof JsonObject status) {
      JsonObject extra = fields.getAsJsonObject("status");
      JsonObject kept = new JsonObject();
      for (Map.Entry<String, JsonElement> member : status.entrySet()) {
        String name = member.getKey();
        if (extra.has(name) || PROJECTED.get(kind).contains(name)) {
          kept.add(
              name,
              extra.has(name) && !name.equals("conditions")
                  ? SentObjects.project(member.getValue(), extra.getAsJsonObject(name))
                  : member.getValue());
        }
      }
      if (kept.get("conditions") instanceof JsonArray conditions) {
        conditions.forEach(
            c -> c.getAsJsonObject().entrySet().removeIf(e -> !CONDITION.contains(e.getKey())));
      }
      object.add("status", kept);
    }
    for (String name : List.of("spec", "status")) {
      if (object.get(name) instanceof JsonObject o && o.isEmpty()) {
        object.remove(name);
      }
    }
    return object;
  }
}
