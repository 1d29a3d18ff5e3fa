package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** LimitRanges: how much a container, a pod or a claim may ask for. */
final class LimitRangeStrategy extends PlainStrategy {
  @Override
  public Looks looks() {
    return Looks.WHOLE;
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
    Place spec = new Place(JsonBodies.child(object, "spec"), "spec", new FieldErrors());
    if (!spec.has("limits")) {
      spec.object().add("limits", com.google.gson.JsonNull.INSTANCE);
    }
    for (Place limit : spec.all("limits")) {
      if (limit.text("type").equals("Container")) {
        fill(limit, "max", "default");
        fill(limit, "default", "defaultRequest");
        fill(limit, "min", "defaultRequest");
      }
    }
  }

  private static void fill(Place limit, String from, String into) {
    for (Map.Entry<String, JsonElement> amount : limit.in(from).object().entrySet()) {
      JsonObject target = JsonBodies.child(limit.object(), into);
      if (!target.has(amount.getKey())) {
        target.add(amount.getKey(), amount.getValue());
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    Set<String> types = new HashSet<>();
    Place spec = new Place(JsonBodies.child(object, "spec"), "spec", errors);
    for (Place limit : spec.all("limits")) {
      String type = limit.text("type");
      type(limit, type);
      if (!types.add(type)) {
        errors.duplicate(limit.path("type"), type);
      }
      names(limit, type);
      if (type.equals("PersistentVolumeClaim")
          && !limit.has("min", "storage")
          && !limit.has("max", "storage")) {
        limit.required(
            "limits",
            "either minimum or maximum storage value is required, but neither was provided");
      }
      Set<String> resources = new TreeSet<>();
      MAPS.forEach(map -> resources.addAll(limit.in(map).object().keySet()));
      resources.forEach(resource -> compare(limit, resource));
    }
  }

  private static void type(Place limit, String type) {
    int before = limit.errors().all().size();
    ObjectNames.qualified(type, limit.path("type"), limit.errors());
    if (limit.errors().all().size() == before
        && !type.contains("/")
        && !List.of("Pod", "Container", "PersistentVolumeClaim").contains(type)) {
      limit
          .errors()
          .invalid(limit.path("type"), type, "must be a standard limit type or fully qualified");
    }
  }

  private static void names(Place limit, String type) {
    for (String map : MAPS) {
      if (type.equals("Pod") && map.startsWith("default")) {
        if (!limit.isEmpty(map)) {
          limit.forbidden(map, "may not be specified when `type` is 'Pod'");
        }
        continue;
      }
      for (String name : limit.in(map).object().keySet()) {
        String where = limit.path(map) + "[" + name + "]";
        if (List.of("Pod", "Container").contains(type)) {
          Amounts.nameOfContainer(name, where, limit.errors());
        } else {
          Amounts.name(name, where, limit.errors());
        }
      }
    }
  }

  private static void compare(Place limit, String resource) {
    boolean pod = limit.text("type").equals("Pod");
    notAbove(limit, resource, "min", "max", "min");
    if (!pod) {
      notAbove(limit, resource, "min", "defaultRequest", "defaultRequest");
      notAbove(limit, resource, "defaultRequest", "max", "defaultRequest");
      notAbove(limit, resource, "defaultRequest", "default", "defaultRequest");
      notAbove(limit, resource, "min", "default", "default");
      notAbove(limit, resource, "default", "max", "default");
    }
    ratio(limit, resource);
    if (!pod
        && !Amounts.isOvercommitted(resource)
        && limit.has("default", resource)
        && limit.has("defaultRequest", resource)
        && amount(limit, "default", resource).compareTo(amount(limit, "defaultRequest", resource))
            != 0) {
      told(limit, "defaultRequest", resource, "default value must equal to defaultRequest value");
    }
  }

  private static BigDecimal amount(Place limit, String map, String resource) {
    return Amounts.amount(limit.value(map, resource));
  }

  private static void notAbove(
      Place limit, String resource, String small, String large, String where) {
    if (limit.has(small, resource)
        && limit.has(large, resource)
        && amount(limit, small, resource).compareTo(amount(limit, large, resource)) > 0) {
      told(
          limit,
          where,
          resource,
          small
              + " value "
              + limit.text(small, resource)
              + " is greater than "
              + large
              + " value "
              + limit.text(large, resource));
    }
  }

  private static void told(Place limit, String map, String resource, String why) {
    limit.errors().invalid(limit.path(map) + "[" + resource + "]", limit.text(map, resource), why);
  }

  private static void ratio(Place limit, String resource) {
    String field = "maxLimitRequestRatio";
    if (!limit.has(field, resource)) {
      return;
    }
    BigDecimal ratio = amount(limit, field, resource);
    if (ratio.compareTo(BigDecimal.ONE) < 0) {
      told(limit, field, resource, "ratio " + limit.text(field, resource) + " is less than 1");
    }
    if (limit.has("min", resource) && limit.has("max", resource)) {
      BigDecimal most = ratio.multiply(amount(limit, "min", resource));
      if (most.compareTo(amount(limit, "max", resource)) > 0) {
        told(limit, field, resource, "ratio is greater than max/min");
      }
    }
  }

  @Override
  public List<Column> columns() {
    return List.of(TableColumns.NAME, TableColumns.CREATED);
  }

  @Override
  public List<JsonElement> columnValues(JsonObject object) {
    return List.of(
        TableColumns.name(object),
        TableColumns.value(JsonBodies.text(object, "metadata", "creationTimestamp")));
  }
}
