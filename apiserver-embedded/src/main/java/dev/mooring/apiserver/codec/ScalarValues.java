package dev.mooring.apiserver.codec;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.Schema.MessageField;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

final class ScalarValues {
  private ScalarValues() {}

  static JsonElement read(
      JsonElement value, MessageField field, String path, String where, List<String> complaints)
      throws BadBodyException {
    return switch (field.shape()) {
      case ANY, RAW, STRINGS -> value;
      case MESSAGE -> {
        if (!value.isJsonObject()) {
          throw mismatch(value, where, field.typeName());
        }
        yield JsonBodies.message(value.getAsJsonObject(), field.message(), path, complaints);
      }
      case BOOL -> {
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isBoolean()) {
          throw mismatch(value, where, "bool");
        }
        yield value;
      }
      case INT32, INT64 -> number(value, field, where);
      case DOUBLE -> {
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isNumber()) {
          throw mismatch(value, where, "float64");
        }
        yield value;
      }
      case STRING, BYTES -> {
        requireString(value, where, "string");
        if (field.shape() == Schema.FieldShape.BYTES) {
          requireBase64(value.getAsString());
        }
        yield value;
      }
      case TIME, MICRO_TIME -> time(value, field, where);
      case QUANTITY -> quantity(value, where);
      case INT_OR_STRING -> intOrString(value, where);
    };
  }

  private static void requireString(JsonElement value, String where, String type)
      throws BadBodyException {
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
      throw mismatch(value, where, type);
    }
  }

  private static void requireBase64(String text) throws BadBodyException {
    try {
      String read = text.replace("\n", "").replace("\r", "");
      if (read.length() % 4 != 0) { // Java accepts missing padding
        throw new IllegalArgumentException("not padded");
      }
      Base64.getDecoder().decode(read);
    } catch (IllegalArgumentException e) {
      throw new BadBodyException("illegal base64 data at input byte 0");
    }
  }

  private static JsonElement intOrString(JsonElement value, String where) throws BadBodyException {
    if (value.isJsonPrimitive()
        && value.getAsJsonPrimitive().isNumber()
        && value.getAsDouble() != value.getAsInt()) {
      throw mismatch(value, where, "int32");
    }
    return value;
  }

  private static JsonElement number(JsonElement value, MessageField field, String where)
      throws BadBodyException {
    String type = field.shape() == Schema.FieldShape.INT32 ? "int32" : "int64";
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isNumber()) {
      throw mismatch(value, where, type);
    }
    try {
      long number = value.getAsBigDecimal().longValueExact();
      if (field.shape() == Schema.FieldShape.INT32 && number != (int) number) {
        throw mismatch(value, where, type);
      }
      return new JsonPrimitive(number);
    } catch (ArithmeticException e) {
      throw mismatch(value, where, type);
    }
  }

  private static JsonElement time(JsonElement value, MessageField field, String where)
      throws BadBodyException {
    requireString(value, where, "string");
    Instant time = CanonicalValues.time(value.getAsString());
    boolean micro = field.shape() == Schema.FieldShape.MICRO_TIME;
    if (time == null || (micro && !value.getAsString().matches(".*\\.\\d{6}(Z|[+-].*)"))) {
      throw new BadBodyException(
          "parsing time \""
              + value.getAsString()
              + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse");
    }
    return new JsonPrimitive(
        field.shape() == Schema.FieldShape.TIME
            ? CanonicalValues.seconds(time)
            : CanonicalValues.micros(time));
  }

  private static JsonElement quantity(JsonElement value, String where) throws BadBodyException {
    if (!value.isJsonPrimitive() || value.getAsJsonPrimitive().isBoolean()) {
      throw mismatch(value, where, "resource.Quantity");
    }
    String canonical = CanonicalValues.quantity(value.getAsString().trim());
    if (canonical == null) {
      throw new BadBodyException(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return new JsonPrimitive(canonical);
  }

  static BadBodyException mismatch(JsonElement value, String where, String type) {
    return new BadBodyException(
        "json: cannot unmarshal "
            + kindOf(value)
            + " into Go struct field "
            + where
            + " of type "
            + type);
  }

  private static String kindOf(JsonElement value) {
    if (value.isJsonObject()) {
      return "object";
    }
    if (value.isJsonArray()) {
      return "array";
    }
    if (value.getAsJsonPrimitive().isString()) {
      return "string";
    }
    return value.getAsJsonPrimitive().isBoolean() ? "bool" : "number";
  }

  static String typeOf(MessageField field) {
    return field.shape() == Schema.FieldShape.MESSAGE
        ? "v1." + field.typeName()
        : field.shape() == Schema.FieldShape.STRING ? "string" : field.shape().name().toLowerCase();
  }
}
