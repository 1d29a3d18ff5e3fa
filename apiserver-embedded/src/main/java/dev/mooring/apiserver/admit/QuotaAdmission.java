package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The admission plugin ResourceQuota. Creation and growth raise the usage in a quota's status.
 * Nothing here lowers it; that is a controller's task.
 */
final class QuotaAdmission {
  private static final String CLASS_INFIX = ".storageclass.storage.k8s.io/";

  private static final Set<String> REQUIRED_AMOUNTS =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private final Function<ResourceType, Store> stores;

  QuotaAdmission(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  /** Charges the difference between both states; throws 403 if it exceeds a quota. */
  void charge(ResourceType type, JsonObject object, @Nullable JsonObject old, boolean dryRun)
      throws StatusException {
    Store store = stores.apply(KindCatalogue.QUOTAS);
    String namespace = textAt(object, "metadata", "namespace");
    for (StoredObject quota : store.list(namespace + "/").objects()) {
      if (type == KindCatalogue.PODS && old == null) {
        requireAmounts(object, quota.tree());
      }
      Map<String, BigDecimal> increase = computeIncrease(type, object, old, quota.tree());
      if (increase.isEmpty()) {
        continue;
      }
      store.write(
          quota.key(),
          current -> {
            if (current == null) {
              return null;
            }
            JsonObject tree = current.copy();
            refuseExcess(type, object, tree, increase);
            if (dryRun) {
              return current.tree();
            }
            JsonObject used = getOrAddChild(tree, "status", "used");
            increase.forEach((k, v) ->
                used.addProperty(k, PodResources.formatAmount(k, parseAmount(used, k).add(v))));
            return tree;
          });
    }
  }

  private static void requireAmounts(JsonObject pod, JsonObject quota) throws StatusException {
    if (!QuotaScopes.isMatching(KindCatalogue.PODS, pod, quota)
        || !(valueAt(quota, "status", "hard") instanceof JsonObject hard)) {
      return;
    }
    List<String> missingAmounts = new ArrayList<>();
    for (String name : new TreeSet<>(hard.keySet())) {
      if (!REQUIRED_AMOUNTS.contains(name)) {
        continue;
      }
      String kind = name.startsWith("limits.") ? "limits" : "requests";
      String resource = name.substring(name.indexOf('.') + 1);
      TreeSet<String> incompleteContainers = new TreeSet<>();
      for (String list : List.of("containers", "initContainers")) {
        for (JsonObject container : LimitRangeAdmission.getContainers(pod, list)) {
          if (valueAt(container, "resources", kind, resource) == null) {
            incompleteContainers.add(textAt(container, "name"));
          }
        }
      }
      if (!incompleteContainers.isEmpty()) {
        missingAmounts.add(name + " for: " + String.join(",", incompleteContainers));
      }
    }
    if (!missingAmounts.isEmpty()) {
      throw StatusException.forbidden(
          KindCatalogue.PODS,
          textAt(pod, "metadata", "name"),
          "failed quota: %s: must specify %s"
              .formatted(textAt(quota, "metadata", "name"), String.join("; ", missingAmounts)),
          List.of());
    }
  }

  private static Map<String, BigDecimal> computeIncrease(
      ResourceType type, JsonObject object, @Nullable JsonObject old, JsonObject quota) {
    Map<String, BigDecimal> increase = new TreeMap<>();
    if (!QuotaScopes.isMatching(type, object, quota)) {
      return increase;
    }
    if (!(valueAt(quota, "status", "hard") instanceof JsonObject hard)) {
      return increase;
    }
    Map<String, BigDecimal> newUsage = computeUsage(type, object);
    Map<String, BigDecimal> oldUsage = old == null ? Map.of() : computeUsage(type, old);
    newUsage.forEach((k, v) -> {
      BigDecimal difference = v.subtract(oldUsage.getOrDefault(k, BigDecimal.ZERO));
      if (hard.has(k) && difference.signum() > 0) {
        increase.put(k, difference);
      }
    });
    return increase;
  }

  private static Map<String, BigDecimal> computeUsage(ResourceType type, JsonObject object) {
    Map<String, BigDecimal> usage = new TreeMap<>();
    usage.put("count/" + type.qualifiedName(), BigDecimal.ONE);
    if (List.of(
            "pods", "persistentvolumeclaims", "configmaps", "secrets", "services", "resourcequotas")
        .contains(type.qualifiedName())) {
      usage.put(type.plural(), BigDecimal.ONE);
    }
    if (type == KindCatalogue.CLAIMS) {
      BigDecimal size =
          parseAmount(getOrAddChild(object, "spec", "resources", "requests"), "storage");
      usage.put("requests.storage", size);
      String className = textAt(object, "spec", "storageClassName");
      if (!className.isEmpty()) {
        usage.put(className + CLASS_INFIX + "requests.storage", size);
        usage.put(className + CLASS_INFIX + "persistentvolumeclaims", BigDecimal.ONE);
      }
    }
    if (type == KindCatalogue.PODS) {
      PodResources.computeTotals(object, "requests")
          .forEach((name, amount) -> {
            if (!name.contains("/")) {
              usage.put(name, amount);
            }
            usage.put("requests." + name, amount);
          });
      PodResources.computeTotals(object, "limits").forEach((k, v) -> usage.put("limits." + k, v));
    }
    return usage;
  }

  private static BigDecimal parseAmount(JsonObject amounts, String key) {
    JsonElement value = valueAt(amounts, key);
    return value == null
        ? BigDecimal.ZERO
        : Objects.requireNonNullElse(
            CanonicalValues.parseAmount(value.getAsString()), BigDecimal.ZERO);
  }

  private static void refuseExcess(
      ResourceType type, JsonObject object, JsonObject quota, Map<String, BigDecimal> increase)
      throws StatusException {
    JsonObject hard = getOrAddChild(quota, "status", "hard");
    JsonObject used = getOrAddChild(quota, "status", "used");
    List<String> exceededKeys = new ArrayList<>();
    increase.forEach((k, v) -> {
      if (parseAmount(used, k).add(v).compareTo(parseAmount(hard, k)) > 0) {
        exceededKeys.add(k);
      }
    });
    if (exceededKeys.isEmpty()) {
      return;
    }
    List<String> requestedTexts = new ArrayList<>();
    List<String> usedTexts = new ArrayList<>();
    List<String> limitTexts = new ArrayList<>();
    for (String key : exceededKeys) {
      requestedTexts.add(
          key + "=" + PodResources.formatAmount(key, increase.getOrDefault(key, BigDecimal.ZERO)));
      usedTexts.add(key + "=" + (textAt(used, key).isEmpty() ? "0" : textAt(used, key)));
      limitTexts.add(key + "=" + textAt(hard, key));
    }
    throw StatusException.forbidden(
        type,
        textAt(object, "metadata", "name"),
        "exceeded quota: %s, requested: %s, used: %s, limited: %s"
            .formatted(
                textAt(quota, "metadata", "name"),
                String.join(",", requestedTexts),
                String.join(",", usedTexts),
                String.join(",", limitTexts)),
        List.of());
  }
}
