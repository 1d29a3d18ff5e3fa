package dev.mooring.apiserver.kinds.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the validation errors of an object. A detail of "" is omitted from the message. Not
 * thread-safe.
 */
public final class FieldErrors {
  private final List<StatusException.StatusCause> causes = new ArrayList<>();

  public void addRequired(String field, String detail) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueRequired",
            "Required value" + (detail.isEmpty() ? "" : ": " + detail),
            field));
  }

  public void addInvalid(String field, Object value, String detail) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueInvalid",
            "Invalid value: " + quote(value) + (detail.isEmpty() ? "" : ": " + detail),
            field));
  }

  public void addForbidden(String field, String detail) {
    causes.add(
        new StatusException.StatusCause("FieldValueForbidden", "Forbidden: " + detail, field));
  }

  public void addNotSupported(String field, Object value, List<String> supported) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueNotSupported",
            "Unsupported value: %s: supported values: %s"
                .formatted(
                    quote(value),
                    supported.stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(", "))),
            field));
  }

  public void addDuplicate(String field, Object value) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueDuplicate", "Duplicate value: " + quote(value), field));
  }

  public void addTooLong(String field, int maxBytes) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueTooLong", "Too long: may not be more than " + maxBytes + " bytes", field));
  }

  public void addTooMany(String field, int count, int maxItems) {
    causes.add(
        new StatusException.StatusCause(
            "FieldValueTooMany",
            "Too many: " + count + ": must have at most " + maxItems + " items",
            field));
  }

  private static String quote(Object value) {
    return value instanceof String s ? "\"" + s + "\"" : String.valueOf(value);
  }

  public void addNotFound(String field, Object value) {
    causes.add(
        new StatusException.StatusCause("FieldValueNotFound", "Not found: " + quote(value), field));
  }

  /** Returns the value as messages quote it: a string for a text, JSON null for an absent value. */
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

  /** Adds the errors of a nested object and puts {@code path} before their fields. */
  public void addAllBelow(String path, FieldErrors errors) {
    for (StatusException.StatusCause cause : errors.causes) {
      String field = cause.field().isEmpty() ? path : path + "." + cause.field();
      causes.add(new StatusException.StatusCause(cause.reason(), cause.message(), field));
    }
  }

  /** Returns the errors so far. Callers may add to the list. */
  public List<StatusException.StatusCause> getCauses() {
    return causes;
  }

  public boolean isEmpty() {
    return causes.isEmpty();
  }
}
