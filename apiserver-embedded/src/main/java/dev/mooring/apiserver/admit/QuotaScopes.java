package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

final class QuotaScopes {
  private QuotaScopes() {}

  static boolean match(ResourceType type, JsonObject object, JsonObject quota) {
    for (String scope : strings(quota, "spec", "scopes")) {
      if (!matches(type, object, scope, "Exists", List.of())) {
        return false;
      }
    }
    if (at(quota, "spec", "scopeSelector", "matchExpressions") instanceof JsonArray all) {
      for (JsonElement one : all) {
        JsonObject expression = one.getAsJsonObject();
        boolean matches =
            matches(
                type,
                object,
                text(expression, "scopeName"),
                text(expression, "operator"),
                strings(expression, "values"));
        if (!matches) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean matches(
      ResourceType type, JsonObject object, String scope, String operator, List<String> values) {
    if (scope.equals("VolumeAttributesClass")) {
      return type == KindCatalogue.CLAIMS
          && named(text(object, "spec", "volumeAttributesClassName"), operator, values);
    }
    if (type != KindCatalogue.PODS) {
      return false;
    }
    return switch (scope) {
      case "Terminating" -> at(object, "spec", "activeDeadlineSeconds") != null;
      case "NotTerminating" -> at(object, "spec", "activeDeadlineSeconds") == null;
      case "BestEffort" -> isBestEffort(object);
      case "NotBestEffort" -> !isBestEffort(object);
      case "PriorityClass" -> named(text(object, "spec", "priorityClassName"), operator, values);
      default -> false;
    };
  }

  private static boolean named(String name, String operator, List<String> values) {
    return switch (operator) {
      case "In" -> values.contains(name) && !name.isEmpty();
      case "NotIn" -> !values.contains(name);
      case "DoesNotExist" -> name.isEmpty();
      default -> !name.isEmpty();
    };
  }

  private static boolean isBestEffort(JsonObject pod) {
    for (String kind : List.of("requests", "limits")) {
      Map<String, BigDecimal> sums = PodResources.sums(pod, kind);
      for (String name : List.of("cpu", "memory")) {
        if (sums.getOrDefault(name, BigDecimal.ZERO).signum() > 0) {
          return false;
        }
      }
    }
    return true;
  }
}
