package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
  private static final String PER_CLASS = ".storageclass.storage.k8s.io/";

  private static final Set<String> REQUIRED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private final Function<ResourceType, Store> stores;

  QuotaAdmission(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  /** Charges the difference between both states; throws 403 if it exceeds a quota. */
  void charge(ResourceType type, JsonObject object, @Nullable JsonObject old, boolean dryRun)
      throws StatusException {
    Store store = stores.apply(KindCatalogue.QUOTAS);
    String namespace = text(object, "metadata", "namespace");
    for (StoredObject quota : store.list(namespace + "/").objects()) {
      if (type == KindCatalogue.PODS && old == null) {
        requireAmounts(object, quota.tree());
      }
      Map<String, BigDecimal> delta = delta(type, object, old, quota.tree());
      if (delta.isEmpty()) {
        continue;
      }
      store.write(
          quota.key(),
          current -> {
            if (current == null) {
              return null;
            }
            JsonObject tree = current.copy();
            refuseExcess(type, object, tree, delta);
            if (dryRun) {
              return current.tree();
            }
            JsonObject used = child(tree, "status", "used");
            delta.forEach(
                (k, v) -> used.addProperty(k, PodResources.format(k, amount(used, k).add(v))));
            return tree;
          });
    }
  }

  private static void requireAmounts(JsonObject pod, JsonObject quota) throws StatusException {
    if (!QuotaScopes.match(KindCatalogue.PODS, pod, quota)
        || !(at(quota, "status", "hard") instanceof JsonObject hard)) {
      return;
    }
    List<String> missing = new ArrayList<>();
    for (String name : new TreeSet<>(hard.keySet())) {
      if (!REQUIRED.contains(name)) {
        continue;
      }
      String kind = name.startsWith("limits.") ? "limits" : "requests";
      String plain = name.substring(name.indexOf('.') + 1);
      TreeSet<String> silent = new TreeSet<>();
      for (String list : List.of("containers", "initContainers")) {
        for (JsonObject container : LimitRangeAdmission.containers(pod, list)) {
          if (at(container, "resources", kind, plain) == null) {
            silent.add(text(container, "name"));
          }
        }
      }
      if (!silent.isEmpty()) {
        missing.add(name + " for: " + String.join(",", silent));
      }
    }
    if (!missing.isEmpty()) {
      throw StatusException.forbidden(
          KindCatalogue.PODS,
          text(pod, "metadata", "name"),
          "failed quota: %s: must specify %s"
              .formatted(text(quota, "metadata", "name"), String.join("; ", missing)),
          List.of());
    }
  }

  private static Map<String, BigDecimal> delta(
      ResourceType type, JsonObject object, @Nullable JsonObject old, JsonObject quota) {
    Map<String, BigDecimal> delta = new TreeMap<>();
    if (!QuotaScopes.match(type, object, quota)) {
      return delta;
    }
    if (!(at(quota, "status", "hard") instanceof JsonObject hard)) {
      return delta;
    }
    Map<String, BigDecimal> now = usage(type, object);
    Map<String, BigDecimal> before = old == null ? Map.of() : usage(type, old);
    now.forEach((k, v) -> {
      BigDecimal more = v.subtract(before.getOrDefault(k, BigDecimal.ZERO));
      if (hard.has(k) && more.signum() > 0) {
        delta.put(k, more);
      }
    });
    return delta;
  }

  private static Map<String, BigDecimal> usage(ResourceType type, JsonObject object) {
    Map<String, BigDecimal> usage = new TreeMap<>();
    usage.put("count/" + type.qualifiedName(), BigDecimal.ONE);
    if (List.of(
            "pods", "persistentvolumeclaims", "configmaps", "secrets", "services", "resourcequotas")
        .contains(type.qualifiedName())) {
      usage.put(type.plural(), BigDecimal.ONE);
    }
    if (type == KindCatalogue.CLAIMS) {
      BigDecimal size = amount(child(object, "spec", "resources", "requests"), "storage");
      usage.put("requests.storage", size);
      String own = text(object, "spec", "storageClassName");
      if (!own.isEmpty()) {
        usage.put(own + PER_CLASS + "requests.storage", size);
        usage.put(own + PER_CLASS + "persistentvolumeclaims", BigDecimal.ONE);
      }
    }
    if (type == KindCatalogue.PODS) {
      PodResources.sums(object, "requests")
          .forEach((name, amount) -> {
            if (!name.contains("/")) {
              usage.put(name, amount);
            }
            usage.put("requests." + name, amount);
          });
      PodResources.sums(object, "limits").forEach((k, v) -> usage.put("limits." + k, v));
    }
    return usage;
  }

  private static BigDecimal amount(JsonObject amounts, String key) {
    JsonElement value = at(amounts, key);
    return value == null
        ? BigDecimal.ZERO
        : Objects.requireNonNullElse(
            CanonicalValues.parseAmount(value.getAsString()), BigDecimal.ZERO);
  }

  private static void refuseExcess(
      ResourceType type, JsonObject object, JsonObject quota, Map<String, BigDecimal> delta)
      throws StatusException {
    JsonObject hard = child(quota, "status", "hard");
    JsonObject used = child(quota, "status", "used");
    List<String> over = new ArrayList<>();
    delta.forEach((k, v) -> {
      if (amount(used, k).add(v).compareTo(amount(hard, k)) > 0) {
        over.add(k);
      }
    });
    if (over.isEmpty()) {
      return;
    }
    List<String> requested = new ArrayList<>();
    List<String> had = new ArrayList<>();
    List<String> limited = new ArrayList<>();
    for (String key : over) {
      requested.add(key + "=" + PodResources.format(key, delta.getOrDefault(key, BigDecimal.ZERO)));
      had.add(key + "=" + (text(used, key).isEmpty() ? "0" : text(used, key)));
      limited.add(key + "=" + text(hard, key));
    }
    throw StatusException.forbidden(
        type,
        text(object, "metadata", "name"),
        "exceeded quota: %s, requested: %s, used: %s, limited: %s"
            .formatted(
                text(quota, "metadata", "name"),
                String.join(",", requested),
                String.join(",", had),
                String.join(",", limited)),
        List.of());
  }
}
