package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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

  static JsonObject formatTotals(JsonObject pod, String kind) {
    JsonObject totals = new JsonObject();
    computeTotals(pod, kind)
        .forEach((name, amount) -> totals.addProperty(name, formatAmount(name, amount)));
    return totals;
  }

  static Map<String, BigDecimal> computeTotals(JsonObject pod, String kind) {
    Map<String, BigDecimal> totals = new TreeMap<>();
    for (JsonObject container : LimitRangeAdmission.getContainers(pod, "containers")) {
      addAmounts(totals, getAmounts(container, kind));
    }
    Map<String, BigDecimal> sidecarTotals = new TreeMap<>();
    Map<String, BigDecimal> initTotals = new TreeMap<>();
    for (JsonObject container : LimitRangeAdmission.getContainers(pod, "initContainers")) {
      Map<String, BigDecimal> containerAmounts = getAmounts(container, kind);
      boolean isSidecar = textAt(container, "restartPolicy").equals("Always");
      if (isSidecar) {
        addAmounts(totals, containerAmounts);
      }
      Map<String, BigDecimal> stepTotals = new TreeMap<>(sidecarTotals);
      addAmounts(stepTotals, containerAmounts);
      if (isSidecar) {
        sidecarTotals = stepTotals;
      }
      stepTotals.forEach((name, amount) -> initTotals.merge(name, amount, BigDecimal::max));
    }
    initTotals.forEach((name, amount) -> totals.merge(name, amount, BigDecimal::max));
    if (valueAt(pod, "spec", "resources", kind) instanceof JsonObject podAmounts) {
      totals.putAll(parseAmounts(podAmounts));
    }
    if (kind.equals("requests")
        && valueAt(pod, "spec", "overhead") instanceof JsonObject overhead) {
      addAmounts(totals, parseAmounts(overhead));
    }
    return totals;
  }

  private static Map<String, BigDecimal> getAmounts(JsonObject container, String kind) {
    return parseAmounts(getOrAddChild(container.deepCopy(), "resources", kind));
  }

  private static Map<String, BigDecimal> parseAmounts(JsonObject amounts) {
    Map<String, BigDecimal> parsed = new TreeMap<>();
    for (Map.Entry<String, JsonElement> entry : amounts.entrySet()) {
      parsed.put(
          entry.getKey(),
          Objects.requireNonNullElse(
              CanonicalValues.parseAmount(entry.getValue().getAsString()), BigDecimal.ZERO));
    }
    return parsed;
  }

  private static void addAmounts(Map<String, BigDecimal> sums, Map<String, BigDecimal> amounts) {
    amounts.forEach((name, amount) -> sums.merge(name, amount, BigDecimal::add));
  }

  static String formatAmount(String name, BigDecimal amount) {
    String plain = amount.stripTrailingZeros().toPlainString();
    boolean isByteAmount = name.endsWith("memory") || name.endsWith("storage");
    BigDecimal[] quotient = amount.divideAndRemainder(BigDecimal.valueOf(1024));
    String quantity =
        isByteAmount && amount.signum() > 0 && quotient[1].signum() == 0
            ? quotient[0].toBigInteger() + "Ki"
            : plain;
    return Objects.requireNonNullElse(CanonicalValues.canonicalizeQuantity(quantity), plain);
  }
}
