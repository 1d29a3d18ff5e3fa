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
   * @param complaints unknown and duplicate fields, in order of appearance
   */
  public record DecodedObject(JsonObject object, List<String> complaints) {}

  private JsonBodies() {}

  /**
   * Parses any JSON and keeps the order of members. Of a repeated member the last value counts, and
   * a complaint is added.
   */
  public static JsonElement parse(String text, List<String> complaints) throws BadBodyException {
    try (JsonReader in = new JsonReader(new StringReader(text))) {
      in.setStrictness(Strictness.STRICT);
      JsonElement value = readElement(in, "", complaints);
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

  private static JsonElement readElement(JsonReader in, String fieldPath, List<String> complaints)
      throws IOException {
    return switch (in.peek()) {
      case BEGIN_OBJECT -> {
        JsonObject object = new JsonObject();
        in.beginObject();
        while (in.hasNext()) {
          String name = in.nextName();
          String at = fieldPath.isEmpty() ? name : fieldPath + "." + name;
          if (object.has(name)) {
            complaints.add("duplicate field \"" + at + "\"");
          }
          object.add(name, readElement(in, at, complaints));
        }
        in.endObject();
        yield object;
      }
      case BEGIN_ARRAY -> {
        JsonArray array = new JsonArray();
        in.beginArray();
        while (in.hasNext()) {
          array.add(readElement(in, fieldPath + "[" + array.size() + "]", complaints));
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
   * Converts a tree into an object of the message: removes unknown members with a complaint, and
   * makes values canonical.
   */
  public static DecodedObject conform(JsonObject tree, MessageType message, List<String> complaints)
      throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      String name = member.getKey();
      if (name.equals("kind") || name.equals("apiVersion")) {
        object.add(name, member.getValue());
      } else {
        conformMember(member, message, "", object, complaints);
      }
    }
    completeMessage(object, message);
    return new DecodedObject(object, complaints);
  }

  // Adds the members that JSON shows even if they are empty. Does not descend into them.
  private static void completeMessage(JsonObject object, MessageType message) {
    for (MessageField field : message.always()) {
      if (!object.has(field.name())) {
        object.add(field.name(), makeAbsentValue(field));
      }
    }
  }

  private static JsonElement makeAbsentValue(MessageField field) {
    if (field.empty() == Schema.EmptyForm.NULL) {
      return JsonNull.INSTANCE;
    }
    return switch (field.shape()) {
      case BOOL -> new JsonPrimitive(false);
      case INT32, INT64, DOUBLE -> new JsonPrimitive(0);
      case MESSAGE -> {
        JsonObject empty = new JsonObject();
        completeMessage(empty, field.message());
        yield empty;
      }
      default -> new JsonPrimitive("");
    };
  }

  static JsonObject conformMessage(
      JsonObject tree, MessageType message, String fieldPath, List<String> complaints)
      throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      conformMember(member, message, fieldPath, object, complaints);
    }
    completeMessage(object, message);
    return object;
  }

  private static void conformMember(
      Map.Entry<String, JsonElement> member,
      MessageType message,
      String fieldPath,
      JsonObject into,
      List<String> complaints)
      throws BadBodyException {
    String name = member.getKey();
    JsonElement value = member.getValue();
    String at = fieldPath.isEmpty() ? name : fieldPath + "." + name;
    MessageField field = message.field(name);
    if (field == null) {
      MessageField holder = message.inlineHolder(name);
      field = holder == null ? null : holder.message().field(name);
    }
    if (field == null
        && message.field("metadata") != null
        && (name.equals("kind") || name.equals("apiVersion"))) {
      into.add(name, value);
      return;
    }
    if (field == null) {
      String twice = "duplicate field \"" + at;
      complaints.removeIf(
          c -> c.startsWith(twice) && "\".[".indexOf(c.charAt(twice.length())) >= 0);
      complaints.add("unknown field \"" + at + "\"");
      return;
    }
    if (value.isJsonNull()) {
      return;
    }
    JsonElement read = conformValue(value, field, at, message.name() + "." + at, complaints);
    // Kubernetes' storage drops empty lists, maps and plain values
    boolean nothing =
        field.map() && read.getAsJsonObject().isEmpty()
            || field.repeated()
                && read.getAsJsonArray().isEmpty()
                && !field
                    .typeName()
                    .equals("ManagedFieldsEntry") // an empty list resets managedFields
            || isZero(read, field);
    if (!nothing) {
      into.add(name, read);
    }
  }

  private static boolean isZero(JsonElement value, MessageField field) {
    return field.empty() == Schema.EmptyForm.ABSENT
        && switch (field.shape()) {
          case STRING -> value.isJsonPrimitive() && value.getAsString().isEmpty();
          case BOOL -> value.isJsonPrimitive() && !value.getAsBoolean();
          case INT32, INT64, DOUBLE -> value.isJsonPrimitive() && value.getAsDouble() == 0;
          default -> false;
        };
  }

  private static JsonElement conformValue(
      JsonElement value,
      MessageField field,
      String fieldPath,
      String goField,
      List<String> complaints)
      throws BadBodyException {
    if (field.map()) {
      if (!value.isJsonObject()) {
        throw FieldValues.makeMismatch(
            value, goField, "map[string]" + FieldValues.describeType(field));
      }
      JsonObject map = new JsonObject();
      for (Map.Entry<String, JsonElement> entry : value.getAsJsonObject().entrySet()) {
        if (!entry.getValue().isJsonNull() || field.shape() == Schema.FieldShape.STRING) {
          JsonElement one =
              entry.getValue().isJsonNull() ? new JsonPrimitive("") : entry.getValue();
          map.add(
              entry.getKey(),
              FieldValues.read(one, field, fieldPath + "." + entry.getKey(), goField, complaints));
        }
      }
      return map;
    }
    if (field.repeated()) {
      if (!value.isJsonArray()) {
        throw FieldValues.makeMismatch(value, goField, "[]" + FieldValues.describeType(field));
      }
      JsonArray list = new JsonArray();
      for (JsonElement one : value.getAsJsonArray()) {
        list.add(
            one.isJsonNull()
                ? makeEmptyValue(field)
                : FieldValues.read(
                    one, field, fieldPath + "[" + list.size() + "]", goField, complaints));
      }
      return list;
    }
    return FieldValues.read(value, field, fieldPath, goField, complaints);
  }

  private static JsonElement makeEmptyValue(MessageField field) {
    return field.shape() == Schema.FieldShape.STRING ? new JsonPrimitive("") : new JsonObject();
  }

  /**
   * Returns an object of the given members.
   *
   * @param members names and values in turn; a value is a tree, a text, a number or a boolean
   */
  public static JsonObject objectOf(Object... members) {
    JsonObject object = new JsonObject();
    for (int i = 0; i < members.length; i += 2) {
      object.add((String) members[i], toTree(members[i + 1]));
    }
    return object;
  }

  public static JsonArray arrayOf(Object... elements) {
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
  public static @Nullable JsonElement at(JsonObject object, String... path) {
    JsonElement here = object;
    for (String name : path) {
      if (here == null || !here.isJsonObject()) {
        return null;
      }
      here = here.getAsJsonObject().get(name);
    }
    return here == null || here.isJsonNull() ? null : here;
  }

  /** Returns the text at the path; "" if it is absent or no plain value. */
  public static String text(JsonObject object, String... path) {
    JsonElement found = at(object, path);
    return found != null && found.isJsonPrimitive() ? found.getAsString() : "";
  }

  public static boolean flag(JsonObject object, String... path) {
    JsonElement found = at(object, path);
    return found != null && found.isJsonPrimitive() && found.getAsBoolean();
  }

  /** Returns the object at the path and creates it if it is absent. */
  public static JsonObject child(JsonObject object, String... path) {
    JsonObject here = object;
    for (String name : path) {
      JsonElement next = here.get(name);
      if (next == null || !next.isJsonObject()) {
        next = new JsonObject();
        here.add(name, next);
      }
      here = next.getAsJsonObject();
    }
    return here;
  }

  public static List<String> strings(JsonObject object, String... path) {
    List<String> all = new ArrayList<>();
    if (at(object, path) instanceof JsonArray list) {
      list.forEach(one -> all.add(one.getAsString()));
    }
    return all;
  }
}
