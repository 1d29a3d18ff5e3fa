package dev.mooring.kube;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes bodies of writes. Unlike Gson, it looks up no adapter per value, which allocates. */
final class JsonBody {
  /** Plugins may put values of other types into a volume's source. */
  private static final class OtherTypes {
    static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
  }

  private JsonBody() {}

  /**
   * Encodes an object.
   *
   * @param members values as in {@link dev.mooring.cluster.Document#set}, or of any type that Gson
   *     can encode
   */
  static byte[] of(Map<String, ?> members) {
    StringWriter text = new StringWriter();
    try (JsonWriter writer = new JsonWriter(text)) {
      write(members, writer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(@Nullable Object value, JsonWriter writer) throws IOException {
    switch (value) {
      case null -> writer.nullValue();
      case String text -> writer.value(text);
      case Boolean flag -> writer.value(flag);
      case Number number -> writer.value(number);
      case Map<?, ?> object -> {
        writer.beginObject();
        for (Map.Entry<?, ?> member : object.entrySet()) {
          writer.name(String.valueOf(member.getKey()));
          write(member.getValue(), writer);
        }
        writer.endObject();
      }
      case Iterable<?> list -> {
        writer.beginArray();
        for (Object element : list) {
          write(element, writer);
        }
        writer.endArray();
      }
      default -> OtherTypes.GSON.toJson(value, value.getClass(), writer);
    }
  }
}
