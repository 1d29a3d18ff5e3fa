package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gathers what is wrong with an object. Not thread-safe. */
public final class FieldErrors {
  private final List<Problem.Cause> all = new ArrayList<>();

  /** A missing value. */
  public void required(String field, String why) {
    all.add(
        new Problem.Cause(
            "FieldValueRequired", "Required value" + (why.isEmpty() ? "" : ": " + why), field));
  }

  /** A wrong value. */
  public void invalid(String field, Object value, String why) {
    all.add(
        new Problem.Cause(
            "FieldValueInvalid",
            "Invalid value: " + quoted(value) + (why.isEmpty() ? "" : ": " + why),
            field));
  }

  /** A value that may not be there. */
  public void forbidden(String field, String why) {
    all.add(new Problem.Cause("FieldValueForbidden", "Forbidden: " + why, field));
  }

  /** A value that is none of those possible. */
  public void notSupported(String field, Object value, List<String> supported) {
    all.add(
        new Problem.Cause(
            "FieldValueNotSupported",
            "Unsupported value: "
                + quoted(value)
                + ": supported values: "
                + supported.stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(", ")),
            field));
  }

  /** A value that was there before. */
  public void duplicate(String field, Object value) {
    all.add(new Problem.Cause("FieldValueDuplicate", "Duplicate value: " + quoted(value), field));
  }

  /** A value that is too long. */
  public void tooLong(String field, int most) {
    all.add(
        new Problem.Cause(
            "FieldValueTooLong", "Too long: may not be more than " + most + " bytes", field));
  }

  /** A list that is too long. */
  public void tooMany(String field, int count, int most) {
    all.add(
        new Problem.Cause(
            "FieldValueTooMany",
            "Too many: " + count + ": must have at most " + most + " items",
            field));
  }

  private static String quoted(Object value) {
    return value instanceof String s ? "\"" + s + "\"" : String.valueOf(value);
  }

  /** A value that names nothing. */
  public void notFound(String field, Object value) {
    all.add(new Problem.Cause("FieldValueNotFound", "Not found: " + quoted(value), field));
  }

  /** The value as a message shows it. */
  static Object value(@Nullable JsonElement value) {
    return value == null
        ? JsonNull.INSTANCE
        : value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()
            ? value.getAsString()
            : value;
  }

  /** A wrong value whose text is not worth repeating. */
  public void immutable(String field, Object value) {
    invalid(field, value, "field is immutable");
  }

  /** What was gathered. */
  public List<Problem.Cause> all() {
    return all;
  }

  /** Whether nothing is wrong. */
  public boolean isEmpty() {
    return all.isEmpty();
  }
}
