package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

final class QuotaStrategy extends PlainStrategy {
  @Override
  public MetadataChecks metadataChecks() {
    return MetadataChecks.CHANGE;
  }

  @Override
  public void prepareCreate(JsonObject object) {
    object.add("status", new JsonObject());
  }

  @Override
  public void setDefaults(JsonObject object) {
    child(object, "spec");
    child(object, "status");
  }

  private static final Set<String> POD_AMOUNTS =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");
  private static final Set<String> CLAIM_AMOUNTS =
      Set.of("persistentvolumeclaims", "requests.storage");

  private static final Map<String, Set<String>> SCOPES =
      Map.of(
          "Terminating", POD_AMOUNTS,
          "NotTerminating", POD_AMOUNTS,
          "NotBestEffort", POD_AMOUNTS,
          "PriorityClass", POD_AMOUNTS,
          "CrossNamespacePodAffinity", POD_AMOUNTS,
          "BestEffort", Set.of("pods"),
          "VolumeAttributesClass", CLAIM_AMOUNTS);

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    amounts(object, "spec", "hard", errors);
    ValidatedObject spec = new ValidatedObject(child(object, "spec"), "spec", errors);
    List<String> scopes = spec.strings("scopes");
    for (String scope : scopes) {
      if (!SCOPES.containsKey(scope)) {
        spec.invalid("scopes", "unsupported scope");
      }
      validateScopedResources(spec, scope, "scopes");
    }
    rejectConflictingScopes(spec, scopes);
    spec.ifPresent("scopeSelector", selector -> selector(spec, selector));
  }

  private static void validateScopedResources(ValidatedObject spec, String scope, String field) {
    Set<String> suited = SCOPES.get(scope);
    for (String name : spec.child("hard").object().keySet()) {
      if (suited != null && ResourceAmounts.isOfQuotas(name) && !suited.contains(name)) {
        spec.invalid(field, "unsupported scope applied to resource");
      }
    }
  }

  private static void rejectConflictingScopes(ValidatedObject spec, List<String> scopes) {
    for (String scope : List.of("BestEffort", "Terminating")) {
      if (scopes.contains(scope) && scopes.contains("Not" + scope)) {
        spec.errors().invalid(spec.path("scopes"), spec.strings("scopes"), "conflicting scopes");
      }
    }
  }

  private static void selector(ValidatedObject spec, ValidatedObject selector) {
    List<String> scopes = new ArrayList<>();
    for (ValidatedObject one : selector.children("matchExpressions")) {
      ValidatedObject expression = one.withPath(selector.path("matchExpressions"));
      String scope = expression.text("scopeName");
      scopes.add(scope);
      if (!SCOPES.containsKey(scope)) {
        expression.invalid("scopeName", "unsupported scope");
      }
      validateScopedResources(
          new ValidatedObject(spec.object(), "spec.scopeSelector", spec.errors()),
          scope,
          "matchExpressions");
      operator(expression, scope);
    }
    rejectConflictingScopes(spec, scopes);
  }

  private static void operator(ValidatedObject expression, String scope) {
    String operator = expression.text("operator");
    boolean free = List.of("PriorityClass", "VolumeAttributesClass").contains(scope);
    if (SCOPES.containsKey(scope) && !free && !operator.equals("Exists")) {
      expression.invalid("operator", "must be 'Exists' with scope " + scope);
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (expression.isEmpty("values")) {
          expression.required("values", "must be at least one value");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!expression.isEmpty("values")) {
          expression.invalid("values", "must be no value");
        }
      }
      default -> expression.invalid("operator", "not a valid selector operator");
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    ValidatedObject spec = new ValidatedObject(child(object, "spec"), "spec", errors);
    if (!Set.copyOf(spec.strings("scopes")).equals(Set.copyOf(strings(old, "spec", "scopes")))) {
      errors.immutable("spec.scopes", FieldErrors.value(spec.value("scopes")));
    }
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    amounts(object, "status", "hard", errors);
    amounts(object, "status", "used", errors);
  }

  private static void amounts(JsonObject object, String part, String field, FieldErrors errors) {
    if (at(object, part, field) instanceof JsonObject amounts) {
      for (Map.Entry<String, JsonElement> entry : amounts.entrySet()) {
        String where = part + "." + field + "[" + entry.getKey() + "]";
        ResourceAmounts.nameOfQuota(entry.getKey(), where, errors);
        ResourceAmounts.value(entry.getKey(), entry.getValue(), where, errors);
      }
    }
  }

  @Override
  public List<PrintedColumn> columns() {
    return List.of(
        TableColumns.NAME,
        TableColumns.column("Request"),
        TableColumns.column("Limit"),
        TableColumns.AGE);
  }

  @Override
  public List<JsonElement> columnValues(JsonObject o) {
    return List.of(
        TableColumns.name(o), formatStruct(o, false), formatStruct(o, true), TableColumns.age(o));
  }

  private static JsonElement formatStruct(JsonObject object, boolean limits) {
    List<String> all = new ArrayList<>();
    if (at(object, "status", "hard") instanceof JsonObject hard) {
      for (String name : new TreeSet<>(hard.keySet())) {
        if (name.startsWith("limits") == limits) {
          String used = TableColumns.or(text(object, "status", "used", name), "0");
          all.add(name + ": " + used + "/" + text(hard, name));
        }
      }
    }
    return TableColumns.value(String.join(", ", all));
  }
}
