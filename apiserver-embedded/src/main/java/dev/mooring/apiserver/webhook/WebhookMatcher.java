package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.admission.WebhookStrategy;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.apiserver.webhook.WebhookRequest.WebhookTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class WebhookMatcher {
  private static final String ANY = "*";
  private static final String GROUP = "admissionregistration.k8s.io";

  private final Function<ResourceType, Store> stores;

  WebhookMatcher(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  static boolean hasRule(JsonObject webhook, String operation, WebhookTarget target) {
    return findVersion(webhook, operation, target).isPresent();
  }

  // Returns the version in which the webhook reviews the object; empty if no rule names it.
  static Optional<String> findVersion(JsonObject webhook, String operation, WebhookTarget target) {
    if (target.type().group().equals(GROUP)) {
      return Optional.empty(); // no webhook can prevent that webhooks are repaired
    }
    String version = target.type().version();
    if (hasRule(webhook, operation, target, version)) {
      return Optional.of(version);
    }
    // versions of custom resources differ by name only
    return textAt(webhook, "matchPolicy").equals("Exact")
        ? Optional.empty()
        : target.type().extras().custom().stream()
            .flatMap(schema -> schema.versionNames().stream())
            .filter(other -> hasRule(webhook, operation, target, other))
            .findFirst();
  }

  private static boolean hasRule(
      JsonObject webhook, String operation, WebhookTarget target, String version) {
    if (!(webhook.get("rules") instanceof JsonArray rules)) {
      return false;
    }
    for (JsonElement element : rules) {
      JsonObject rule = element.getAsJsonObject();
      if (names(rule, "operations", operation)
          && names(rule, "apiGroups", target.type().group())
          && names(rule, "apiVersions", version)
          && hasScope(textAt(rule, "scope"), target)
          && hasResource(stringsAt(rule, "resources"), target)) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(JsonObject rule, String list, String value) {
    List<String> values = stringsAt(rule, list);
    return values.contains(ANY) || values.contains(value);
  }

  private static boolean hasScope(String scope, WebhookTarget target) {
    boolean isClusterScoped = !target.type().namespaced();
    return switch (scope) {
      case "Namespaced" -> !isClusterScoped;
      case "Cluster" -> isClusterScoped;
      default -> true;
    };
  }

  private static boolean hasResource(List<String> patterns, WebhookTarget target) {
    String resource = target.type().plural();
    String subresource = target.subresource();
    for (String pattern : patterns) {
      int slash = pattern.indexOf('/');
      String resourcePattern = slash < 0 ? pattern : pattern.substring(0, slash);
      String subresourcePattern = slash < 0 ? "" : pattern.substring(slash + 1);
      if ((resourcePattern.equals(ANY) || resourcePattern.equals(resource))
          && (subresourcePattern.equals(ANY) || subresourcePattern.equals(subresource))) {
        return true;
      }
    }
    return false;
  }

  boolean isSelected(JsonObject webhook, WebhookRequest request) {
    JsonObject objectSelector = selector(webhook, "objectSelector");
    boolean isObjectSelected =
        isLabelled(objectSelector, request.object())
            || isLabelled(objectSelector, request.oldObject());
    return isObjectSelected && isNamespaceSelected(selector(webhook, "namespaceSelector"), request);
  }

  private static JsonObject selector(JsonObject webhook, String name) {
    return webhook.get(name) instanceof JsonObject selector ? selector : new JsonObject();
  }

  private static boolean isLabelled(JsonObject selector, @Nullable JsonObject object) {
    return object != null && LabelSelectors.isMatching(selector, labelsOf(object));
  }

  private static JsonObject labelsOf(JsonObject object) {
    return valueAt(object, "metadata", "labels") instanceof JsonObject labels
        ? labels
        : new JsonObject();
  }

  // The selector decides about a namespace itself by the labels that it has or gets.
  private boolean isNamespaceSelected(JsonObject selector, WebhookRequest request) {
    WebhookTarget target = request.target();
    if (target.type() == KindCatalogue.NAMESPACES) {
      JsonObject namespace = request.object() == null ? request.oldObject() : request.object();
      return isLabelled(selector, namespace);
    }
    if (!target.type().namespaced()) {
      return true;
    }
    StoredObject namespace = stores.apply(KindCatalogue.NAMESPACES).get(target.namespace());
    return namespace != null && isLabelled(selector, namespace.tree());
  }

  // throws a CelException if a condition cannot be evaluated and none is false
  static boolean hasConditions(JsonObject webhook, WebhookRequest request) {
    if (!(webhook.get("matchConditions") instanceof JsonArray conditions)) {
      return true;
    }
    Map<String, JsonElement> values =
        Map.of(
            "object", WebhookRequest.orNull(request.object()),
            "oldObject", WebhookRequest.orNull(request.oldObject()),
            "request", request.toJson("", request.target().type().version()));
    CelRule.CelException failure = null;
    for (JsonElement element : conditions) {
      String expression = textAt(element.getAsJsonObject(), "expression");
      try {
        if (!new CelRule(expression, WebhookStrategy.VARIABLES).isTrue(values)) {
          return false;
        }
      } catch (CelRule.CelException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return true;
  }
}
