package dev.mooring.apiserver.codec;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.internal.LazilyParsedNumber;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JSON as the API server does: checks and prunes it by the schema, and brings quantities
 * and times into canonical form.
 */
public final class JsonBodies {
  /**
   * A decoded body.
   *
   * @param object the object without unknown fields
   * @param fieldErrors unknown and duplicate fields, in order of appearance
   */
  public record DecodedObject(JsonObject object, List<String> fieldErrors) {}

  private JsonBodies() {}

  /**
   * Parses any JSON and keeps the order of members. Of a repeated member the last value counts, and
   * a field error is added.
   */
  public static JsonElement parse(String text, List<String> fieldErrors) throws BadBodyException {
    try (JsonReader in = new JsonReader(new StringReader(text))) {
      in.setStrictness(Strictness.STRICT);
      JsonElement value = readElement(in, "", fieldErrors);
      if (in.peek() != JsonToken.END_DOCUMENT) {
        throw new BadBodyException("invalid character after top-level value");
      }
      return value;
    } catch (EOFException e) {
      throw new BadBodyException("unexpected end of JSON input");
    } catch (MalformedJsonException | IllegalStateException | NumberFormatException e) {
      throw new BadBodyException("invalid character in JSON: " + e.getMessage());
    } catch (IOException e) {
      throw new BadBodyException("unexpected end of JSON input");
    }
  }

  private static JsonElement readElement(JsonReader in, String fieldPath, List<String> fieldErrors)
      throws IOException {
    return switch (in.peek()) {
      case BEGIN_OBJECT -> {
        JsonObject object = new JsonObject();
        in.beginObject();
        while (in.hasNext()) {
          String name = in.nextName();
          String memberPath = fieldPath.isEmpty() ? name : fieldPath + "." + name;
          if (object.has(name)) {
            fieldErrors.add("duplicate field \"" + memberPath + "\"");
          }
          object.add(name, readElement(in, memberPath, fieldErrors));
        }
        in.endObject();
        yield object;
      }
      case BEGIN_ARRAY -> {
        JsonArray array = new JsonArray();
        in.beginArray();
        while (in.hasNext()) {
          array.add(readElement(in, fieldPath + "[" + array.size() + "]", fieldErrors));
        }
        in.endArray();
        yield array;
      }
      case STRING -> new JsonPrimitive(in.nextString());
      case NUMBER -> new JsonPrimitive(new LazilyParsedNumber(in.nextString()));
      case BOOLEAN -> new JsonPrimitive(in.nextBoolean());
      case NULL -> {
        in.nextNull();
        yield JsonNull.INSTANCE;
      }
      default -> throw new MalformedJsonException("unexpected " + in.peek());
    };
  }

  /**
   * Converts a tree into an object of the message: reports and removes unknown members, and makes
   * values canonical.
   */
  public static DecodedObject conform(
      JsonObject tree, MessageType message, List<String> fieldErrors) throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      String name = member.getKey();
      if (name.equals("kind") || name.equals("apiVersion")) {
        object.add(name, member.getValue());
      } else {
        conformMember(member, message, null, object, fieldErrors);
      }
    }
    completeMessage(object, message);
    return new DecodedObject(object, fieldErrors);
  }

  // Adds the members that JSON shows even if they are empty. Does not descend into them.
  private static void completeMessage(JsonObject object, MessageType message) {
    for (MessageField field : message.alwaysShownFields()) {
      if (!object.has(field.name())) {
        object.add(field.name(), makeAbsentValue(field));
      }
    }
  }

  private static JsonElement makeAbsentValue(MessageField field) {
    if (field.emptyForm() == Schema.EmptyForm.NULL) {
      return JsonNull.INSTANCE;
    }
    return switch (field.shape()) {
      case BOOL -> new JsonPrimitive(false);
      case INT32, INT64, DOUBLE -> new JsonPrimitive(0);
      case MESSAGE -> {
        JsonObject empty = new JsonObject();
        completeMessage(empty, field.getMessage());
        yield empty;
      }
      default -> new JsonPrimitive("");
    };
  }

  static JsonObject conformMessage(
      JsonObject tree, MessageType message, FieldPath parent, List<String> fieldErrors)
      throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      conformMember(member, message, parent, object, fieldErrors);
    }
    completeMessage(object, message);
    return object;
  }

  private static void conformMember(
      Map.Entry<String, JsonElement> member,
      MessageType message,
      @Nullable FieldPath parent,
      JsonObject target,
      List<String> fieldErrors)
      throws BadBodyException {
    String name = member.getKey();
    JsonElement value = member.getValue();
    MessageField field = message.findMember(name);
    if (field == null
        && message.findField("metadata") != null
        && (name.equals("kind") || name.equals("apiVersion"))) {
      target.add(name, value);
      return;
    }
    FieldPath path = FieldPath.ofMember(parent, message.name(), name);
    if (field == null) {
      String duplicateError = "duplicate field \"" + path;
      fieldErrors.removeIf(c ->
          c.startsWith(duplicateError) && "\".[".indexOf(c.charAt(duplicateError.length())) >= 0);
      fieldErrors.add("unknown field \"" + path + "\"");
      return;
    }
    if (value.isJsonNull()) {
      return;
    }
    JsonElement conformed = conformValue(value, field, path, fieldErrors);
    // Kubernetes' storage drops empty lists, maps and plain values
    boolean isDropped =
        field.isMap() && conformed.getAsJsonObject().isEmpty()
            || field.isRepeated()
                && conformed.getAsJsonArray().isEmpty()
                && !field
                    .typeName()
                    .equals("ManagedFieldsEntry") // an empty list resets managedFields
            || isZero(conformed, field);
    if (!isDropped) {
      target.add(field.name(), conformed); // one name for all objects
    }
  }

  private static boolean isZero(JsonElement value, MessageField field) {
    return field.emptyForm() == Schema.EmptyForm.ABSENT
        && switch (field.shape()) {
          case STRING -> value.isJsonPrimitive() && value.getAsString().isEmpty();
          case BOOL -> value.isJsonPrimitive() && !value.getAsBoolean();
          case INT32, INT64, DOUBLE -> value.isJsonPrimitive() && value.getAsDouble() == 0;
          default -> false;
        };
  }

  private static JsonElement conformValue(
      JsonElement value, MessageField field, FieldPath path, List<String> fieldErrors)
      throws BadBodyException {
    if (field.isMap()) {
      if (!value.isJsonObject()) {
        throw FieldValues.makeMismatch(
            value, path, "map[string]" + FieldValues.describeType(field));
      }
      JsonObject map = new JsonObject();
      for (Map.Entry<String, JsonElement> entry : value.getAsJsonObject().entrySet()) {
        if (!entry.getValue().isJsonNull() || field.shape() == Schema.FieldShape.STRING) {
          JsonElement entryValue =
              entry.getValue().isJsonNull() ? new JsonPrimitive("") : entry.getValue();
          map.add(
              entry.getKey(),
              FieldValues.read(entryValue, field, path.key(entry.getKey()), fieldErrors));
        }
      }
      return map;
    }
    if (field.isRepeated()) {
      if (!value.isJsonArray()) {
        throw FieldValues.makeMismatch(value, path, "[]" + FieldValues.describeType(field));
      }
      JsonArray list = new JsonArray();
      for (JsonElement element : value.getAsJsonArray()) {
        list.add(
            element.isJsonNull()
                ? makeEmptyValue(field)
                : FieldValues.read(element, field, path.element(list.size()), fieldErrors));
      }
      return list;
    }
    return FieldValues.read(value, field, path, fieldErrors);
  }

  private static JsonElement makeEmptyValue(MessageField field) {
    return field.shape() == Schema.FieldShape.STRING ? new JsonPrimitive("") : new JsonObject();
  }

  /**
   * Returns an object of the given members.
   *
   * @param members names and values in turn; a value is a tree, a text, a number or a boolean
   */
  public static JsonObject newObject(Object... members) {
    JsonObject object = new JsonObject();
    for (int i = 0; i < members.length; i += 2) {
      object.add((String) members[i], toTree(members[i + 1]));
    }
    return object;
  }

  public static JsonArray newArray(Object... elements) {
    JsonArray array = new JsonArray();
    for (Object element : elements) {
      array.add(toTree(element));
    }
    return array;
  }

  private static JsonElement toTree(Object value) {
    return switch (value) {
      case JsonElement tree -> tree;
      case Number number -> new JsonPrimitive(number);
      case Boolean flag -> new JsonPrimitive(flag);
      default -> new JsonPrimitive((String) value);
    };
  }

  /** Returns the value at the path; null if it is absent or JSON null. */
  public static @Nullable JsonElement valueAt(JsonObject object, String... path) {
    JsonElement current = object;
    for (String name : path) {
      if (current == null || !current.isJsonObject()) {
        return null;
      }
      current = current.getAsJsonObject().get(name);
    }
    return current == null || current.isJsonNull() ? null : current;
  }

  /** Returns the text at the path; "" if it is absent or no plain value. */
  public static String textAt(JsonObject object, String... path) {
    JsonElement value = valueAt(object, path);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
  }

  /** Returns the flag at the path; false if it is absent or no plain value. */
  public static boolean flagAt(JsonObject object, String... path) {
    JsonElement value = valueAt(object, path);
    return value != null && value.isJsonPrimitive() && value.getAsBoolean();
  }

  /** Returns the object at the path and creates it if it is absent. */
  public static JsonObject getOrAddChild(JsonObject object, String... path) {
    JsonObject current = object;
    for (String name : path) {
      JsonElement next = current.get(name);
      if (next == null || !next.isJsonObject()) {
        next = new JsonObject();
        current.add(name, next);
      }
      current = next.getAsJsonObject();
    }
    return current;
  }

  /** Returns a new list of the texts at the path; empty if there is no list. */
  public static List<String> stringsAt(JsonObject object, String... path) {
    List<String> texts = new ArrayList<>();
    if (valueAt(object, path) instanceof JsonArray list) {
      list.forEach(element -> texts.add(element.getAsString()));
    }
    return texts;
  }
}
