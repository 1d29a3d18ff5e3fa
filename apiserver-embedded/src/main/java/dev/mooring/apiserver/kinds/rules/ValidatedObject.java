package dev.mooring.apiserver.kinds.rules;

import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
 * An object under validation, with its field path and the collector of errors. Methods {@code
 * check} accept an absent member; methods {@code require} add an error.
 *
 * @param object the object; empty if it is absent
 * @param field its path; "" for the root
 * @param errors the errors so far
 */
public record ValidatedObject(JsonObject object, String field, FieldErrors errors) {
  private static final int MAX_FILE_MODE = 0777;

  /** Returns an object that is only read: its errors are dropped. */
  public static ValidatedObject forReading(JsonObject object) {
    return new ValidatedObject(object, "", new FieldErrors());
  }

  public static ValidatedObject forReading(JsonObject object, String name) {
    return forReading(object).getChild(name);
  }

  /** Returns a member of an object to validate; created if it is absent. */
  public static ValidatedObject ofMember(JsonObject object, String name, FieldErrors errors) {
    return new ValidatedObject(JsonBodies.getOrAddChild(object, name), name, errors);
  }

  public String path(String name) {
    return field.isEmpty() ? name : field + "." + name;
  }

  /** Returns the value at the path; null if it is absent or JSON null. */
  public @Nullable JsonElement value(String... path) {
    JsonElement value = valueAt(object, path);
    return value == null || value.isJsonNull() ? null : value;
  }

  public boolean has(String... path) {
    return value(path) != null;
  }

  public String text(String... path) {
    return JsonBodies.textAt(object, path);
  }

  public boolean flag(String... path) {
    return JsonBodies.flagAt(object, path);
  }

  public List<String> strings(String... path) {
    return JsonBodies.stringsAt(object, path);
  }

  /** Returns the number; 0 if it is absent. */
  public long number(String name) {
    JsonElement value = value(name);
    return value == null ? 0 : value.getAsLong();
  }

  /** Returns the member; empty if it is absent or no object. */
  public ValidatedObject getChild(String name) {
    JsonObject child = value(name) instanceof JsonObject o ? o : new JsonObject();
    return new ValidatedObject(child, path(name), errors);
  }

  /** Returns the same object, whose errors name another field. */
  public ValidatedObject atPath(String otherField) {
    return new ValidatedObject(object, otherField, errors);
  }

  /** Applies the rule to the member if it is an object. */
  public void ifPresent(String name, Consumer<ValidatedObject> rule) {
    if (value(name) instanceof JsonObject) {
      rule.accept(getChild(name));
    }
  }

  /** Returns the elements of a list; empty if the member is no list. */
  public List<ValidatedObject> getChildren(String name) {
    if (!(value(name) instanceof JsonArray list)) {
      return List.of();
    }
    ValidatedObject[] elements = new ValidatedObject[list.size()];
    for (int i = 0; i < elements.length; i++) {
      JsonObject element = list.get(i) instanceof JsonObject o ? o : new JsonObject();
      elements[i] = new ValidatedObject(element, path(name) + "[" + i + "]", errors);
    }
    return List.of(elements);
  }

  public void forEachChild(String name, Consumer<ValidatedObject> rule) {
    getChildren(name).forEach(rule);
  }

  public void requireMembers(String... names) {
    for (String name : names) {
      if (isEmpty(name)) {
        errors.addRequired(path(name), "");
      }
    }
  }

  /** Returns whether the member is absent, null, or an empty text, list or object. */
  public boolean isEmpty(String name) {
    JsonElement value = value(name);
    return value == null
        || value instanceof JsonArray list && list.isEmpty()
        || value instanceof JsonObject map && map.isEmpty()
        || value.isJsonPrimitive() && value.getAsString().isEmpty();
  }

  public void addRequired(String name, String detail) {
    errors.addRequired(path(name), detail);
  }

  public void addInvalid(String name, String detail) {
    errors.addInvalid(path(name), FieldErrors.toShownValue(value(name)), detail);
  }

  public void addForbidden(String name, String detail) {
    errors.addForbidden(path(name), detail);
  }

  public void addInvalid(String name, Object value, String detail) {
    errors.addInvalid(path(name), value, detail);
  }

  public void addDuplicate(String name) {
    errors.addDuplicate(path(name), text(name));
  }

  public void requireUnique(Set<String> values, String name) {
    if (!values.add(text(name))) {
      addDuplicate(name);
    }
  }

  public void addNotFound(String name) {
    errors.addNotFound(path(name), text(name));
  }

  public void addNotSupported(String name, Object value, List<String> supported) {
    errors.addNotSupported(path(name), value, supported);
  }

  public void addSelfRequired(String detail) {
    errors.addRequired(field, detail);
  }

  public void addSelfInvalid(Object value, String detail) {
    errors.addInvalid(field, value, detail);
  }

  public void addSelfDuplicate(Object value) {
    errors.addDuplicate(field, value);
  }

  public void checkOneOf(String name, String... supported) {
    if (has(name) && !Arrays.asList(supported).contains(text(name))) {
      errors.addNotSupported(path(name), text(name), List.of(supported));
    }
  }

  /** Checks the value if the member is absent, too. */
  public void checkOneOfEvenIfAbsent(String name, String... supported) {
    if (!Arrays.asList(supported).contains(text(name))) {
      errors.addNotSupported(path(name), text(name), List.of(supported));
    }
  }

  public void requireOneOf(String name, String... supported) {
    if (isEmpty(name)) {
      errors.addRequired(path(name), "");
    } else {
      checkOneOf(name, supported);
    }
  }

  public void checkRange(String name, long minimum, long maximum) {
    if (has(name) && (number(name) < minimum || number(name) > maximum)) {
      addInvalid(name, "must be between " + minimum + " and " + maximum + ", inclusive");
    }
  }

  public void checkAtLeast(String name, long minimum) {
    if (has(name) && number(name) < minimum) {
      addInvalid(
          name,
          minimum == 1
              ? "must be greater than zero"
              : "must be greater than or equal to " + minimum);
    }
  }

  public void checkFileMode(String name) {
    if (has(name) && (number(name) < 0 || number(name) > MAX_FILE_MODE)) {
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
