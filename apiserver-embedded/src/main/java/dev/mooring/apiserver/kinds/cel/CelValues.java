package dev.mooring.apiserver.kinds.cel;

import com.google.gson.JsonElement;
import dev.mooring.apiserver.kinds.cel.CelRule.CelException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Conversions and operators of CEL values. CEL's null is Java's null. */
final class CelValues {
  private CelValues() {}

  static @Nullable Object toCelValue(@Nullable JsonElement json) {
    if (json == null || json.isJsonNull()) {
      return null;
    }
    if (json.isJsonArray()) {
      List<@Nullable Object> list = new ArrayList<>();
      json.getAsJsonArray().forEach(e -> list.add(toCelValue(e)));
      return list;
    }
    if (json.isJsonObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      json.getAsJsonObject().entrySet().forEach(e -> map.put(e.getKey(), toCelValue(e.getValue())));
      return map;
    }
    if (json.getAsJsonPrimitive().isBoolean()) {
      return json.getAsBoolean();
    }
    if (json.getAsJsonPrimitive().isString()) {
      return json.getAsString();
    }
    double number = json.getAsDouble();
    return number == Math.rint(number) ? (Object) json.getAsLong() : (Object) number;
  }

  static boolean evaluateRelation(String operator, @Nullable Object left, @Nullable Object right) {
    return switch (operator) {
      case "==" -> isEqual(left, right);
      case "!=" -> !isEqual(left, right);
      case "in" ->
          right instanceof Map<?, ?> map
              ? map.containsKey(left)
              : right instanceof List<?> list && list.contains(left);
      default -> {
        int order = compareValues(left, right);
        yield switch (operator) {
          case "<=" -> order <= 0;
          case ">=" -> order >= 0;
          case "<" -> order < 0;
          default -> order > 0;
        };
      }
    };
  }

  static int compareValues(@Nullable Object left, @Nullable Object right) {
    return switch (left) {
      case String x when right instanceof String y -> x.compareTo(y);
      case Duration x when right instanceof Duration y -> x.compareTo(y);
      case Instant x when right instanceof Instant y -> x.compareTo(y);
      case null, default -> Double.compare(toNumber(left), toNumber(right));
    };
  }

  static boolean isEqual(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number x && right instanceof Number y) {
      return x.doubleValue() == y.doubleValue();
    }
    return Objects.equals(left, right);
  }

  static double toNumber(@Nullable Object value) {
    if (value instanceof Number n) {
      return n.doubleValue();
    }
    throw new CelException("no such overload");
  }

  static Object calculate(
      @Nullable Object left,
      @Nullable Object right,
      BinaryOperator<Long> integerOperation,
      BinaryOperator<Double> doubleOperation) {
    try {
      return left instanceof Long x && right instanceof Long y
          ? (Object) integerOperation.apply(x, y)
          : (Object) doubleOperation.apply(toNumber(left), toNumber(right));
    } catch (ArithmeticException e) {
      throw new CelException(
          Objects.equals(right, 0L) ? "division by zero" : "return error for overflow");
    }
  }

  /** Returns the field; empty if the base is no map or lacks the field. */
  static Optional<Object> findField(@Nullable Object base, String name) {
    Object map = base instanceof Optional<?> o ? o.orElse(null) : base;
    return map instanceof Map<?, ?> m ? Optional.ofNullable(m.get(name)) : Optional.empty();
  }

  static @Nullable Object getField(@Nullable Object base, String name) {
    if (base instanceof Optional<?>) {
      return findField(base, name);
    }
    if (base instanceof Map<?, ?> map && map.containsKey(name)) {
      return map.get(name);
    }
    throw new CelException("no such key: " + name);
  }

  static @Nullable Object getElement(@Nullable Object base, @Nullable Object index) {
    if (base instanceof List<?> list && index instanceof Long i && i >= 0 && i < list.size()) {
      return list.get(i.intValue());
    }
    return getField(base, String.valueOf(index));
  }
}
