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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

record LocalPathConfig(MigrationNotes notes) {
  private static final String NODES = "nodePathMap";
  private static final String SHARED = "sharedFileSystemPath";
  private static final String CLASSES = "storageClassConfigs";
  private static final String TIMEOUT = "cmdTimeoutSeconds";
  private static final Set<String> COMMANDS = Set.of("setupCommand", "teardownCommand");
  private static final Pattern POSITION = Pattern.compile("line \\d+ column \\d+");
  private static final TypeAdapter<JsonElement> JSON =
      new GsonBuilder().setStrictness(Strictness.STRICT).create().getAdapter(JsonElement.class);

  String translate(String json) throws UsageException {
    JsonObject source = object("config.json", parsed(json));
    JsonObject translated = new JsonObject();
    for (Map.Entry<String, JsonElement> member : source.entrySet()) {
      String key = member.getKey();
      JsonElement value = member.getValue();
      if (value.isJsonNull()) {
        continue;
      }
      switch (key) {
        case NODES, SHARED -> addPaths(key, value, translated, "config.json ");
        case CLASSES -> translated.add(key, classes(object(key, value)));
        case TIMEOUT -> translated.add(key, seconds(value));
        case "minSize", "maxSize" -> translated.addProperty(key, size("config.json " + key, value));
        default -> noteUnsupported(key, value);
      }
    }
    if (translated.has(
        CLASSES)) { // as in local-path-provisioner, per-class settings replace the top-level ones
      translated.remove(NODES);
      translated.remove(SHARED);
    } else {
      onlyOne("config.json", translated);
    }
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(translated);
  }

  private static JsonElement parsed(String json) throws UsageException {
    try {
      return JSON.fromJson(json);
    } catch (IOException | JsonParseException e) {
      throw new UsageException(
          "config.json is not valid JSON (%s): correct it in the ConfigMap".formatted(position(e)));
    }
  }

  // The parser's message proposes Java code.
  private static String position(Exception problem) {
    Matcher position = POSITION.matcher(String.valueOf(problem.getMessage()));
    return position.find() ? position.group() : problem.getClass().getSimpleName();
  }

  private static JsonObject object(String key, JsonElement value) throws UsageException {
    if (!value.isJsonObject()) {
      throw wrong(key, value, "specify an object");
    }
    return value.getAsJsonObject();
  }

  private static UsageException wrong(String key, JsonElement value, String remedy) {
    return new UsageException(key + " " + MigrationNotes.format(value) + ": " + remedy);
  }

  private void noteUnsupported(String key, JsonElement value) {
    boolean isEmptyText = value.isJsonPrimitive() && value.getAsString().isEmpty();
    if (!COMMANDS.contains(key)) {
      notes.add("config.json " + key, value, MigrationNotes.UNKNOWN);
    } else if (!isEmptyText) {
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

  private JsonObject classes(JsonObject source) throws UsageException {
    JsonObject translated = new JsonObject();
    for (Map.Entry<String, JsonElement> element : source.entrySet()) {
      String description = CLASSES + " " + element.getKey();
      JsonObject paths = new JsonObject();
      for (Map.Entry<String, JsonElement> member :
          object(description, element.getValue()).entrySet()) {
        String key = member.getKey();
        if (Set.of(NODES, SHARED).contains(key)) {
          addPaths(key, member.getValue(), paths, description + " ");
        } else if (Set.of("minSize", "maxSize").contains(key)) {
          paths.addProperty(key, size(description + " " + key, member.getValue()));
        } else {
          notes.add(description + " " + key, member.getValue(), MigrationNotes.UNKNOWN);
        }
      }
      onlyOne(description, paths);
      translated.add(element.getKey(), paths);
    }
    return translated;
  }

  private static void onlyOne(String description, JsonObject paths) throws UsageException {
    if (paths.has(NODES) == paths.has(SHARED)) {
      throw new UsageException(
          "%s has %s: specify exactly one of them, as local-path-provisioner requires too"
              .formatted(
                  description,
                  paths.has(NODES)
                      ? "both nodePathMap and sharedFileSystemPath"
                      : "neither nodePathMap nor sharedFileSystemPath"));
    }
  }

  private void addPaths(String key, JsonElement value, JsonObject translated, String description)
      throws UsageException {
    if (key.equals(SHARED)) {
      String path = text(description + key, value);
      if (!path.isEmpty()) {
        translated.addProperty(key, path(description + key, path));
      }
      return;
    }
    JsonArray nodes = new JsonArray();
    Set<String> known = new HashSet<>();
    for (JsonElement element : list(description + key, value)) {
      JsonObject node = node(object(description + key, element), description + key);
      if (!known.add(node.get("node").getAsString())) {
        throw wrong(description + key, node.get("node"), "duplicate node: list it once");
      }
      nodes.add(node);
    }
    if (!nodes.isEmpty()) {
      translated.add(key, nodes);
    }
  }

  private JsonObject node(JsonObject source, String description) throws UsageException {
    for (String key : source.keySet()) {
      if (!Set.of("node", "paths").contains(key)) {
        notes.add(description + " " + key, source.get(key), MigrationNotes.UNKNOWN);
      }
    }
    JsonObject translated = new JsonObject();
    String name = source.has("node") ? text(description + " node", source.get("node")) : "";
    if (name.isEmpty()) {
      throw wrong(
          description,
          source,
          "an entry has no node: specify one, or DEFAULT_PATH_FOR_NON_LISTED_NODES");
    }
    translated.addProperty("node", name);
    JsonArray paths = new JsonArray();
    Set<JsonElement> known = new HashSet<>();
    if (source.has("paths")) {
      for (JsonElement element : list(description + " paths", source.get("paths"))) {
        JsonElement plain = path(element, description + " paths");
        JsonElement path = plain.isJsonObject() ? plain.getAsJsonObject().get("path") : plain;
        if (!known.add(path)) {
          throw wrong(description + " paths", path, "duplicate path of a node: list it once");
        }
        paths.add(plain);
      }
    }
    translated.add("paths", paths);
    return translated;
  }

  private static String size(String key, JsonElement value) throws UsageException {
    String size = text(key, value);
    if (!LocalPathClass.isSize(size)) {
      throw wrong(key, value, "specify a size such as 5Gi");
    }
    return size;
  }

  private JsonElement path(JsonElement element, String description) throws UsageException {
    if (!element.isJsonObject() || !element.getAsJsonObject().has("path")) {
      return new JsonPrimitive(path(description, text(description, element)));
    }
    JsonObject source = element.getAsJsonObject();
    JsonObject translated = new JsonObject();
    String path = path(description, text(description, source.get("path")));
    translated.addProperty("path", path);
    for (String key : source.keySet()) {
      if (key.equals("maxCapacity")) {
        translated.addProperty(
            key, size(description + " \"" + path + "\" " + key, source.get(key)));
      } else if (!key.equals("path")) {
        notes.add(description + " " + key, source.get(key), MigrationNotes.UNKNOWN);
      }
    }
    return translated.size() == 1 ? translated.get("path") : translated;
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
    boolean hasInvalidElement =
        List.of(plain.split("/", -1)).stream()
            .skip(1)
            .anyMatch(element -> Set.of("", ".", "..").contains(element));
    if (!path.startsWith("/") || plain.isEmpty() || hasInvalidElement) {
      throw wrong(
          key,
          new JsonPrimitive(path),
          "specify an absolute path below the root directory, without '.', '..' and empty elements");
    }
    return plain;
  }
}
