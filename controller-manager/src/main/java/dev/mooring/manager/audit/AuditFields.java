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

record AuditFields(JsonObject object) {
  static Optional<AuditLine> read(String text) {
    try {
      return JsonParser.parseString(text) instanceof JsonObject object && object.has("time")
          ? Optional.of(new AuditFields(object).toLine())
          : Optional.empty();
    } catch (JsonParseException | NumberFormatException | StackOverflowError noLine) {
      return Optional.empty();
    }
  }

  private AuditLine toLine() {
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
