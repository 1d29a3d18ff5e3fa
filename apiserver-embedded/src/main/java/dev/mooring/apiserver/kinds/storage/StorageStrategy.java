package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;
import static dev.mooring.apiserver.kinds.model.TableColumns.AGE;
import static dev.mooring.apiserver.kinds.model.TableColumns.CREATED;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.column;
import static dev.mooring.apiserver.kinds.model.TableColumns.flagColumn;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
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
import java.util.stream.Stream;

public final class StorageStrategy {
  private StorageStrategy() {}

  private static void checkUnchanged(
      JsonObject object, JsonObject old, String field, FieldErrors errors) {
    if (!Objects.equals(at(object, field), at(old, field))) {
      errors.addForbidden(field, "updates to " + field + " are forbidden.");
    }
  }

  private static final int MOST_PARAMETERS = 512;
  private static final int PARAMETER_BYTES = 256 * 1024;

  private static void validateDriverName(ValidatedObject whole, String field) {
    whole.requireMembers(field);
    if (!whole.isEmpty(field)) {
      ObjectNames.validateQualifiedName(
          whole.text(field).toLowerCase(Locale.ROOT), field, whole.errors());
    }
  }

  private static void validateParameters(ValidatedObject whole) {
    JsonObject parameters = whole.child("parameters").object();
    if (parameters.size() > MOST_PARAMETERS) {
      whole.errors().addTooLong("parameters", MOST_PARAMETERS);
      return;
    }
    long size = 0;
    for (String key : parameters.keySet()) {
      if (key.isEmpty()) {
        whole.errors().addInvalid("parameters", key, "field can not be empty.");
      }
      size += key.length() + text(parameters, key).length();
    }
    if (size > PARAMETER_BYTES) {
      whole.errors().addTooLong("parameters", PARAMETER_BYTES);
    }
  }

  public static final class StorageClassStrategy implements KindStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      setIfAbsent(object, "reclaimPolicy", "Delete");
      setIfAbsent(object, "volumeBindingMode", "Immediate");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject whole = new ValidatedObject(object, "", errors);
      validateDriverName(whole, "provisioner");
      validateParameters(whole);
      if (!whole.isEmpty("reclaimPolicy")) {
        whole.checkOneOf("reclaimPolicy", "Delete", "Retain");
      }
      whole.checkOneOfEvenIfAbsent("volumeBindingMode", "Immediate", "WaitForFirstConsumer");
      validateTopologies(whole);
    }

    private static void validateTopologies(ValidatedObject whole) {
      List<Map<String, Set<String>>> seen = new ArrayList<>();
      // Kubernetes also compares with as many empty terms
      whole.children("allowedTopologies").forEach(t -> seen.add(Map.of()));
      for (ValidatedObject term : whole.children("allowedTopologies")) {
        Map<String, Set<String>> wanted = new HashMap<>();
        for (ValidatedObject expression : term.children("matchLabelExpressions")) {
          Set<String> values = validateValues(expression);
          ObjectNames.validateQualifiedName(
              expression.text("key"), expression.path("key"), whole.errors());
          if (wanted.put(expression.text("key"), values) != null) {
            whole.errors().addDuplicate(expression.path("key"), expression.text("key"));
          }
        }
        seen.stream()
            .filter(wanted::equals)
            .forEach(s -> whole.errors().addDuplicate(term.path("matchLabelExpressions"), ""));
        seen.add(wanted);
      }
    }

    private static Set<String> validateValues(ValidatedObject expression) {
      Set<String> seen = new HashSet<>();
      List<String> values = expression.strings("values");
      expression.requireMembers("values");
      for (int k = 0; k < values.size(); k++) {
        if (!seen.add(values.get(k))) {
          expression
              .errors()
              .addDuplicate(expression.path("values") + "[" + k + "]", values.get(k));
        }
      }
      return seen;
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
        if (!Objects.equals(at(object, field), at(old, field))) {
          errors.addImmutable(field, FieldErrors.toShownValue(at(object, field)));
        }
      }
      if (!text(object, "volumeBindingMode").equals(text(old, "volumeBindingMode"))) {
        errors.addInvalid(
            "volumeBindingMode", text(object, "volumeBindingMode"), "field is immutable");
      }
    }

    @Override
    public List<PrintedColumn> getColumns() {
      return List.of(
          NAME.withCell(c ->
              new JsonPrimitive(text(c, "metadata", "name") + (isDefault(c) ? " (default)" : ""))),
          column("Provisioner", "provisioner"),
          column("ReclaimPolicy", "reclaimPolicy"),
          column("VolumeBindingMode", "volumeBindingMode"),
          flagColumn("AllowVolumeExpansion", "allowVolumeExpansion").withType("string"),
          AGE);
    }

    private static boolean isDefault(JsonObject storageClass) {
      return Stream.of("storageclass.kubernetes.io", "storageclass.beta.kubernetes.io")
          .anyMatch(domain ->
              text(storageClass, "metadata", "annotations", domain + "/is-default-class")
                  .equals("true"));
    }
  }

  public static final class StorageCapacityStrategy implements KindStrategy {
    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      LabelSelectors.validate(at(object, "nodeTopology"), "nodeTopology", errors);
      ObjectNames.validateSubdomain(text(object, "storageClassName"), "storageClassName", errors);
      if (ResourceAmounts.parseAmount(at(object, "capacity")).signum() < 0) {
        errors.addInvalid(
            "capacity", text(object, "capacity"), "must be greater than or equal to 0");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, errors);
      for (String field : List.of("nodeTopology", "storageClassName")) {
        if (!Objects.equals(at(object, field), at(old, field))) {
          errors.addInvalid(field, String.valueOf(at(object, field)), "field is immutable");
        }
      }
    }

    @Override
    public List<PrintedColumn> getColumns() {
      return List.of(NAME, CREATED);
    }
  }

  public static final class AttributesClassStrategy implements KindStrategy {
    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      ValidatedObject whole = new ValidatedObject(object, "", errors);
      validateDriverName(whole, "driverName");
      validateParameters(whole);
      if (whole.isEmpty("parameters")) {
        whole.addRequired("parameters", "must contain at least one key/value pair");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      checkUnchanged(object, old, "driverName", errors);
      checkUnchanged(object, old, "parameters", errors);
      validate(object, errors);
    }

    @Override
    public List<PrintedColumn> getColumns() {
      return List.of(NAME, column("DriverName", "driverName"), AGE);
    }
  }
}
