package dev.mooring.apiserver.kinds.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the validation errors of an object. Not thread-safe. */
public final class FieldErrors {
  private final List<StatusException.StatusCause> all = new ArrayList<>();

  public void addRequired(String field, String why) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueRequired", "Required value" + (why.isEmpty() ? "" : ": " + why), field));
  }

  public void addInvalid(String field, Object value, String why) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueInvalid",
            "Invalid value: " + quote(value) + (why.isEmpty() ? "" : ": " + why),
            field));
  }

  public void addForbidden(String field, String why) {
    all.add(new StatusException.StatusCause("FieldValueForbidden", "Forbidden: " + why, field));
  }

  public void addNotSupported(String field, Object value, List<String> supported) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueNotSupported",
            "Unsupported value: %s: supported values: %s"
                .formatted(
                    quote(value),
                    supported.stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(", "))),
            field));
  }

  public void addDuplicate(String field, Object value) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueDuplicate", "Duplicate value: " + quote(value), field));
  }

  public void addTooLong(String field, int most) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueTooLong", "Too long: may not be more than " + most + " bytes", field));
  }

  public void addTooMany(String field, int count, int most) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueTooMany",
            "Too many: " + count + ": must have at most " + most + " items",
            field));
  }

  private static String quote(Object value) {
    return value instanceof String s ? "\"" + s + "\"" : String.valueOf(value);
  }

  public void addNotFound(String field, Object value) {
    all.add(
        new StatusException.StatusCause("FieldValueNotFound", "Not found: " + quote(value), field));
  }

  public static Object toShownValue(@Nullable JsonElement value) {
    return value == null
        ? JsonNull.INSTANCE
        : value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()
            ? value.getAsString()
            : value;
  }

  public void addImmutable(String field, Object value) {
    addInvalid(field, value, "field is immutable");
  }

  public void addAllBelow(String path, FieldErrors found) {
    for (StatusException.StatusCause cause : found.all) {
      String field = cause.field().isEmpty() ? path : path + "." + cause.field();
      all.add(new StatusException.StatusCause(cause.reason(), cause.message(), field));
    }
  }

  public List<StatusException.StatusCause> all() {
    return all;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }
}
