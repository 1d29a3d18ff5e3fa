package dev.mooring.apiserver.codec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The messages of the API with their fields, types and numbers, from {@code schema.txt}. */
public final class Schema {
  public enum FieldShape {
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

  public enum EmptyForm {
    ABSENT,
    /** Absent, but an explicitly empty value is kept and differs from it. */
    DISTINCT,
    ZERO,
    NULL
  }

  /**
   * Merge rules of a field for patches and applies.
   *
   * @param keys the members that identify elements of a list; empty if it has no keys
   * @param set true if the list is a set
   * @param atomic true if a merge replaces the whole value
   * @param patchKey the member that identifies elements in a strategic merge patch; "" for plain
   *     values; null if the patch replaces the list
   * @param retain true if a strategic merge patch may list the members to retain
   * @param byDefault the default of a missing key; "" for none
   */
  public record MergeRules(
      List<String> keys,
      boolean set,
      boolean atomic,
      @Nullable String patchKey,
      boolean retain,
      String byDefault) {}

  /**
   * A field.
   *
   * @param number the number in protobuf
   * @param name the name in JSON
   * @param shape the type of one value
   * @param map true for a map from strings to the shape
   * @param inline true if JSON shows its members in the parent
   * @param typeName the name of the message; "" for other shapes
   */
  public record MessageField(
      int number,
      String name,
      FieldShape shape,
      boolean repeated,
      boolean map,
      boolean inline,
      String typeName,
      EmptyForm empty,
      MergeRules merging) {
    public MessageType message() {
      return Schema.message(typeName);
    }
  }

  public static final class MessageType {
    private final String name;
    private final Map<String, MessageField> byName = new LinkedHashMap<>();
    private final Map<Integer, MessageField> byNumber = new HashMap<>();
    private final List<MessageField> inline = new ArrayList<>();
    private final List<MessageField> always = new ArrayList<>();

    private MessageType(String name) {
      this.name = name;
    }

    public String name() {
      return name;
    }

    /** Returns the field with that JSON name. Does not find members of inline fields. */
    public @Nullable MessageField field(String jsonName) {
      MessageField field = byName.get(jsonName);
      return field != null && field.inline ? null : field;
    }

    /** Returns the inline field whose message has a field with that JSON name. */
    public @Nullable MessageField inlineHolder(String jsonName) {
      for (MessageField field : inline) {
        if (field.message().field(jsonName) != null) {
          return field;
        }
      }
      return null;
    }

    public @Nullable MessageField field(int number) {
      return byNumber.get(number);
    }

    /** Returns the fields that JSON shows even if they are empty. */
    public List<MessageField> always() {
      return always;
    }

    public Collection<MessageField> fields() {
      return byName.values();
    }
  }

  private static final Map<String, String> LINES = TableFile.read(Schema.class, "schema.txt");
  private static final Map<String, MessageType> MESSAGES = new ConcurrentHashMap<>();

  private Schema() {}

  public static MessageType message(String name) {
    MessageType known = MESSAGES.get(name);
    if (known != null) {
      return known;
    }
    String line =
        Objects.requireNonNull(LINES.get(name), () -> "no message " + name + " in the schema");
    MessageType read = read(name, line);
    MESSAGES.put(name, read);
    return read;
  }

  private static MessageType read(String name, String line) {
    MessageType message = new MessageType(name);
    for (String part : line.isEmpty() ? new String[0] : line.split(", ")) {
      MessageField field = field(part.split(" "));
      message.byName.put(field.name, field);
      message.byNumber.put(field.number, field);
      if (field.inline) {
        message.inline.add(field);
      }
      if (field.empty == EmptyForm.ZERO || field.empty == EmptyForm.NULL) {
        message.always.add(field);
      }
    }
    return message;
  }

  private static MessageField field(String[] words) {
    List<String> traits = List.of(words).subList(2, words.length - 1);
    String type = words[words.length - 1];
    boolean map = type.startsWith("map<");
    String base = map ? type.substring(4, type.length() - 1) : type;
    FieldShape shape = parseShape(base);
    String keys = findTrait(traits, "keys=");
    MergeRules merging =
        new MergeRules(
            keys == null ? List.of() : List.of(keys.split("\\+")),
            traits.contains("set"),
            traits.contains("atomic"),
            findTrait(traits, "patch="),
            traits.contains("retain"),
            Objects.requireNonNullElse(findTrait(traits, "default="), ""));
    boolean nothing =
        traits.contains("null")
            || map
            || traits.contains("repeated")
            || shape == FieldShape.TIME
            || shape == FieldShape.MICRO_TIME;
    return new MessageField(
        Integer.parseInt(words[0]),
        words[1],
        shape,
        traits.contains("repeated"),
        map,
        traits.contains("inline"),
        shape == FieldShape.MESSAGE ? base : "",
        !traits.contains("always")
            ? traits.contains("optional") ? EmptyForm.DISTINCT : EmptyForm.ABSENT
            : nothing ? EmptyForm.NULL : EmptyForm.ZERO,
        merging);
  }

  private static @Nullable String findTrait(List<String> traits, String prefix) {
    for (String trait : traits) {
      if (trait.startsWith(prefix)) {
        return trait.substring(prefix.length());
      }
    }
    return null;
  }

  private static FieldShape parseShape(String type) {
    return switch (type) {
      case "string" -> FieldShape.STRING;
      case "bool" -> FieldShape.BOOL;
      case "int32" -> FieldShape.INT32;
      case "int64" -> FieldShape.INT64;
      case "double" -> FieldShape.DOUBLE;
      case "bytes" -> FieldShape.BYTES;
      case "Time" -> FieldShape.TIME;
      case "MicroTime" -> FieldShape.MICRO_TIME;
      case "Quantity" -> FieldShape.QUANTITY;
      case "IntOrString" -> FieldShape.INT_OR_STRING;
      case "any" -> FieldShape.ANY;
      case "raw" -> FieldShape.RAW;
      case "strings" -> FieldShape.STRINGS;
      default -> FieldShape.MESSAGE;
    };
  }
}
