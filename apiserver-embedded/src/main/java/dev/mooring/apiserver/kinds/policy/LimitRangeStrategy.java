package dev.mooring.apiserver.kinds.policy;

import static dev.mooring.apiserver.kinds.model.TableColumns.CREATED;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
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
    return MetadataChecks.WHOLE;
  }

  private static final List<String> MAPS =
      List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject metadata = JsonBodies.child(object, "metadata");
    if (JsonBodies.text(metadata, "name").isEmpty()) {
      metadata.addProperty("name", UUID.randomUUID().toString());
    }
  }

  @Override
  public void setDefaults(JsonObject object) {
    ValidatedObject spec =
        new ValidatedObject(JsonBodies.child(object, "spec"), "spec", new FieldErrors());
    if (!spec.has("limits")) {
      spec.object().add("limits", com.google.gson.JsonNull.INSTANCE);
    }
    for (ValidatedObject limit : spec.children("limits")) {
      if (limit.text("type").equals("Container")) {
        copyMissing(limit, "max", "default");
        copyMissing(limit, "default", "defaultRequest");
        copyMissing(limit, "min", "defaultRequest");
      }
    }
  }

  private static void copyMissing(ValidatedObject limit, String from, String into) {
    for (Map.Entry<String, JsonElement> amount : limit.child(from).object().entrySet()) {
      JsonObject target = JsonBodies.child(limit.object(), into);
      if (!target.has(amount.getKey())) {
        target.add(amount.getKey(), amount.getValue());
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    Set<String> types = new HashSet<>();
    ValidatedObject spec = new ValidatedObject(JsonBodies.child(object, "spec"), "spec", errors);
    for (ValidatedObject limit : spec.children("limits")) {
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
      MAPS.forEach(map -> resources.addAll(limit.child(map).object().keySet()));
      resources.forEach(resource -> compareAmounts(limit, resource));
    }
  }

  private static void validateType(ValidatedObject limit, String type) {
    int before = limit.errors().all().size();
    ObjectNames.validateQualifiedName(type, limit.path("type"), limit.errors());
    if (limit.errors().all().size() == before
        && !type.contains("/")
        && !List.of("Pod", "Container", "PersistentVolumeClaim").contains(type)) {
      limit.addInvalid("type", type, "must be a standard limit type or fully qualified");
    }
  }

  private static void validateResourceNames(ValidatedObject limit, String type) {
    for (String map : MAPS) {
      if (type.equals("Pod") && map.startsWith("default")) {
        if (!limit.isEmpty(map)) {
          limit.addForbidden(map, "may not be specified when `type` is 'Pod'");
        }
        continue;
      }
      for (String name : limit.child(map).object().keySet()) {
        String where = limit.path(map) + "[" + name + "]";
        if (List.of("Pod", "Container").contains(type)) {
          ResourceAmounts.validateContainerName(name, where, limit.errors());
        } else {
          ResourceAmounts.validateName(name, where, limit.errors());
        }
      }
    }
  }

  private static void compareAmounts(ValidatedObject limit, String resource) {
    boolean pod = limit.text("type").equals("Pod");
    checkNotAbove(limit, resource, "min", "max", "min");
    if (!pod) {
      checkNotAbove(limit, resource, "min", "defaultRequest", "defaultRequest");
      checkNotAbove(limit, resource, "defaultRequest", "max", "defaultRequest");
      checkNotAbove(limit, resource, "defaultRequest", "default", "defaultRequest");
      checkNotAbove(limit, resource, "min", "default", "default");
      checkNotAbove(limit, resource, "default", "max", "default");
    }
    validateRatio(limit, resource);
    if (!pod
        && !ResourceAmounts.isOvercommitted(resource)
        && limit.has("default", resource)
        && limit.has("defaultRequest", resource)
        && getAmount(limit, "default", resource)
                .compareTo(getAmount(limit, "defaultRequest", resource))
            != 0) {
      reportInvalid(
          limit, "defaultRequest", resource, "default value must equal to defaultRequest value");
    }
  }

  private static BigDecimal getAmount(ValidatedObject limit, String map, String resource) {
    return ResourceAmounts.parseAmount(limit.value(map, resource));
  }

  private static void checkNotAbove(
      ValidatedObject limit, String resource, String small, String large, String where) {
    if (limit.has(small, resource)
        && limit.has(large, resource)
        && getAmount(limit, small, resource).compareTo(getAmount(limit, large, resource)) > 0) {
      reportInvalid(
          limit,
          where,
          resource,
          "%s value %s is greater than %s value %s"
              .formatted(small, limit.text(small, resource), large, limit.text(large, resource)));
    }
  }

  private static void reportInvalid(
      ValidatedObject limit, String map, String resource, String why) {
    limit
        .errors()
        .addInvalid(limit.path(map) + "[" + resource + "]", limit.text(map, resource), why);
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
      BigDecimal most = ratio.multiply(getAmount(limit, "min", resource));
      if (most.compareTo(getAmount(limit, "max", resource)) > 0) {
        reportInvalid(limit, field, resource, "ratio is greater than max/min");
      }
    }
  }

  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(NAME, CREATED);
  }
}
