package dev.mooring.benchmarks.scale;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.internal.LazilyParsedNumber;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads JSON of a million similar objects and shares equal strings: member names and frequent
 * values. Without this the server's process needs 1.5 times the memory. Not thread-safe.
 */
final class SharedTextReader {
  private static final int MOST = 10_000;

  private final Map<String, String> texts = new HashMap<>();

  JsonObject object(String text) {
    try (JsonReader in = new JsonReader(new StringReader(text))) {
      return element(in).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonElement element(JsonReader in) throws IOException {
    return switch (in.peek()) {
      case BEGIN_OBJECT -> members(in);
      case BEGIN_ARRAY -> items(in);
      case STRING -> new JsonPrimitive(shared(in.nextString()));
      case NUMBER -> new JsonPrimitive(new LazilyParsedNumber(in.nextString()));
      case BOOLEAN -> new JsonPrimitive(in.nextBoolean());
      case NULL -> {
        in.nextNull();
        yield JsonNull.INSTANCE;
      }
      case NAME, END_OBJECT, END_ARRAY, END_DOCUMENT ->
          throw new IOException("no value at " + in.getPath());
    };
  }

  private JsonObject members(JsonReader in) throws IOException {
    JsonObject object = new JsonObject();
    in.beginObject();
    while (in.hasNext()) {
      String name = shared(in.nextName());
      object.add(name, element(in));
    }
    in.endObject();
    return object;
  }

  private JsonArray items(JsonReader in) throws IOException {
    JsonArray array = new JsonArray();
    in.beginArray();
    while (in.hasNext()) {
      array.add(element(in));
    }
    in.endArray();
    return array;
  }

  private String shared(String text) {
    String known = texts.get(text);
    if (known == null && texts.size() < MOST) {
      texts.put(text, text);
    }
    return known == null ? text : known;
  }
}
