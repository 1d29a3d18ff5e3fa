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
import java.util.concurrent.ConcurrentHashMap;
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
    DOUBLE,
    BYTES,
    TIME,
    MICRO_TIME,
    QUANTITY,
    INT_OR_STRING,
    ANY,
    RAW,
    STRINGS,
    MESSAGE
  }

  /** What a field is in JSON when nothing is in it. */
  public enum Empty {
    /** Not there. */
    ABSENT,
    /** Not there, unless it was said to be empty: that is something else. */
    DISTINCT,
    /** The type's own empty value. */
    ZERO,
    /** null. */
    NULL
  }

  /**
   * How the values of two writers come together.
   *
   * @param keys the members that tell the elements of a list apart, none if it has no keys
   * @param set whether a list is a set
   * @param atomic whether the value is taken or left as a whole
   * @param patchKey the member by which a strategic merge patch tells elements apart, "" for plain
   *     values; null if such a patch replaces the list
   * @param retain whether a strategic merge patch may say which members to retain
   * @param byDefault what a missing key is, "" for nothing
   */
  public record Merging(
      List<String> keys,
      boolean set,
      boolean atomic,
      @Nullable String patchKey,
      boolean retain,
      String byDefault) {}

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
   * @param empty what stands in JSON when there is no value
   * @param merging how it is merged
   */
  public record Field(
      int number,
      String name,
      Shape shape,
      boolean repeated,
      boolean map,
      boolean inline,
      String typeName,
      Empty empty,
      Merging merging) {
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
    private final List<Field> always = new ArrayList<>();

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

    /** The fields that stand in JSON though nothing is in them. */
    public List<Field> always() {
      return always;
    }

    /** All fields in order. */
    public Collection<Field> fields() {
      return byName.values();
    }
  }

  private static final Map<String, String> LINES = load();
  private static final Map<String, Message> MESSAGES = new ConcurrentHashMap<>();

  private Schema() {}

  /** The message of that name; it must exist. */
  public static Message message(String name) {
    Message known = MESSAGES.get(name);
    if (known != null) {
      return known;
    }
    String line =
        Objects.requireNonNull(LINES.get(name), () -> "no message " + name + " in the schema");
    Message read = read(name, line);
    MESSAGES.put(name, read);
    return read;
  }

  private static Map<String, String> load() {
    Map<String, String> all = new HashMap<>();
    try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> {
            int colon = line.indexOf(':');
            all.put(line.substring(0, colon), line.substring(colon + 2));
          });
    } catch (IOException e) {
      throw new UncheckedIOException("schema.txt", e);
    }
    return Map.copyOf(all);
  }

  private static Message read(String name, String line) {
    Message message = new Message(name);
    for (String part : line.isEmpty() ? new String[0] : line.split(", ")) {
      Field field = field(part.split(" "));
      message.byName.put(field.name, field);
      message.byNumber.put(field.number, field);
      if (field.inline) {
        message.inline.add(field);
      }
      if (field.empty == Empty.ZERO || field.empty == Empty.NULL) {
        message.always.add(field);
      }
    }
    return message;
  }

  private static Field field(String[] words) {
    List<String> traits = List.of(words).subList(2, words.length - 1);
    String type = words[words.length - 1];
    boolean map = type.startsWith("map<");
    String base = map ? type.substring(4, type.length() - 1) : type;
    Shape shape = shape(base);
    String keys = trait(traits, "keys=");
    Merging merging =
        new Merging(
            keys == null ? List.of() : List.of(keys.split("\\+")),
            traits.contains("set"),
            traits.contains("atomic"),
            trait(traits, "patch="),
            traits.contains("retain"),
            Objects.requireNonNullElse(trait(traits, "default="), ""));
    boolean nothing =
        traits.contains("null")
            || map
            || traits.contains("repeated")
            || shape == Shape.TIME
            || shape == Shape.MICRO_TIME;
    return new Field(
        Integer.parseInt(words[0]),
        words[1],
        shape,
        traits.contains("repeated"),
        map,
        traits.contains("inline"),
        shape == Shape.MESSAGE ? base : "",
        !traits.contains("always")
            ? traits.contains("optional") ? Empty.DISTINCT : Empty.ABSENT
            : nothing ? Empty.NULL : Empty.ZERO,
        merging);
  }

  private static @Nullable String trait(List<String> traits, String prefix) {
    for (String trait : traits) {
      if (trait.startsWith(prefix)) {
        return trait.substring(prefix.length());
      }
    }
    return null;
  }

  private static Shape shape(String type) {
    return switch (type) {
      case "string" -> Shape.STRING;
      case "bool" -> Shape.BOOL;
      case "int32" -> Shape.INT32;
      case "int64" -> Shape.INT64;
      case "double" -> Shape.DOUBLE;
      case "bytes" -> Shape.BYTES;
      case "Time" -> Shape.TIME;
      case "MicroTime" -> Shape.MICRO_TIME;
      case "Quantity" -> Shape.QUANTITY;
      case "IntOrString" -> Shape.INT_OR_STRING;
      case "any" -> Shape.ANY;
      case "raw" -> Shape.RAW;
      case "strings" -> Shape.STRINGS;
      default -> Shape.MESSAGE;
    };
  }
}
