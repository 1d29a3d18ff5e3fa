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
import dev.mooring.apiserver.codec.Schema.Field;
import dev.mooring.apiserver.codec.Schema.Message;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as the API reads it: checked against the schema, pruned to it, quantities and times
 * canonical.
 */
public final class JsonBodies {
  /**
   * A body that was read.
   *
   * @param object the object, unknown fields left out
   * @param complaints unknown and duplicate fields, in order of appearance
   */
  public record Read(JsonObject object, List<String> complaints) {}

  private JsonBodies() {}

  /**
   * Parses any JSON; members keep their order, a repeated member's last value counts and is
   * complained about.
   */
  public static JsonElement parse(String text, List<String> complaints) throws BadBodyException {
    try (JsonReader in = new JsonReader(new StringReader(text))) {
      in.setStrictness(Strictness.STRICT);
      JsonElement value = element(in, "", complaints);
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

  private static JsonElement element(JsonReader in, String path, List<String> complaints)
      throws IOException {
    return switch (in.peek()) {
      case BEGIN_OBJECT -> {
        JsonObject object = new JsonObject();
        in.beginObject();
        while (in.hasNext()) {
          String name = in.nextName();
          String at = path.isEmpty() ? name : path + "." + name;
          if (object.has(name)) {
            complaints.add("duplicate field \"" + at + "\"");
          }
          object.add(name, element(in, at, complaints));
        }
        in.endObject();
        yield object;
      }
      case BEGIN_ARRAY -> {
        JsonArray array = new JsonArray();
        in.beginArray();
        while (in.hasNext()) {
          array.add(element(in, path + "[" + array.size() + "]", complaints));
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
   * Makes an object of such a tree: unknown members go (and are complained about), values become
   * canonical.
   */
  public static Read conform(JsonObject tree, Message message, List<String> complaints)
      throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      String name = member.getKey();
      if (name.equals("kind") || name.equals("apiVersion")) {
        object.add(name, member.getValue());
      } else {
        member(member, message, "", object, complaints);
      }
    }
    complete(object, message);
    return new Read(object, complaints);
  }

  /** Puts in the members that stand in JSON though nothing is in them; not below these. */
  private static void complete(JsonObject object, Message message) {
    for (Field field : message.always()) {
      if (!object.has(field.name())) {
        object.add(field.name(), nothing(field));
      }
    }
  }

  private static JsonElement nothing(Field field) {
    if (field.empty() == Schema.Empty.NULL) {
      return JsonNull.INSTANCE;
    }
    return switch (field.shape()) {
      case BOOL -> new JsonPrimitive(false);
      case INT32, INT64, DOUBLE -> new JsonPrimitive(0);
      case MESSAGE -> {
        JsonObject empty = new JsonObject();
        complete(empty, field.message());
        yield empty;
      }
      default -> new JsonPrimitive("");
    };
  }

  /** An object of that message. */
  static JsonObject message(JsonObject tree, Message message, String path, List<String> complaints)
      throws BadBodyException {
    JsonObject object = new JsonObject();
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      member(member, message, path, object, complaints);
    }
    complete(object, message);
    return object;
  }

  private static void member(
      Map.Entry<String, JsonElement> member,
      Message message,
      String path,
      JsonObject into,
      List<String> complaints)
      throws BadBodyException {
    String name = member.getKey();
    JsonElement value = member.getValue();
    String at = path.isEmpty() ? name : path + "." + name;
    Field field = message.field(name);
    if (field == null) {
      Field holder = message.inlineHolder(name);
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
    JsonElement read = value(value, field, at, message.name() + "." + at, complaints);
    // as after a round trip through storage: an empty list, map or plain value is none
    boolean nothing =
        field.map() && read.getAsJsonObject().isEmpty()
            || field.repeated()
                && read.getAsJsonArray().isEmpty()
                && !field.typeName().equals("ManagedFieldsEntry") // an empty list resets them
            || isZero(read, field);
    if (!nothing) {
      into.add(name, read);
    }
  }

  private static boolean isZero(JsonElement value, Field field) {
    return field.empty() == Schema.Empty.ABSENT
        && switch (field.shape()) {
          case STRING -> value.isJsonPrimitive() && value.getAsString().isEmpty();
          case BOOL -> value.isJsonPrimitive() && !value.getAsBoolean();
          case INT32, INT64, DOUBLE -> value.isJsonPrimitive() && value.getAsDouble() == 0;
          default -> false;
        };
  }

  private static JsonElement value(
      JsonElement value, Field field, String path, String where, List<String> complaints)
      throws BadBodyException {
    if (field.map()) {
      if (!value.isJsonObject()) {
        throw Scalars.mismatch(value, where, "map[string]" + Scalars.typeOf(field));
      }
      JsonObject map = new JsonObject();
      for (Map.Entry<String, JsonElement> entry : value.getAsJsonObject().entrySet()) {
        if (!entry.getValue().isJsonNull() || field.shape() == Schema.Shape.STRING) {
          JsonElement one =
              entry.getValue().isJsonNull() ? new JsonPrimitive("") : entry.getValue();
          map.add(
              entry.getKey(),
              Scalars.read(one, field, path + "." + entry.getKey(), where, complaints));
        }
      }
      return map;
    }
    if (field.repeated()) {
      if (!value.isJsonArray()) {
        throw Scalars.mismatch(value, where, "[]" + Scalars.typeOf(field));
      }
      JsonArray list = new JsonArray();
      for (JsonElement one : value.getAsJsonArray()) {
        list.add(
            one.isJsonNull()
                ? empty(field)
                : Scalars.read(one, field, path + "[" + list.size() + "]", where, complaints));
      }
      return list;
    }
    return Scalars.read(value, field, path, where, complaints);
  }

  private static JsonElement empty(Field field) {
    return field.shape() == Schema.Shape.STRING ? new JsonPrimitive("") : new JsonObject();
  }

  /** The member at the path, null if it or anything on the way is absent. */
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

  /** The string at the path, "" if absent. */
  public static String text(JsonObject object, String... path) {
    JsonElement found = at(object, path);
    return found != null && found.isJsonPrimitive() ? found.getAsString() : "";
  }

  /** The boolean at the path, false if absent. */
  public static boolean flag(JsonObject object, String... path) {
    JsonElement found = at(object, path);
    return found != null && found.isJsonPrimitive() && found.getAsBoolean();
  }

  /** The object at the path; made if absent. */
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

  /** The strings of the list at the path, none if absent. */
  public static List<String> strings(JsonObject object, String... path) {
    List<String> all = new ArrayList<>();
    if (at(object, path) instanceof JsonArray list) {
      list.forEach(one -> all.add(one.getAsString()));
    }
    return all;
  }
}
