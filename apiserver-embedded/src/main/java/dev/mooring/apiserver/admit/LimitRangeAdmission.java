package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

final class LimitRangeAdmission {
  private static final String DEFAULTS_ANNOTATION = "kubernetes.io/limit-ranger";
  private static final int RATIO_DIGITS = 6;

  private final Function<ResourceType, Store> stores;

  LimitRangeAdmission(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  private List<JsonObject> findLimits(String namespace, String type) {
    List<JsonObject> matchingLimits = new ArrayList<>();
    for (StoredObject range :
        stores.apply(KindCatalogue.LIMIT_RANGES).list(namespace + "/").objects()) {
      if (valueAt(range.tree(), "spec", "limits") instanceof JsonArray limits) {
        for (JsonElement limit : limits) {
          if (textAt(limit.getAsJsonObject(), "type").equals(type)) {
            matchingLimits.add(limit.getAsJsonObject());
          }
        }
      }
    }
    return matchingLimits;
  }

  void setDefaults(String namespace, JsonObject pod) {
    List<String> applied = new ArrayList<>();
    for (JsonObject limit : findLimits(namespace, "Container")) {
      for (JsonObject container : getContainers(pod, "containers")) {
        setDefaults(container, limit, "container", applied);
      }
      for (JsonObject container : getContainers(pod, "initContainers")) {
        setDefaults(container, limit, "init container", applied);
      }
    }
    if (!applied.isEmpty()) {
      getOrAddChild(pod, "metadata", "annotations")
          .addProperty(
              DEFAULTS_ANNOTATION, "LimitRanger plugin set: " + String.join("; ", applied));
    }
  }

  private static void setDefaults(
      JsonObject container, JsonObject limit, String containerKind, List<String> applied) {
    for (String kind : List.of("request", "limit")) {
      String defaultField = kind.equals("request") ? "defaultRequest" : "default";
      JsonObject amounts = getOrAddChild(container, "resources", kind + "s");
      List<String> names = new ArrayList<>();
      getOrAddChild(limit.deepCopy(), defaultField)
          .entrySet()
          .forEach(e -> {
            if (!amounts.has(e.getKey())) {
              amounts.add(e.getKey(), e.getValue());
              names.add(e.getKey());
            }
          });
      if (amounts.isEmpty()) {
        getOrAddChild(container, "resources").remove(kind + "s");
      }
      if (!names.isEmpty()) {
        names.sort(null);
        applied.add(
            String.join(", ", names)
                + " "
                + kind
                + " for "
                + containerKind
                + " "
                + textAt(container, "name"));
      }
    }
  }

  /** Refuses an object that violates limits; the error lists all violations. */
  void check(ResourceType type, String namespace, JsonObject object) throws StatusException {
    List<String> violations = new ArrayList<>();
    if (type == KindCatalogue.CLAIMS) {
      JsonObject requests = getOrAddChild(object.deepCopy(), "spec", "resources", "requests");
      for (JsonObject limit : findLimits(namespace, "PersistentVolumeClaim")) {
        LimitBounds bounds =
            new LimitBounds("PersistentVolumeClaim", requests, new JsonObject(), violations);
        forEachAmount(limit, "min", bounds::checkMinimum);
        forEachAmount(limit, "max", bounds::checkRequestMaximum);
      }
    } else if (type == KindCatalogue.PODS) {
      for (String list : List.of("containers", "initContainers")) {
        for (JsonObject container : getContainers(object, list)) {
          JsonObject copy = container.deepCopy();
          JsonObject requests = getOrAddChild(copy, "resources", "requests");
          JsonObject limits = getOrAddChild(copy, "resources", "limits");
          checkBounds(namespace, new LimitBounds("Container", requests, limits, violations));
        }
      }
      checkBounds(
          namespace,
          new LimitBounds(
              "Pod",
              PodResources.formatTotals(object, "requests"),
              PodResources.formatTotals(object, "limits"),
              violations));
    }
    if (!violations.isEmpty()) {
      String detail =
          violations.size() == 1
              ? violations.getFirst()
              : "[" + String.join(", ", violations) + "]";
      throw StatusException.forbidden(type, textAt(object, "metadata", "name"), detail, List.of());
    }
  }

  private void checkBounds(String namespace, LimitBounds bounds) {
    for (JsonObject limit : findLimits(namespace, bounds.type)) {
      forEachAmount(limit, "min", bounds::checkMinimum);
      forEachAmount(limit, "max", bounds::checkMaximum);
      forEachAmount(limit, "maxLimitRequestRatio", bounds::checkRatio);
    }
  }

  private static void forEachAmount(
      JsonObject limit, String field, java.util.function.BiConsumer<String, String> check) {
    Map<String, JsonElement> sorted = new TreeMap<>(getOrAddChild(limit.deepCopy(), field).asMap());
    sorted.forEach((name, amount) -> check.accept(name, amount.getAsString()));
  }

  static List<JsonObject> getContainers(JsonObject pod, String list) {
    List<JsonObject> containerList = new ArrayList<>();
    if (valueAt(pod, "spec", list) instanceof JsonArray containers) {
      containers.forEach(c -> containerList.add(c.getAsJsonObject()));
    }
    return containerList;
  }

  private record LimitBounds(
      String type, JsonObject requests, JsonObject limits, List<String> violations) {
    private static BigDecimal parseAmount(String value) {
      return Objects.requireNonNullElse(CanonicalValues.parseAmount(value), BigDecimal.ZERO);
    }

    private static int compare(JsonObject amounts, String name, String bound) {
      return parseAmount(textAt(amounts, name)).compareTo(parseAmount(bound));
    }

    private void addViolation(String boundName, String name, String enforced, String detail) {
      violations.add(boundName + " " + name + " usage per " + type + " is " + enforced + detail);
    }

    void checkMinimum(String name, String minimum) {
      if (!requests.has(name)) {
        addViolation("minimum", name, minimum, ". No request is specified");
      } else if (compare(requests, name, minimum) < 0) {
        addViolation("minimum", name, minimum, ", but request is " + textAt(requests, name));
      } else if (limits.has(name) && compare(limits, name, minimum) < 0) {
        addViolation("minimum", name, minimum, ", but limit is " + textAt(limits, name));
      }
    }

    void checkRequestMaximum(String name, String maximum) {
      if (!requests.has(name)) {
        addViolation("maximum", name, maximum, ". No request is specified");
      } else if (compare(requests, name, maximum) > 0) {
        addViolation("maximum", name, maximum, ", but request is " + textAt(requests, name));
      }
    }

    void checkMaximum(String name, String maximum) {
      if (!limits.has(name)) {
        addViolation("maximum", name, maximum, ". No limit is specified");
      } else if (compare(limits, name, maximum) > 0) {
        addViolation("maximum", name, maximum, ", but limit is " + textAt(limits, name));
      } else if (requests.has(name) && compare(requests, name, maximum) > 0) {
        addViolation("maximum", name, maximum, ", but request is " + textAt(requests, name));
      }
    }

    void checkRatio(String name, String maxRatio) {
      String prefix =
          name + " max limit to request ratio per " + type + " is " + maxRatio + ", but ";
      if (!requests.has(name) || parseAmount(textAt(requests, name)).signum() == 0) {
        violations.add(prefix + "no request is specified or request is 0");
      } else if (!limits.has(name) || parseAmount(textAt(limits, name)).signum() == 0) {
        violations.add(prefix + "no limit is specified or limit is 0");
      } else {
        BigDecimal ratio =
            parseAmount(textAt(limits, name))
                .divide(parseAmount(textAt(requests, name)), RATIO_DIGITS, RoundingMode.HALF_UP);
        if (ratio.compareTo(parseAmount(maxRatio)) > 0) {
          violations.add(prefix + "provided ratio is " + ratio.toPlainString());
        }
      }
    }
  }
}
