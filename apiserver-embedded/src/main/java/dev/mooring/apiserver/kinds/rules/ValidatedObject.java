package dev.mooring.apiserver.kinds.rules;

import static dev.mooring.apiserver.codec.JsonBodies.at;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An object under validation, with its field path and the collector of errors.
 *
 * @param object the object; empty if it is absent
 * @param field its path; "" for the root
 * @param errors the errors so far
 */
public record ValidatedObject(JsonObject object, String field, FieldErrors errors) {
  private static final int MODE_LIMIT = 0777;

  /** Returns an object to read, whose errors nobody collects. */
  public static ValidatedObject reading(JsonObject object) {
    return new ValidatedObject(object, "", new FieldErrors());
  }

  public static ValidatedObject reading(JsonObject object, String name) {
    return reading(object).child(name);
  }

  /** Returns a member of an object to validate; created if it is absent. */
  public static ValidatedObject of(JsonObject object, String name, FieldErrors errors) {
    return new ValidatedObject(JsonBodies.child(object, name), name, errors);
  }

  public String path(String name) {
    return field.isEmpty() ? name : field + "." + name;
  }

  public @Nullable JsonElement value(String... path) {
    JsonElement found = at(object, path);
    return found == null || found.isJsonNull() ? null : found;
  }

  public boolean has(String... path) {
    return value(path) != null;
  }

  public String text(String... path) {
    return JsonBodies.text(object, path);
  }

  public boolean flag(String... path) {
    return JsonBodies.flag(object, path);
  }

  public List<String> strings(String... path) {
    return JsonBodies.strings(object, path);
  }

  public long number(String name) {
    JsonElement found = value(name);
    return found == null ? 0 : found.getAsLong();
  }

  public ValidatedObject child(String name) {
    JsonObject child = value(name) instanceof JsonObject o ? o : new JsonObject();
    return new ValidatedObject(child, path(name), errors);
  }

  public ValidatedObject atPath(String otherField) {
    return new ValidatedObject(object, otherField, errors);
  }

  public void ifPresent(String name, Consumer<ValidatedObject> rule) {
    if (value(name) instanceof JsonObject) {
      rule.accept(child(name));
    }
  }

  public List<ValidatedObject> children(String name) {
    if (!(value(name) instanceof JsonArray list)) {
      return List.of();
    }
    ValidatedObject[] places = new ValidatedObject[list.size()];
    for (int i = 0; i < places.length; i++) {
      JsonObject one = list.get(i) instanceof JsonObject o ? o : new JsonObject();
      places[i] = new ValidatedObject(one, path(name) + "[" + i + "]", errors);
    }
    return List.of(places);
  }

  public void each(String name, Consumer<ValidatedObject> rule) {
    children(name).forEach(rule);
  }

  public void requireMembers(String... names) {
    for (String name : names) {
      if (isEmpty(name)) {
        errors.addRequired(path(name), "");
      }
    }
  }

  public boolean isEmpty(String name) {
    JsonElement found = value(name);
    return found == null
        || found instanceof JsonArray list && list.isEmpty()
        || found instanceof JsonObject map && map.isEmpty()
        || found.isJsonPrimitive() && found.getAsString().isEmpty();
  }

  public void addRequired(String name, String why) {
    errors.addRequired(path(name), why);
  }

  public void addInvalid(String name, String why) {
    errors.addInvalid(path(name), FieldErrors.toShownValue(value(name)), why);
  }

  public void addForbidden(String name, String why) {
    errors.addForbidden(path(name), why);
  }

  public void addInvalid(String name, Object value, String why) {
    errors.addInvalid(path(name), value, why);
  }

  public void addDuplicate(String name) {
    errors.addDuplicate(path(name), text(name));
  }

  public void requireNew(Set<String> seen, String name) {
    if (!seen.add(text(name))) {
      addDuplicate(name);
    }
  }

  public void addNotFound(String name) {
    errors.addNotFound(path(name), text(name));
  }

  public void addNotSupported(String name, Object value, List<String> supported) {
    errors.addNotSupported(path(name), value, supported);
  }

  public void addSelfRequired(String why) {
    errors.addRequired(field, why);
  }

  public void addSelfInvalid(Object value, String why) {
    errors.addInvalid(field, value, why);
  }

  public void addSelfDuplicate(Object value) {
    errors.addDuplicate(field, value);
  }

  public void checkOneOf(String name, String... possible) {
    if (has(name) && !Arrays.asList(possible).contains(text(name))) {
      errors.addNotSupported(path(name), text(name), List.of(possible));
    }
  }

  /** Checks the value if the member is absent, too. */
  public void checkOneOfEvenIfAbsent(String name, String... possible) {
    if (!Arrays.asList(possible).contains(text(name))) {
      errors.addNotSupported(path(name), text(name), List.of(possible));
    }
  }

  public void requireOneOf(String name, String... possible) {
    if (isEmpty(name)) {
      errors.addRequired(path(name), "");
    } else {
      checkOneOf(name, possible);
    }
  }

  public void checkRange(String name, long from, long to) {
    if (has(name) && (number(name) < from || number(name) > to)) {
      addInvalid(name, "must be between " + from + " and " + to + ", inclusive");
    }
  }

  public void checkAtLeast(String name, long least) {
    if (has(name) && number(name) < least) {
      addInvalid(
          name,
          least == 1 ? "must be greater than zero" : "must be greater than or equal to " + least);
    }
  }

  public void checkFileMode(String name) {
    if (has(name) && (number(name) < 0 || number(name) > MODE_LIMIT)) {
      addInvalid(name, "must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  public void checkLabel(String name) {
    if (!isEmpty(name)) {
      requireLabel(name);
    }
  }

  public void requireLabel(String name) {
    ObjectNames.validateLabel(text(name), path(name), errors);
  }

  public void requireSubdomain(String name) {
    ObjectNames.validateSubdomain(text(name), path(name), errors);
  }

  public void requireQualifiedName(String name) {
    ObjectNames.validateQualifiedName(text(name), path(name), errors);
  }

  public void checkSubdomain(String name) {
    if (!isEmpty(name)) {
      requireSubdomain(name);
    }
  }

  public void checkNoBacksteps(String name) {
    VolumePaths.rejectBacksteps(text(name), path(name), errors);
  }

  public void checkDescending(String name) {
    VolumePaths.requireDescending(text(name), path(name), errors);
  }

  public void checkNotReserved(String name) {
    VolumePaths.rejectReserved(text(name), path(name), errors);
  }
}
