package dev.mooring.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of nested maps and lists. */
public final class JsonText {
  private JsonText() {}

  /**
   * Encodes a value without spaces.
   *
   * @param value null, a String, Boolean, Long, Integer or Double, or an Iterable or Map of these
   */
  public static String of(@Nullable Object value) {
    StringBuilder json = new StringBuilder();
    append(json, value);
    return json.toString();
  }

  private static void append(StringBuilder json, @Nullable Object value) {
    switch (value) {
      case Map<?, ?> members -> appendMembers(json, members);
      case Iterable<?> elements -> appendElements(json, elements);
      case Boolean flag -> json.append(flag.booleanValue());
      case Number number -> json.append(number);
      case null -> json.append("null");
      default -> appendText(json, value.toString());
    }
  }

  private static void appendMembers(StringBuilder json, Map<?, ?> members) {
    json.append('{');
    String separator = "";
    for (Map.Entry<?, ?> member : members.entrySet()) {
      json.append(separator);
      appendText(json, String.valueOf(member.getKey()));
      json.append(':');
      append(json, member.getValue());
      separator = ",";
    }
    json.append('}');
  }

  private static void appendElements(StringBuilder json, Iterable<?> elements) {
    json.append('[');
    String separator = "";
    for (Object element : elements) {
      json.append(separator);
      append(json, element);
      separator = ",";
    }
    json.append(']');
  }

  private static void appendText(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
