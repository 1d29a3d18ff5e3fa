package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An object that is looked at, where it stands in the whole, and who is told what is wrong with it:
 * rules read as one line per field.
 *
 * @param object the object, empty if it is absent
 * @param field its path, "" for the whole
 * @param errors what was found
 */
record Place(JsonObject object, String field, FieldErrors errors) {
  private static final int MODE_LIMIT = 0777;

  /** The path of a member. */
  String path(String name) {
    return field.isEmpty() ? name : field + "." + name;
  }

  /** The member, null if it is absent or null. */
  @Nullable JsonElement value(String... path) {
    JsonElement found = at(object, path);
    return found == null || found.isJsonNull() ? null : found;
  }

  boolean has(String... path) {
    return value(path) != null;
  }

  String text(String... path) {
    return JsonBodies.text(object, path);
  }

  boolean flag(String... path) {
    return JsonBodies.flag(object, path);
  }

  List<String> strings(String... path) {
    return JsonBodies.strings(object, path);
  }

  long number(String name) {
    JsonElement found = value(name);
    return found == null ? 0 : found.getAsLong();
  }

  /** The member object, empty if it is absent. */
  Place in(String name) {
    JsonObject child = value(name) instanceof JsonObject o ? o : new JsonObject();
    return new Place(child, path(name), errors);
  }

  /** The same object under another name, as some of Kubernetes' messages have it. */
  Place as(String otherField) {
    return new Place(object, otherField, errors);
  }

  /** The member object, if there is one. */
  void given(String name, Consumer<Place> rule) {
    if (value(name) instanceof JsonObject) {
      rule.accept(in(name));
    }
  }

  /** The objects of the list. */
  List<Place> all(String name) {
    if (!(value(name) instanceof JsonArray list)) {
      return List.of();
    }
    Place[] places = new Place[list.size()];
    for (int i = 0; i < places.length; i++) {
      JsonObject one = list.get(i) instanceof JsonObject o ? o : new JsonObject();
      places[i] = new Place(one, path(name) + "[" + i + "]", errors);
    }
    return List.of(places);
  }

  void each(String name, Consumer<Place> rule) {
    all(name).forEach(rule);
  }

  /** These must be there: texts and lists that are not empty. */
  void need(String... names) {
    for (String name : names) {
      if (isEmpty(name)) {
        errors.required(path(name), "");
      }
    }
  }

  boolean isEmpty(String name) {
    JsonElement found = value(name);
    return found == null
        || found instanceof JsonArray list && list.isEmpty()
        || found instanceof JsonObject map && map.isEmpty()
        || found.isJsonPrimitive() && found.getAsString().isEmpty();
  }

  void required(String name, String why) {
    errors.required(path(name), why);
  }

  void invalid(String name, String why) {
    errors.invalid(path(name), FieldErrors.value(value(name)), why);
  }

  void forbidden(String name, String why) {
    errors.forbidden(path(name), why);
  }

  /** If it is there, it is one of these. */
  void oneOf(String name, String... possible) {
    if (has(name) && !Arrays.asList(possible).contains(text(name))) {
      errors.notSupported(path(name), text(name), List.of(possible));
    }
  }

  /** It is one of these; nothing is not. */
  void isOneOf(String name, String... possible) {
    if (!Arrays.asList(possible).contains(text(name))) {
      errors.notSupported(path(name), text(name), List.of(possible));
    }
  }

  /** It is there and one of these. */
  void exactly(String name, String... possible) {
    if (isEmpty(name)) {
      errors.required(path(name), "");
    } else {
      oneOf(name, possible);
    }
  }

  /** If it is there, it lies between both. */
  void range(String name, long from, long to) {
    if (has(name) && (number(name) < from || number(name) > to)) {
      invalid(name, "must be between " + from + " and " + to + ", inclusive");
    }
  }

  /** If it is there, it is that much at least. */
  void atLeast(String name, long least) {
    if (has(name) && number(name) < least) {
      invalid(
          name,
          least == 1 ? "must be greater than zero" : "must be greater than or equal to " + least);
    }
  }

  /** If it is there, it is a file's permissions. */
  void fileMode(String name) {
    if (has(name) && (number(name) < 0 || number(name) > MODE_LIMIT)) {
      invalid(name, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** If it is not empty, it is a label of DNS. */
  void label(String name) {
    if (!isEmpty(name)) {
      ObjectNames.label(text(name), path(name), errors);
    }
  }

  /** If it is not empty, it is a subdomain of DNS. */
  void subdomain(String name) {
    if (!isEmpty(name)) {
      ObjectNames.subdomain(text(name), path(name), errors);
    }
  }

  /** The path in it does not climb. */
  void noBacksteps(String name) {
    Paths.noBacksteps(text(name), path(name), errors);
  }

  /** The path in it is relative and does not climb. */
  void descending(String name) {
    Paths.descending(text(name), path(name), errors);
  }

  /** The path in it is relative, does not climb and does not look as if it did. */
  void notReserved(String name) {
    Paths.notReserved(text(name), path(name), errors);
  }
}
