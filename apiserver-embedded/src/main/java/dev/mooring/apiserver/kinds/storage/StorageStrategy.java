package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

public final class StorageStrategy {
  private StorageStrategy() {}

  private static void validateUnchanged(
      JsonObject object, JsonObject old, String field, FieldErrors errors) {
    if (!Objects.equals(valueAt(object, field), valueAt(old, field))) {
      errors.addForbidden(field, "updates to " + field + " are forbidden.");
    }
  }

  private static final int MAX_PARAMETERS = 512;
  private static final int MAX_PARAMETER_BYTES = 256 * 1024;

  private static void validateDriverName(ValidatedObject object, String field) {
    object.requireMembers(field);
    if (!object.isEmpty(field)) {
      ObjectNames.validateQualifiedName(
          object.text(field).toLowerCase(Locale.ROOT), field, object.errors());
    }
  }

  private static void validateParameters(ValidatedObject object) {
    JsonObject parameters = object.getChild("parameters").object();
    if (parameters.size() > MAX_PARAMETERS) {
      object.errors().addTooLong("parameters", MAX_PARAMETERS);
      return;
    }
    long size = 0;
    for (String key : parameters.keySet()) {
      if (key.isEmpty()) {
        object.errors().addInvalid("parameters", key, "field can not be empty.");
      }
      size += TextSize.countBytes(key) + TextSize.countBytes(textAt(parameters, key));
    }
    if (size > MAX_PARAMETER_BYTES) {
      object.errors().addTooLong("parameters", MAX_PARAMETER_BYTES);
    }
  }

  public static final class StorageClassStrategy extends DeclaredStrategy {
    public StorageClassStrategy() {
      super("storageclasses.storage.k8s.io", "StorageClass");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject storageClass = new ValidatedObject(object, "", errors);
      validateDriverName(storageClass, "provisioner");
      validateParameters(storageClass);
      if (!storageClass.isEmpty("reclaimPolicy")) {
        storageClass.checkOneOf("reclaimPolicy", "Delete", "Retain");
      }
      storageClass.checkOneOfEvenIfAbsent("volumeBindingMode", "Immediate", "WaitForFirstConsumer");
      validateTopologies(storageClass);
    }

    private static void validateTopologies(ValidatedObject storageClass) {
      List<Map<String, Set<String>>> earlierTerms = new ArrayList<>();
      // Kubernetes also compares with as many empty terms
      storageClass.getChildren("allowedTopologies").forEach(t -> earlierTerms.add(Map.of()));
      for (ValidatedObject term : storageClass.getChildren("allowedTopologies")) {
        Map<String, Set<String>> requirements = new HashMap<>();
        for (ValidatedObject expression : term.getChildren("matchLabelExpressions")) {
          Set<String> values = validateValues(expression);
          ObjectNames.validateQualifiedName(
              expression.text("key"), expression.path("key"), storageClass.errors());
          if (requirements.put(expression.text("key"), values) != null) {
            storageClass.errors().addDuplicate(expression.path("key"), expression.text("key"));
          }
        }
        earlierTerms.stream()
            .filter(requirements::equals)
            .forEach(
                s -> storageClass.errors().addDuplicate(term.path("matchLabelExpressions"), ""));
        earlierTerms.add(requirements);
      }
    }

    private static Set<String> validateValues(ValidatedObject expression) {
      Set<String> uniqueValues = new HashSet<>();
      List<String> values = expression.strings("values");
      expression.requireMembers("values");
      for (int i = 0; i < values.size(); i++) {
        if (!uniqueValues.add(values.get(i))) {
          expression
              .errors()
              .addDuplicate(expression.path("values") + "[" + i + "]", values.get(i));
        }
      }
      return uniqueValues;
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      if (!textAt(object, "volumeBindingMode").equals(textAt(old, "volumeBindingMode"))) {
        errors.addInvalid(
            "volumeBindingMode", textAt(object, "volumeBindingMode"), "field is immutable");
      }
    }
  }

  public static final class StorageCapacityStrategy implements KindStrategy {
    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      LabelSelectors.validate(valueAt(object, "nodeTopology"), "nodeTopology", errors);
      ObjectNames.validateSubdomain(textAt(object, "storageClassName"), "storageClassName", errors);
      if (ResourceAmounts.parseAmount(valueAt(object, "capacity")).signum() < 0) {
        errors.addInvalid(
            "capacity", textAt(object, "capacity"), "must be greater than or equal to 0");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      for (String field : List.of("nodeTopology", "storageClassName")) {
        if (!Objects.equals(valueAt(object, field), valueAt(old, field))) {
          errors.addInvalid(field, String.valueOf(valueAt(object, field)), "field is immutable");
        }
      }
    }
  }

  public static final class AttributesClassStrategy implements KindStrategy {
    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject attributesClass = new ValidatedObject(object, "", errors);
      validateDriverName(attributesClass, "driverName");
      validateParameters(attributesClass);
      if (attributesClass.isEmpty("parameters")) {
        attributesClass.addRequired("parameters", "must contain at least one key/value pair");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validateUnchanged(object, old, "driverName", errors);
      validateUnchanged(object, old, "parameters", errors);
      validate(object, errors);
    }
  }
}
