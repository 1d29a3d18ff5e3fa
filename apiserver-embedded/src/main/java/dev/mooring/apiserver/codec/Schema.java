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
   * @param isSet true if the list is a set
   * @param isAtomic true if a merge replaces the whole value
   * @param patchKey the member that identifies elements in a strategic merge patch; "" for plain
   *     values; null if the patch replaces the list
   * @param allowsRetainKeys true if a strategic merge patch may list the members to retain
   * @param defaultKey the default of a missing key; "" for none
   */
  public record MergeRules(
      List<String> keys,
      boolean isSet,
      boolean isAtomic,
      @Nullable String patchKey,
      boolean allowsRetainKeys,
      String defaultKey) {}

  /**
   * A field.
   *
   * @param number the number in protobuf
   * @param name the name in JSON
   * @param shape the type of one value
   * @param isMap true for a map from strings to the shape
   * @param isInline true if JSON shows its members in the parent
   * @param typeName the name of the message; "" for other shapes
   */
  public record MessageField(
      int number,
      String name,
      FieldShape shape,
      boolean isRepeated,
      boolean isMap,
      boolean isInline,
      String typeName,
      EmptyForm emptyForm,
      MergeRules mergeRules) {
    public MessageType getMessage() {
      return Schema.getMessage(typeName);
    }
  }

  public static final class MessageType {
    private final String name;
    private final Map<String, MessageField> fieldsByName = new LinkedHashMap<>();
    private final Map<Integer, MessageField> fieldsByNumber = new HashMap<>();
    private final List<MessageField> inlineFields = new ArrayList<>();
    private final List<MessageField> alwaysShownFields = new ArrayList<>();

    private MessageType(String name) {
      this.name = name;
    }

    public String name() {
      return name;
    }

    /** Returns the field with that JSON name; null if there is none or an inline field has it. */
    public @Nullable MessageField findField(String jsonName) {
      MessageField field = fieldsByName.get(jsonName);
      return field != null && field.isInline ? null : field;
    }

    /** Returns the field that JSON shows under that name, also of an inline message; or null. */
    public @Nullable MessageField findMember(String jsonName) {
      MessageField member = findField(jsonName);
      for (int i = 0; member == null && i < inlineFields.size(); i++) {
        member = inlineFields.get(i).getMessage().findMember(jsonName);
      }
      return member;
    }

    /** Returns the field with that protobuf number; null if there is none. */
    public @Nullable MessageField findField(int number) {
      return fieldsByNumber.get(number);
    }

    /** Returns the fields that JSON shows even if they are empty. */
    public List<MessageField> alwaysShownFields() {
      return alwaysShownFields;
    }

    public Collection<MessageField> fields() {
      return fieldsByName.values();
    }
  }

  private static final Map<String, String> LINES = TableFile.read(Schema.class, "schema.txt");
  private static final Map<String, MessageType> MESSAGES = new ConcurrentHashMap<>();

  private Schema() {}

  public static MessageType getMessage(String name) {
    MessageType cached = MESSAGES.get(name);
    if (cached != null) {
      return cached;
    }
    String line =
        Objects.requireNonNull(LINES.get(name), () -> "no message " + name + " in the schema");
    MessageType message = parseMessage(name, line);
    MESSAGES.put(name, message);
    return message;
  }

  private static MessageType parseMessage(String name, String line) {
    MessageType message = new MessageType(name);
    for (String fieldText : line.isEmpty() ? new String[0] : line.split(", ")) {
      MessageField field = parseField(fieldText.split(" "));
      message.fieldsByName.put(field.name, field);
      message.fieldsByNumber.put(field.number, field);
      if (field.isInline) {
        message.inlineFields.add(field);
      }
      if (field.emptyForm == EmptyForm.ZERO || field.emptyForm == EmptyForm.NULL) {
        message.alwaysShownFields.add(field);
      }
    }
    return message;
  }

  private static MessageField parseField(String[] columns) {
    List<String> traits = List.of(columns).subList(2, columns.length - 1);
    String type = columns[columns.length - 1];
    boolean isMap = type.startsWith("map<");
    String valueType = isMap ? type.substring(4, type.length() - 1) : type;
    FieldShape shape = parseShape(valueType);
    String keys = findTrait(traits, "keys=");
    MergeRules merging =
        new MergeRules(
            keys == null ? List.of() : List.of(keys.split("\\+")),
            traits.contains("set"),
            traits.contains("atomic"),
            findTrait(traits, "patch="),
            traits.contains("retain"),
            Objects.requireNonNullElse(findTrait(traits, "default="), ""));
    boolean showsNull =
        traits.contains("null")
            || isMap
            || traits.contains("repeated")
            || shape == FieldShape.TIME
            || shape == FieldShape.MICRO_TIME;
    return new MessageField(
        Integer.parseInt(columns[0]),
        columns[1],
        shape,
        traits.contains("repeated"),
        isMap,
        traits.contains("inline"),
        shape == FieldShape.MESSAGE ? valueType : "",
        !traits.contains("always")
            ? traits.contains("optional") ? EmptyForm.DISTINCT : EmptyForm.ABSENT
            : showsNull ? EmptyForm.NULL : EmptyForm.ZERO,
        merging);
  }

  // Returns the rest of the trait with that prefix; null if there is none.
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
