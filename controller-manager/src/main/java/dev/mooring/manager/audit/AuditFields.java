package dev.mooring.manager.audit;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A line's members as JSON has them. */
final class AuditFields {
  private final JsonObject object;

  private AuditFields(JsonObject object) {
    this.object = object;
  }

  /** What is empty is left out. */
  static JsonObject of(AuditLine line) {
    AuditFields fields = new AuditFields(new JsonObject());
    fields.put("time", line.time());
    fields.put("controller", line.controller());
    fields.put("key", line.key());
    fields.put("decision", line.decision());
    fields.put("reason", line.reason());
    fields.put("did", line.did());
    fields.put("kind", line.kind());
    fields.put("namespace", line.namespace());
    fields.put("name", line.name());
    fields.put("uid", line.uid());
    if (!line.fields().isEmpty()) {
      JsonArray paths = new JsonArray();
      line.fields().forEach(paths::add);
      fields.object.add("fields", paths);
    }
    fields.put("from", line.from());
    fields.put("to", line.to());
    fields.put("result", line.result());
    fields.put("note", line.note());
    fields.object.addProperty("ms", line.ms());
    return fields.object;
  }

  private void put(String name, String value) {
    if (!value.isEmpty()) {
      object.addProperty(name, value);
    }
  }

  /** Versions are opaque to all but the server: a program may not take them for numbers. */
  private void put(String name, long version) {
    if (version != 0) {
      object.addProperty(name, Long.toString(version));
    }
  }

  /** Empty for what is no line of the log, such as half of one. */
  static Optional<AuditLine> read(String text) {
    try {
      return JsonParser.parseString(text) instanceof JsonObject object && object.has("time")
          ? Optional.of(new AuditFields(object).line())
          : Optional.empty();
    } catch (JsonParseException | NumberFormatException | StackOverflowError noLine) {
      return Optional.empty();
    }
  }

  private AuditLine line() {
    return new AuditLine(
        text("time"),
        text("controller"),
        text("key"),
        text("decision"),
        text("reason"),
        text("did"),
        text("kind"),
        text("namespace"),
        text("name"),
        text("uid"),
        texts("fields"),
        version("from"),
        version("to"),
        text("result"),
        text("note"),
        object.get("ms") instanceof JsonPrimitive number && number.isNumber()
            ? number.getAsDouble()
            : 0);
  }

  private String text(String name) {
    return object.get(name) instanceof JsonPrimitive value ? value.getAsString() : "";
  }

  private long version(String name) {
    String text = text(name);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  private List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    if (object.get(name) instanceof JsonArray array) {
      for (JsonElement element : array) {
        if (element instanceof JsonPrimitive value) {
          texts.add(value.getAsString());
        }
      }
    }
    return List.copyOf(texts);
  }
}
