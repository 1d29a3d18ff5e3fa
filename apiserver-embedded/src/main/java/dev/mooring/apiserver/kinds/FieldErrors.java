package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the validation errors of an object. Not thread-safe. */
public final class FieldErrors {
  private final List<StatusException.StatusCause> all = new ArrayList<>();

  public void required(String field, String why) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueRequired", "Required value" + (why.isEmpty() ? "" : ": " + why), field));
  }

  public void invalid(String field, Object value, String why) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueInvalid",
            "Invalid value: " + quoted(value) + (why.isEmpty() ? "" : ": " + why),
            field));
  }

  public void forbidden(String field, String why) {
    all.add(new StatusException.StatusCause("FieldValueForbidden", "Forbidden: " + why, field));
  }

  public void notSupported(String field, Object value, List<String> supported) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueNotSupported",
            "Unsupported value: "
                + quoted(value)
                + ": supported values: "
                + supported.stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(", ")),
            field));
  }

  public void duplicate(String field, Object value) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueDuplicate", "Duplicate value: " + quoted(value), field));
  }

  public void tooLong(String field, int most) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueTooLong", "Too long: may not be more than " + most + " bytes", field));
  }

  public void tooMany(String field, int count, int most) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueTooMany",
            "Too many: " + count + ": must have at most " + most + " items",
            field));
  }

  private static String quoted(Object value) {
    return value instanceof String s ? "\"" + s + "\"" : String.valueOf(value);
  }

  public void notFound(String field, Object value) {
    all.add(
        new StatusException.StatusCause(
            "FieldValueNotFound", "Not found: " + quoted(value), field));
  }

  static Object value(@Nullable JsonElement value) {
    return value == null
        ? JsonNull.INSTANCE
        : value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()
            ? value.getAsString()
            : value;
  }

  /** Adds an invalid value whose text is omitted from the message. */
  public void immutable(String field, Object value) {
    invalid(field, value, "field is immutable");
  }

  public List<StatusException.StatusCause> all() {
    return all;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }
}
