package dev.mooring.manager.command;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

record LocalPathConfig(MigrationNotes notes) {
  private static final String NODES = "nodePathMap";
  private static final String SHARED = "sharedFileSystemPath";
  private static final String CLASSES = "storageClassConfigs";
  private static final String TIMEOUT = "cmdTimeoutSeconds";
  private static final Set<String> COMMANDS = Set.of("setupCommand", "teardownCommand");
  private static final TypeAdapter<JsonElement> JSON =
      new GsonBuilder().setStrictness(Strictness.STRICT).create().getAdapter(JsonElement.class);

  String translated(String json) throws UsageException {
    JsonObject given = object("config.json", parsed(json));
    JsonObject made = new JsonObject();
    for (Map.Entry<String, JsonElement> member : given.entrySet()) {
      String key = member.getKey();
      JsonElement value = member.getValue();
      if (value.isJsonNull()) {
        continue;
      }
      switch (key) {
        case NODES, SHARED -> place(key, value, made, "config.json ");
        case CLASSES -> made.add(key, classes(object(key, value)));
        case TIMEOUT -> made.add(key, seconds(value));
        case "minSize", "maxSize" -> made.addProperty(key, size("config.json " + key, value));
        default -> others(key, value);
      }
    }
    if (made.has(
        CLASSES)) { // as in local-path-provisioner, per-class settings replace the top-level ones
      made.remove(NODES);
      made.remove(SHARED);
    } else {
      onlyOne("config.json", made);
    }
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(made);
  }

  private static JsonElement parsed(String json) throws UsageException {
    try {
      return JSON.fromJson(json);
    } catch (IOException | JsonParseException e) {
      throw new UsageException("config.json is not valid JSON: " + e.getMessage());
    }
  }

  private static JsonObject object(String key, JsonElement value) throws UsageException {
    if (!value.isJsonObject()) {
      throw wrong(key, value, "specify an object");
    }
    return value.getAsJsonObject();
  }

  private static UsageException wrong(String key, JsonElement value, String remedy) {
    return new UsageException(key + " " + MigrationNotes.shown(value) + ": " + remedy);
  }

  private void others(String key, JsonElement value) {
    boolean nothing = value.isJsonPrimitive() && value.getAsString().isEmpty();
    if (!COMMANDS.contains(key)) {
      notes.add("config.json " + key, value, MigrationNotes.UNKNOWN);
    } else if (!nothing) {
      notes.add(
          "config.json " + key,
          value,
          "Mooring runs no external commands: the plugin itself creates and removes directories. If the command does more, keep local-path-provisioner or do that elsewhere");
    }
  }

  private static JsonElement seconds(JsonElement value) throws UsageException {
    try {
      return new JsonPrimitive(value.getAsInt());
    } catch (NumberFormatException | UnsupportedOperationException | IllegalStateException e) {
      throw wrong(TIMEOUT, value, "specify a number of seconds");
    }
  }

  private JsonObject classes(JsonObject given) throws UsageException {
    JsonObject made = new JsonObject();
    for (Map.Entry<String, JsonElement> one : given.entrySet()) {
      String where = CLASSES + " " + one.getKey();
      JsonObject places = new JsonObject();
      for (Map.Entry<String, JsonElement> member : object(where, one.getValue()).entrySet()) {
        String key = member.getKey();
        if (Set.of(NODES, SHARED).contains(key)) {
          place(key, member.getValue(), places, where + " ");
        } else if (Set.of("minSize", "maxSize").contains(key)) {
          places.addProperty(key, size(where + " " + key, member.getValue()));
        } else {
          notes.add(where + " " + key, member.getValue(), MigrationNotes.UNKNOWN);
        }
      }
      onlyOne(where, places);
      made.add(one.getKey(), places);
    }
    return made;
  }

  private static void onlyOne(String where, JsonObject places) throws UsageException {
    if (places.has(NODES) == places.has(SHARED)) {
      throw new UsageException(
          "%s has %s: specify exactly one of them, as local-path-provisioner requires too"
              .formatted(
                  where,
                  places.has(NODES)
                      ? "both nodePathMap and sharedFileSystemPath"
                      : "neither nodePathMap nor sharedFileSystemPath"));
    }
  }

  private void place(String key, JsonElement value, JsonObject made, String where)
      throws UsageException {
    if (key.equals(SHARED)) {
      String path = text(where + key, value);
      if (!path.isEmpty()) {
        made.addProperty(key, path(where + key, path));
      }
      return;
    }
    JsonArray nodes = new JsonArray();
    Set<String> seen = new HashSet<>();
    for (JsonElement one : list(where + key, value)) {
      JsonObject node = node(object(where + key, one), where + key);
      if (!seen.add(node.get("node").getAsString())) {
        throw wrong(where + key, node.get("node"), "duplicate node: list it once");
      }
      nodes.add(node);
    }
    if (!nodes.isEmpty()) {
      made.add(key, nodes);
    }
  }

  private JsonObject node(JsonObject given, String where) throws UsageException {
    for (String key : given.keySet()) {
      if (!Set.of("node", "paths").contains(key)) {
        notes.add(where + " " + key, given.get(key), MigrationNotes.UNKNOWN);
      }
    }
    JsonObject made = new JsonObject();
    String name = given.has("node") ? text(where + " node", given.get("node")) : "";
    if (name.isEmpty()) {
      throw wrong(
          where, given, "an entry has no node: specify one, or DEFAULT_PATH_FOR_NON_LISTED_NODES");
    }
    made.addProperty("node", name);
    JsonArray paths = new JsonArray();
    Set<JsonElement> seen = new HashSet<>();
    if (given.has("paths")) {
      for (JsonElement one : list(where + " paths", given.get("paths"))) {
        JsonElement plain = path(one, where + " paths");
        JsonElement path = plain.isJsonObject() ? plain.getAsJsonObject().get("path") : plain;
        if (!seen.add(path)) {
          throw wrong(where + " paths", path, "duplicate path of a node: list it once");
        }
        paths.add(plain);
      }
    }
    made.add("paths", paths);
    return made;
  }

  private static String size(String key, JsonElement value) throws UsageException {
    String size = text(key, value);
    if (!LocalPathClass.isSize(size)) {
      throw wrong(key, value, "specify a size such as 5Gi");
    }
    return size;
  }

  private JsonElement path(JsonElement one, String where) throws UsageException {
    if (!one.isJsonObject() || !one.getAsJsonObject().has("path")) {
      return new JsonPrimitive(path(where, text(where, one)));
    }
    JsonObject given = one.getAsJsonObject();
    JsonObject made = new JsonObject();
    String path = path(where, text(where, given.get("path")));
    made.addProperty("path", path);
    for (String key : given.keySet()) {
      if (key.equals("maxCapacity")) {
        made.addProperty(key, size(where + " \"" + path + "\" " + key, given.get(key)));
      } else if (!key.equals("path")) {
        notes.add(where + " " + key, given.get(key), MigrationNotes.UNKNOWN);
      }
    }
    return made.size() == 1 ? made.get("path") : made;
  }

  private static List<JsonElement> list(String key, JsonElement value) throws UsageException {
    if (value.isJsonNull()) {
      return List.of();
    }
    if (!value.isJsonArray()) {
      throw wrong(key, value, "specify a list");
    }
    return value.getAsJsonArray().asList();
  }

  private static String text(String key, JsonElement value) throws UsageException {
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
      throw wrong(key, value, "specify a string");
    }
    return value.getAsString();
  }

  // Applies the plugin's rules: absolute, not the root, without "." and ".." elements.
  private static String path(String key, String path) throws UsageException {
    String plain = path.replaceAll("/+$", "");
    boolean odd =
        List.of(plain.split("/", -1)).stream()
            .skip(1)
            .anyMatch(element -> Set.of("", ".", "..").contains(element));
    if (!path.startsWith("/") || plain.isEmpty() || odd) {
      throw wrong(
          key,
          new JsonPrimitive(path),
          "specify an absolute path below the root directory, without '.', '..' and empty elements");
    }
    return plain;
  }
}
