package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The resource total of a pod: the sum of its containers or, if larger, the largest need of its
 * init containers.
 */
final class PodResources {
  private PodResources() {}

  static JsonObject of(JsonObject pod, String kind) {
    JsonObject written = new JsonObject();
    sums(pod, kind).forEach((name, amount) -> written.addProperty(name, format(name, amount)));
    return written;
  }

  static Map<String, BigDecimal> sums(JsonObject pod, String kind) {
    Map<String, BigDecimal> sums = new TreeMap<>();
    for (JsonObject container : LimitRangeAdmission.containers(pod, "containers")) {
      add(sums, amounts(container, kind));
    }
    Map<String, BigDecimal> beside = new TreeMap<>();
    Map<String, BigDecimal> start = new TreeMap<>();
    for (JsonObject container : LimitRangeAdmission.containers(pod, "initContainers")) {
      Map<String, BigDecimal> own = amounts(container, kind);
      boolean stays = text(container, "restartPolicy").equals("Always");
      if (stays) {
        add(sums, own);
      }
      Map<String, BigDecimal> then = new TreeMap<>(beside);
      add(then, own);
      if (stays) {
        beside = then;
      }
      then.forEach((name, amount) -> start.merge(name, amount, BigDecimal::max));
    }
    start.forEach((name, amount) -> sums.merge(name, amount, BigDecimal::max));
    if (at(pod, "spec", "resources", kind) instanceof JsonObject own) {
      sums.putAll(read(own));
    }
    if (kind.equals("requests") && at(pod, "spec", "overhead") instanceof JsonObject overhead) {
      add(sums, read(overhead));
    }
    return sums;
  }

  private static Map<String, BigDecimal> amounts(JsonObject container, String kind) {
    return read(child(container.deepCopy(), "resources", kind));
  }

  private static Map<String, BigDecimal> read(JsonObject amounts) {
    Map<String, BigDecimal> all = new TreeMap<>();
    for (Map.Entry<String, JsonElement> one : amounts.entrySet()) {
      all.put(
          one.getKey(),
          Objects.requireNonNullElse(
              CanonicalValues.parseAmount(one.getValue().getAsString()), BigDecimal.ZERO));
    }
    return all;
  }

  private static void add(Map<String, BigDecimal> sums, Map<String, BigDecimal> more) {
    more.forEach((name, amount) -> sums.merge(name, amount, BigDecimal::add));
  }

  static String format(String name, BigDecimal amount) {
    String plain = amount.stripTrailingZeros().toPlainString();
    boolean bytes = name.endsWith("memory") || name.endsWith("storage");
    BigDecimal[] parts = amount.divideAndRemainder(BigDecimal.valueOf(1024));
    String written =
        bytes && amount.signum() > 0 && parts[1].signum() == 0
            ? parts[0].toBigInteger() + "Ki"
            : plain;
    return Objects.requireNonNullElse(CanonicalValues.canonicalizeQuantity(written), plain);
  }
}
