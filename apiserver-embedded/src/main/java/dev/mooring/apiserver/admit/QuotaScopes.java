package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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

  static boolean isMatching(ResourceType type, JsonObject object, JsonObject quota) {
    for (String scope : stringsAt(quota, "spec", "scopes")) {
      if (!isScopeMatching(type, object, scope, "Exists", List.of())) {
        return false;
      }
    }
    if (valueAt(quota, "spec", "scopeSelector", "matchExpressions")
        instanceof JsonArray expressions) {
      for (JsonElement element : expressions) {
        JsonObject expression = element.getAsJsonObject();
        boolean isMatch =
            isScopeMatching(
                type,
                object,
                textAt(expression, "scopeName"),
                textAt(expression, "operator"),
                stringsAt(expression, "values"));
        if (!isMatch) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isScopeMatching(
      ResourceType type, JsonObject object, String scope, String operator, List<String> values) {
    if (scope.equals("VolumeAttributesClass")) {
      return type == KindCatalogue.CLAIMS
          && isNameMatching(textAt(object, "spec", "volumeAttributesClassName"), operator, values);
    }
    if (type != KindCatalogue.PODS) {
      return false;
    }
    return switch (scope) {
      case "Terminating" -> valueAt(object, "spec", "activeDeadlineSeconds") != null;
      case "NotTerminating" -> valueAt(object, "spec", "activeDeadlineSeconds") == null;
      case "BestEffort" -> isBestEffort(object);
      case "NotBestEffort" -> !isBestEffort(object);
      case "PriorityClass" ->
          isNameMatching(textAt(object, "spec", "priorityClassName"), operator, values);
      default -> false;
    };
  }

  private static boolean isNameMatching(String name, String operator, List<String> values) {
    return switch (operator) {
      case "In" -> values.contains(name) && !name.isEmpty();
      case "NotIn" -> !values.contains(name);
      case "DoesNotExist" -> name.isEmpty();
      default -> !name.isEmpty();
    };
  }

  private static boolean isBestEffort(JsonObject pod) {
    for (String kind : List.of("requests", "limits")) {
      Map<String, BigDecimal> sums = PodResources.computeTotals(pod, kind);
      for (String name : List.of("cpu", "memory")) {
        if (sums.getOrDefault(name, BigDecimal.ZERO).signum() > 0) {
          return false;
        }
      }
    }
    return true;
  }
}
