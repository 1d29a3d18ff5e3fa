package dev.mooring.apiserver.kinds.policy;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class QuotaStrategy implements KindStrategy {
  @Override
  public MetadataChecks getMetadataChecks() {
    return MetadataChecks.CHANGE_ONLY;
  }

  @Override
  public void prepareCreate(JsonObject object) {
    object.add("status", new JsonObject());
  }

  @Override
  public void setDefaults(JsonObject object) {
    getOrAddChild(object, "spec");
    getOrAddChild(object, "status");
  }

  private static final Set<String> POD_RESOURCES =
      Set.of("pods cpu memory limits.cpu limits.memory requests.cpu requests.memory".split(" "));
  private static final Set<String> CLAIM_RESOURCES =
      Set.of("persistentvolumeclaims", "requests.storage");

  private static final Map<String, Set<String>> SCOPE_RESOURCES =
      Map.of(
          "Terminating", POD_RESOURCES,
          "NotTerminating", POD_RESOURCES,
          "NotBestEffort", POD_RESOURCES,
          "PriorityClass", POD_RESOURCES,
          "CrossNamespacePodAffinity", POD_RESOURCES,
          "BestEffort", Set.of("pods"),
          "VolumeAttributesClass", CLAIM_RESOURCES);

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    validateAmounts(object, "spec", "hard", errors);
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    List<String> scopes = spec.strings("scopes");
    for (String scope : scopes) {
      if (!SCOPE_RESOURCES.containsKey(scope)) {
        spec.addInvalid("scopes", "unsupported scope");
      }
      validateScopedResources(spec, scope, "scopes");
    }
    rejectConflictingScopes(spec, scopes);
    spec.ifPresent("scopeSelector", selector -> validateSelector(spec, selector));
  }

  private static void validateScopedResources(ValidatedObject spec, String scope, String field) {
    Set<String> scopeResources = SCOPE_RESOURCES.get(scope);
    for (String name : spec.getChild("hard").object().keySet()) {
      if (scopeResources != null
          && ResourceAmounts.isQuotaResource(name)
          && !scopeResources.contains(name)) {
        spec.addInvalid(field, "unsupported scope applied to resource");
      }
    }
  }

  private static void rejectConflictingScopes(ValidatedObject spec, List<String> scopes) {
    for (String scope : List.of("BestEffort", "Terminating")) {
      if (scopes.contains(scope) && scopes.contains("Not" + scope)) {
        spec.addInvalid("scopes", spec.strings("scopes"), "conflicting scopes");
      }
    }
  }

  private static void validateSelector(ValidatedObject spec, ValidatedObject selector) {
    List<String> scopes = new ArrayList<>();
    for (ValidatedObject element : selector.getChildren("matchExpressions")) {
      ValidatedObject expression = element.atPath(selector.path("matchExpressions"));
      String scope = expression.text("scopeName");
      scopes.add(scope);
      if (!SCOPE_RESOURCES.containsKey(scope)) {
        expression.addInvalid("scopeName", "unsupported scope");
      }
      validateScopedResources(
          new ValidatedObject(spec.object(), "spec.scopeSelector", spec.errors()),
          scope,
          "matchExpressions");
      validateOperator(expression, scope);
    }
    rejectConflictingScopes(spec, scopes);
  }

  private static void validateOperator(ValidatedObject expression, String scope) {
    String operator = expression.text("operator");
    boolean allowsValues = List.of("PriorityClass", "VolumeAttributesClass").contains(scope);
    if (SCOPE_RESOURCES.containsKey(scope) && !allowsValues && !operator.equals("Exists")) {
      expression.addInvalid("operator", "must be 'Exists' with scope " + scope);
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (expression.isEmpty("values")) {
          expression.addRequired("values", "must be at least one value");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!expression.isEmpty("values")) {
          expression.addInvalid("values", "must be no value");
        }
      }
      default -> expression.addInvalid("operator", "not a valid selector operator");
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    if (!Set.copyOf(spec.strings("scopes")).equals(Set.copyOf(stringsAt(old, "spec", "scopes")))) {
      errors.addImmutable("spec.scopes", FieldErrors.toShownValue(spec.value("scopes")));
    }
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    validateAmounts(object, "status", "hard", errors);
    validateAmounts(object, "status", "used", errors);
  }

  private static void validateAmounts(
      JsonObject object, String parent, String field, FieldErrors errors) {
    if (valueAt(object, parent, field) instanceof JsonObject amounts) {
      for (Map.Entry<String, JsonElement> entry : amounts.entrySet()) {
        String path = parent + "." + field + "[" + entry.getKey() + "]";
        ResourceAmounts.validateQuotaName(entry.getKey(), path, errors);
        ResourceAmounts.validateAmount(entry.getKey(), entry.getValue(), path, errors);
      }
    }
  }
}
