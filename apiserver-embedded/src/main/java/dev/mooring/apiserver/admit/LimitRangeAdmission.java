package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";
  private static final int RATIO_DIGITS = 6;

  private final Function<ResourceType, Store> stores;

  LimitRangeAdmission(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  private List<JsonObject> limits(String namespace, String type) {
    List<JsonObject> all = new ArrayList<>();
    for (StoredObject range :
        stores.apply(KindCatalogue.LIMIT_RANGES).list(namespace + "/").objects()) {
      if (at(range.tree(), "spec", "limits") instanceof JsonArray limits) {
        for (JsonElement limit : limits) {
          if (text(limit.getAsJsonObject(), "type").equals(type)) {
            all.add(limit.getAsJsonObject());
          }
        }
      }
    }
    return all;
  }

  void setDefaults(String namespace, JsonObject pod) {
    List<String> applied = new ArrayList<>();
    for (JsonObject limit : limits(namespace, "Container")) {
      for (JsonObject container : containers(pod, "containers")) {
        setDefaults(container, limit, "container", applied);
      }
      for (JsonObject container : containers(pod, "initContainers")) {
        setDefaults(container, limit, "init container", applied);
      }
    }
    if (!applied.isEmpty()) {
      child(pod, "metadata", "annotations")
          .addProperty(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", applied));
    }
  }

  private static void setDefaults(
      JsonObject container, JsonObject limit, String word, List<String> applied) {
    for (String kind : List.of("request", "limit")) {
      String from = kind.equals("request") ? "defaultRequest" : "default";
      JsonObject amounts = child(container, "resources", kind + "s");
      List<String> names = new ArrayList<>();
      child(limit.deepCopy(), from)
          .entrySet()
          .forEach(e -> {
            if (!amounts.has(e.getKey())) {
              amounts.add(e.getKey(), e.getValue());
              names.add(e.getKey());
            }
          });
      if (amounts.isEmpty()) {
        child(container, "resources").remove(kind + "s");
      }
      if (!names.isEmpty()) {
        names.sort(null);
        applied.add(
            String.join(", ", names) + " " + kind + " for " + word + " " + text(container, "name"));
      }
    }
  }

  /** Refuses an object that violates limits; the error lists all violations. */
  void check(ResourceType type, String namespace, JsonObject object) throws StatusException {
    List<String> wrong = new ArrayList<>();
    if (type == KindCatalogue.CLAIMS) {
      JsonObject requests = child(object.deepCopy(), "spec", "resources", "requests");
      for (JsonObject limit : limits(namespace, "PersistentVolumeClaim")) {
        LimitBounds bounds =
            new LimitBounds("PersistentVolumeClaim", requests, new JsonObject(), wrong);
        each(limit, "min", bounds::least);
        each(limit, "max", bounds::mostRequested);
      }
    } else if (type == KindCatalogue.PODS) {
      for (String list : List.of("containers", "initContainers")) {
        for (JsonObject container : containers(object, list)) {
          JsonObject copy = container.deepCopy();
          JsonObject requests = child(copy, "resources", "requests");
          JsonObject limits = child(copy, "resources", "limits");
          all(namespace, new LimitBounds("Container", requests, limits, wrong));
        }
      }
      all(
          namespace,
          new LimitBounds(
              "Pod",
              PodResources.of(object, "requests"),
              PodResources.of(object, "limits"),
              wrong));
    }
    if (!wrong.isEmpty()) {
      String why = wrong.size() == 1 ? wrong.getFirst() : "[" + String.join(", ", wrong) + "]";
      throw StatusException.forbidden(type, text(object, "metadata", "name"), why, List.of());
    }
  }

  private void all(String namespace, LimitBounds bounds) {
    for (JsonObject limit : limits(namespace, bounds.type)) {
      each(limit, "min", bounds::least);
      each(limit, "max", bounds::most);
      each(limit, "maxLimitRequestRatio", bounds::ratio);
    }
  }

  private static void each(
      JsonObject limit, String map, java.util.function.BiConsumer<String, String> bound) {
    Map<String, JsonElement> sorted = new TreeMap<>(child(limit.deepCopy(), map).asMap());
    sorted.forEach((name, amount) -> bound.accept(name, amount.getAsString()));
  }

  static List<JsonObject> containers(JsonObject pod, String list) {
    List<JsonObject> all = new ArrayList<>();
    if (at(pod, "spec", list) instanceof JsonArray containers) {
      containers.forEach(c -> all.add(c.getAsJsonObject()));
    }
    return all;
  }

  private record LimitBounds(
      String type, JsonObject requests, JsonObject limits, List<String> wrong) {
    private static BigDecimal amount(String written) {
      return Objects.requireNonNullElse(CanonicalValues.parseAmount(written), BigDecimal.ZERO);
    }

    private static int compare(JsonObject amounts, String name, String bound) {
      return amount(text(amounts, name)).compareTo(amount(bound));
    }

    private void report(String bound, String name, String enforced, String detail) {
      wrong.add(bound + " " + name + " usage per " + type + " is " + enforced + detail);
    }

    void least(String name, String least) {
      if (!requests.has(name)) {
        report("minimum", name, least, ". No request is specified");
      } else if (compare(requests, name, least) < 0) {
        report("minimum", name, least, ", but request is " + text(requests, name));
      } else if (limits.has(name) && compare(limits, name, least) < 0) {
        report("minimum", name, least, ", but limit is " + text(limits, name));
      }
    }

    void mostRequested(String name, String most) {
      if (!requests.has(name)) {
        report("maximum", name, most, ". No request is specified");
      } else if (compare(requests, name, most) > 0) {
        report("maximum", name, most, ", but request is " + text(requests, name));
      }
    }

    void most(String name, String most) {
      if (!limits.has(name)) {
        report("maximum", name, most, ". No limit is specified");
      } else if (compare(limits, name, most) > 0) {
        report("maximum", name, most, ", but limit is " + text(limits, name));
      } else if (requests.has(name) && compare(requests, name, most) > 0) {
        report("maximum", name, most, ", but request is " + text(requests, name));
      }
    }

    void ratio(String name, String most) {
      String start = name + " max limit to request ratio per " + type + " is " + most + ", but ";
      if (!requests.has(name) || amount(text(requests, name)).signum() == 0) {
        wrong.add(start + "no request is specified or request is 0");
      } else if (!limits.has(name) || amount(text(limits, name)).signum() == 0) {
        wrong.add(start + "no limit is specified or limit is 0");
      } else {
        BigDecimal ratio =
            amount(text(limits, name))
                .divide(amount(text(requests, name)), RATIO_DIGITS, RoundingMode.HALF_UP);
        if (ratio.compareTo(amount(most)) > 0) {
          wrong.add(start + "provided ratio is " + ratio.toPlainString());
        }
      }
    }
  }
}
