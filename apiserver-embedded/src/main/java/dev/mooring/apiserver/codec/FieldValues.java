package dev.mooring.apiserver.codec;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.Schema.MessageField;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

final class FieldValues {
  private FieldValues() {}

  static JsonElement read(
      JsonElement value, MessageField field, FieldPath path, List<String> fieldErrors)
      throws BadBodyException {
    return switch (field.shape()) {
      case ANY, RAW, STRINGS -> value;
      case MESSAGE -> {
        if (!value.isJsonObject()) {
          throw makeMismatch(value, path, field.typeName());
        }
        yield JsonBodies.conformMessage(
            value.getAsJsonObject(), field.getMessage(), path, fieldErrors);
      }
      case BOOL -> {
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isBoolean()) {
          throw makeMismatch(value, path, "bool");
        }
        yield value;
      }
      case INT32, INT64 -> readNumber(value, field, path);
      case DOUBLE -> {
        if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isNumber()) {
          throw makeMismatch(value, path, "float64");
        }
        yield value;
      }
      case STRING, BYTES -> {
        requireString(value, path, "string");
        if (field.shape() == Schema.FieldShape.BYTES) {
          requireBase64(value.getAsString());
        }
        yield value;
      }
      case TIME, MICRO_TIME -> readTime(value, field, path);
      case QUANTITY -> readQuantity(value, path);
      case INT_OR_STRING -> readIntOrString(value, path);
    };
  }

  private static void requireString(JsonElement value, FieldPath path, String type)
      throws BadBodyException {
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isString()) {
      throw makeMismatch(value, path, type);
    }
  }

  private static void requireBase64(String text) throws BadBodyException {
    try {
      String unwrapped = text.replace("\n", "").replace("\r", "");
      if (unwrapped.length() % 4 != 0) { // Java accepts missing padding
        throw new IllegalArgumentException("not padded");
      }
      Base64.getDecoder().decode(unwrapped);
    } catch (IllegalArgumentException e) {
      throw new BadBodyException("illegal base64 data at input byte 0");
    }
  }

  private static JsonElement readIntOrString(JsonElement value, FieldPath path)
      throws BadBodyException {
    if (!value.isJsonPrimitive() || value.getAsJsonPrimitive().isBoolean()) {
      throw makeMismatch(value, path, "int32");
    }
    try {
      if (value.getAsJsonPrimitive().isNumber() && value.getAsDouble() != value.getAsInt()) {
        throw makeMismatch(value, path, "int32");
      }
      return value;
    } catch (NumberFormatException e) {
      throw makeMismatch(value, path, "int32");
    }
  }

  private static JsonElement readNumber(JsonElement value, MessageField field, FieldPath path)
      throws BadBodyException {
    String type = field.shape() == Schema.FieldShape.INT32 ? "int32" : "int64";
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isNumber()) {
      throw makeMismatch(value, path, type);
    }
    try {
      long number = value.getAsBigDecimal().longValueExact();
      if (field.shape() == Schema.FieldShape.INT32 && number != (int) number) {
        throw makeMismatch(value, path, type);
      }
      return new JsonPrimitive(number);
    } catch (ArithmeticException | NumberFormatException e) {
      throw makeMismatch(value, path, type);
    }
  }

  private static JsonElement readTime(JsonElement value, MessageField field, FieldPath path)
      throws BadBodyException {
    requireString(value, path, "string");
    Instant time = CanonicalValues.parseTime(value.getAsString());
    boolean isMicroTime = field.shape() == Schema.FieldShape.MICRO_TIME;
    if (time == null || (isMicroTime && !value.getAsString().matches(".*\\.\\d{6}(Z|[+-].*)"))) {
      throw new BadBodyException(
          "parsing time \""
              + value.getAsString()
              + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse");
    }
    if (!isMicroTime && CanonicalValues.hasFormOfSeconds(value.getAsString())) {
      return value;
    }
    return new JsonPrimitive(
        field.shape() == Schema.FieldShape.TIME
            ? CanonicalValues.formatSeconds(time)
            : CanonicalValues.formatMicros(time));
  }

  private static JsonElement readQuantity(JsonElement value, FieldPath path)
      throws BadBodyException {
    if (!value.isJsonPrimitive() || value.getAsJsonPrimitive().isBoolean()) {
      throw makeMismatch(value, path, "resource.Quantity");
    }
    String canonical = CanonicalValues.canonicalizeQuantity(value.getAsString().trim());
    if (canonical == null) {
      throw new BadBodyException(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return new JsonPrimitive(canonical);
  }

  static BadBodyException makeMismatch(JsonElement value, FieldPath path, String type) {
    return new BadBodyException(
        "json: cannot unmarshal %s into Go struct field %s of type %s"
            .formatted(describeKind(value), path.toGoField(), type));
  }

  private static String describeKind(JsonElement value) {
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

  static String describeType(MessageField field) {
    return field.shape() == Schema.FieldShape.MESSAGE
        ? "v1." + field.typeName()
        : field.shape() == Schema.FieldShape.STRING ? "string" : field.shape().name().toLowerCase();
  }
}
