package dev.mooring.apiserver.kinds.policy;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

public final class LimitRangeStrategy implements KindStrategy {
  @Override
  public MetadataChecks getMetadataChecks() {
    return MetadataChecks.OBJECT_ONLY;
  }

  private static final List<String> AMOUNT_FIELDS =
      List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject metadata = JsonBodies.getOrAddChild(object, "metadata");
    if (JsonBodies.textAt(metadata, "name").isEmpty()) {
      metadata.addProperty("name", UUID.randomUUID().toString());
    }
  }

  @Override
  public void setDefaults(JsonObject object) {
    ValidatedObject spec =
        new ValidatedObject(JsonBodies.getOrAddChild(object, "spec"), "spec", new FieldErrors());
    if (!spec.has("limits")) {
      spec.object().add("limits", JsonNull.INSTANCE);
    }
    for (ValidatedObject limit : spec.getChildren("limits")) {
      if (limit.text("type").equals("Container")) {
        copyMissing(limit, "max", "default");
        copyMissing(limit, "default", "defaultRequest");
        copyMissing(limit, "min", "defaultRequest");
      }
    }
  }

  private static void copyMissing(ValidatedObject limit, String sourceField, String targetField) {
    for (Map.Entry<String, JsonElement> amount : limit.getChild(sourceField).object().entrySet()) {
      JsonObject target = JsonBodies.getOrAddChild(limit.object(), targetField);
      if (!target.has(amount.getKey())) {
        target.add(amount.getKey(), amount.getValue());
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    Set<String> types = new HashSet<>();
    ValidatedObject spec =
        new ValidatedObject(JsonBodies.getOrAddChild(object, "spec"), "spec", errors);
    for (ValidatedObject limit : spec.getChildren("limits")) {
      String type = limit.text("type");
      validateType(limit, type);
      if (!types.add(type)) {
        errors.addDuplicate(limit.path("type"), type);
      }
      validateResourceNames(limit, type);
      if (type.equals("PersistentVolumeClaim")
          && !limit.has("min", "storage")
          && !limit.has("max", "storage")) {
        limit.addRequired(
            "limits",
            "either minimum or maximum storage value is required, but neither was provided");
      }
      Set<String> resources = new TreeSet<>();
      AMOUNT_FIELDS.forEach(map -> resources.addAll(limit.getChild(map).object().keySet()));
      resources.forEach(resource -> compareAmounts(limit, resource));
    }
  }

  private static void validateType(ValidatedObject limit, String type) {
    int errorCount = limit.errors().getCauses().size();
    ObjectNames.validateQualifiedName(type, limit.path("type"), limit.errors());
    if (limit.errors().getCauses().size() == errorCount
        && !type.contains("/")
        && !List.of("Pod", "Container", "PersistentVolumeClaim").contains(type)) {
      limit.addInvalid("type", type, "must be a standard limit type or fully qualified");
    }
  }

  private static void validateResourceNames(ValidatedObject limit, String type) {
    for (String field : AMOUNT_FIELDS) {
      if (type.equals("Pod") && field.startsWith("default")) {
        if (!limit.isEmpty(field)) {
          limit.addForbidden(field, "may not be specified when `type` is 'Pod'");
        }
        continue;
      }
      for (String name : limit.getChild(field).object().keySet()) {
        String path = limit.path(field) + "[" + name + "]";
        if (List.of("Pod", "Container").contains(type)) {
          ResourceAmounts.validateContainerName(name, path, limit.errors());
        } else {
          ResourceAmounts.validateName(name, path, limit.errors());
        }
      }
    }
  }

  private static void compareAmounts(ValidatedObject limit, String resource) {
    boolean isPod = limit.text("type").equals("Pod");
    checkOrder(limit, resource, "min", "max", "min");
    if (!isPod) {
      checkOrder(limit, resource, "min", "defaultRequest", "defaultRequest");
      checkOrder(limit, resource, "defaultRequest", "max", "defaultRequest");
      checkOrder(limit, resource, "defaultRequest", "default", "defaultRequest");
      checkOrder(limit, resource, "min", "default", "default");
      checkOrder(limit, resource, "default", "max", "default");
    }
    validateRatio(limit, resource);
    if (!isPod
        && !ResourceAmounts.canBeOvercommitted(resource)
        && limit.has("default", resource)
        && limit.has("defaultRequest", resource)
        && getAmount(limit, "default", resource)
                .compareTo(getAmount(limit, "defaultRequest", resource))
            != 0) {
      reportInvalid(
          limit, "defaultRequest", resource, "default value must equal to defaultRequest value");
    }
  }

  private static BigDecimal getAmount(ValidatedObject limit, String field, String resource) {
    return ResourceAmounts.parseAmount(limit.value(field, resource));
  }

  private static void checkOrder(
      ValidatedObject limit,
      String resource,
      String smallerField,
      String largerField,
      String reportedField) {
    if (limit.has(smallerField, resource)
        && limit.has(largerField, resource)
        && getAmount(limit, smallerField, resource)
                .compareTo(getAmount(limit, largerField, resource))
            > 0) {
      reportInvalid(
          limit,
          reportedField,
          resource,
          "%s value %s is greater than %s value %s"
              .formatted(
                  smallerField,
                  limit.text(smallerField, resource),
                  largerField,
                  limit.text(largerField, resource)));
    }
  }

  private static void reportInvalid(
      ValidatedObject limit, String field, String resource, String detail) {
    limit
        .errors()
        .addInvalid(limit.path(field) + "[" + resource + "]", limit.text(field, resource), detail);
  }

  private static void validateRatio(ValidatedObject limit, String resource) {
    String field = "maxLimitRequestRatio";
    if (!limit.has(field, resource)) {
      return;
    }
    BigDecimal ratio = getAmount(limit, field, resource);
    if (ratio.compareTo(BigDecimal.ONE) < 0) {
      reportInvalid(
          limit, field, resource, "ratio " + limit.text(field, resource) + " is less than 1");
    }
    if (limit.has("min", resource) && limit.has("max", resource)) {
      BigDecimal allowedMax = ratio.multiply(getAmount(limit, "min", resource));
      if (allowedMax.compareTo(getAmount(limit, "max", resource)) > 0) {
        reportInvalid(limit, field, resource, "ratio is greater than max/min");
      }
    }
  }
}
