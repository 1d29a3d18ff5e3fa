package dev.mooring.apiserver.codec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the API: what fields they have, of what type, under what number. Read once from
 * {@code schema.txt}.
 */
public final class Schema {
  /** What a field holds. */
  public enum Shape {
    STRING,
    BOOL,
    INT32,
    INT64,
    BYTES,
    TIME,
    MICRO_TIME,
    QUANTITY,
    INT_OR_STRING,
    ANY,
    MESSAGE
  }

  /**
   * A field.
   *
   * @param number its number in protobuf
   * @param name its name in JSON
   * @param shape what one value is
   * @param repeated whether it is a list
   * @param map whether it is a map from strings to the shape
   * @param inline whether its members stand in the parent in JSON
   * @param typeName the message's name, "" for other shapes
   */
  public record Field(
      int number,
      String name,
      Shape shape,
      boolean repeated,
      boolean map,
      boolean inline,
      String typeName) {
    /** The message that a value is. */
    public Message message() {
      return Schema.message(typeName);
    }
  }

  /** A message. */
  public static final class Message {
    private final String name;
    private final Map<String, Field> byName = new LinkedHashMap<>();
    private final Map<Integer, Field> byNumber = new HashMap<>();
    private final List<Field> inline = new ArrayList<>();

    private Message(String name) {
      this.name = name;
    }

    /** The message's name. */
    public String name() {
      return name;
    }

    /**
     * The field of that JSON name; members of inline fields are found in the inline message
     * instead.
     */
    public @Nullable Field field(String jsonName) {
      Field field = byName.get(jsonName);
      return field != null && field.inline ? null : field;
    }

    /** The inline field whose message has that JSON name. */
    public @Nullable Field inlineHolder(String jsonName) {
      for (Field field : inline) {
        if (field.message().field(jsonName) != null) {
          return field;
        }
      }
      return null;
    }

    /** The field of that number. */
    public @Nullable Field field(int number) {
      return byNumber.get(number);
    }

    /** All fields in order. */
    public Collection<Field> fields() {
      return byName.values();
    }
  }

  private static final Map<String, Message> MESSAGES = load();

  private Schema() {}

  /** The message of that name; it must exist. */
  public static Message message(String name) {
    return Objects.requireNonNull(
        MESSAGES.get(name), () -> "no message " + name + " in the schema");
  }

  private static Map<String, Message> load() {
    Map<String, Message> all = new HashMap<>();
    try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> read(line, all));
    } catch (IOException e) {
      throw new UncheckedIOException("schema.txt", e);
    }
    return Map.copyOf(all);
  }

  private static void read(String line, Map<String, Message> all) {
    int colon = line.indexOf(':');
    Message message = new Message(line.substring(0, colon));
    for (String part : line.substring(colon + 2).split(", ")) {
      String[] words = part.split(" ");
      boolean repeated = words[2].equals("repeated");
      boolean inline = words[2].equals("inline");
      String type = words[words.length - 1];
      boolean map = type.startsWith("map<");
      String base = map ? type.substring(4, type.length() - 1) : type;
      Shape shape = shape(base);
      Field field =
          new Field(
              Integer.parseInt(words[0]),
              words[1],
              shape,
              repeated,
              map,
              inline,
              shape == Shape.MESSAGE ? base : "");
      message.byName.put(field.name, field);
      message.byNumber.put(field.number, field);
      if (inline) {
        message.inline.add(field);
      }
    }
    all.put(message.name, message);
  }

  private static Shape shape(String type) {
    return switch (type) {
      case "string" -> Shape.STRING;
      case "bool" -> Shape.BOOL;
      case "int32" -> Shape.INT32;
      case "int64" -> Shape.INT64;
      case "bytes" -> Shape.BYTES;
      case "Time" -> Shape.TIME;
      case "MicroTime" -> Shape.MICRO_TIME;
      case "Quantity" -> Shape.QUANTITY;
      case "IntOrString" -> Shape.INT_OR_STRING;
      case "any" -> Shape.ANY;
      default -> Shape.MESSAGE;
    };
  }
}
