package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

public final class PodStrategy implements KindStrategy {
  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    PodDefaults.setSpecDefaults(spec);
    PodDefaults.setPodDefaults(spec);
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonElement grace = at(object, "spec", "terminationGracePeriodSeconds");
    if (grace != null && grace.getAsLong() < 0) {
      child(object, "spec").addProperty("terminationGracePeriodSeconds", 1);
    }
    JsonObject status = new JsonObject();
    status.addProperty("phase", "Pending");
    String given = text(object, "status", "qosClass");
    status.addProperty(
        "qosClass", given.isEmpty() ? computeQosClass(child(object, "spec")) : given);
    object.add("status", status);
    child(object, "metadata").addProperty("generation", 1);
    if (at(object, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      JsonObject condition = new JsonObject();
      condition.addProperty("type", "PodScheduled");
      condition.addProperty("status", "False");
      condition.add("lastProbeTime", JsonNull.INSTANCE);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
      condition.addProperty("reason", "SchedulingGated");
      condition.addProperty("message", "Scheduling is blocked due to non-empty scheduling gates");
      JsonArray conditions = new JsonArray();
      conditions.add(condition);
      status.add("conditions", conditions);
    }
  }

  @Override
  public List<String> getMetadataKeptOnStatus() {
    return List.of("ownerReferences");
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    TableColumns.addNullTimes(object, "lastProbeTime", "lastTransitionTime");
    JsonObject status = child(object, "status");
    String quality = text(old, "status", "qosClass");
    if (text(status, "qosClass").isEmpty() && !quality.isEmpty()) {
      status.addProperty("qosClass", quality);
    }
    syncPodIps(status);
  }

  /** Makes podIP equal to the first of podIPs; podIP has precedence. */
  private static void syncPodIps(JsonObject status) {
    String one = text(status, "podIP");
    JsonArray many = status.get("podIPs") instanceof JsonArray list ? list : new JsonArray();
    String first = many.isEmpty() ? "" : text(many.get(0).getAsJsonObject(), "ip");
    if (!one.isEmpty() && !one.equals(first)) {
      JsonObject address = new JsonObject();
      address.addProperty("ip", one);
      JsonArray alone = new JsonArray();
      alone.add(address);
      status.add("podIPs", alone);
    } else if (one.isEmpty() && !first.isEmpty()) {
      status.addProperty("podIP", first);
    }
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonElement generation = at(old, "metadata", "generation");
    long before = generation == null ? 1 : generation.getAsLong();
    boolean changed = !Objects.equals(object.get("spec"), old.get("spec"));
    child(object, "metadata").add("generation", new JsonPrimitive(changed ? before + 1 : before));
  }

  private static String computeQosClass(JsonObject spec) {
    ValidatedObject whole = new ValidatedObject(spec, "", new FieldErrors()).child("resources");
    if (!whole.isEmpty("requests") || !whole.isEmpty("limits")) {
      return computeQosClass(List.of(whole));
    }
    List<ValidatedObject> all = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      new ValidatedObject(spec, "", new FieldErrors())
          .each(list, c -> all.add(c.child("resources")));
    }
    return computeQosClass(all);
  }

  private static String computeQosClass(List<ValidatedObject> all) {
    boolean any = false;
    boolean full = true;
    for (ValidatedObject resources : all) {
      for (String name : List.of("cpu", "memory")) {
        BigDecimal limit = ResourceAmounts.parseAmount(resources.value("limits", name));
        BigDecimal request = ResourceAmounts.parseAmount(resources.value("requests", name));
        any |= limit.signum() > 0 || request.signum() > 0;
        full &= limit.signum() > 0 && limit.compareTo(request) == 0;
      }
    }
    return !any ? "BestEffort" : full ? "Guaranteed" : "Burstable";
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return PodWarnings.findPodWarnings(new ValidatedObject(object, "", new FieldErrors()));
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = PodUpdates.validate(object, errors);
    if (!spec.isEmpty("ephemeralContainers")) {
      spec.addForbidden("ephemeralContainers", "cannot be set on create");
    }
    if (!spec.isEmpty("nodeName") && !spec.isEmpty("schedulingGates")) {
      spec.addForbidden("nodeName", "cannot be set until all schedulingGates have been cleared");
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    PodUpdates.validate(object, old, errors);
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    PodStatuses.validate(object, old, errors);
  }

  @Override
  public @Nullable String findSelectable(JsonObject object, String field) {
    return switch (field) {
      case "spec.nodeName" -> text(object, "spec", "nodeName");
      case "spec.restartPolicy" -> text(object, "spec", "restartPolicy");
      case "spec.schedulerName" -> text(object, "spec", "schedulerName");
      case "spec.serviceAccountName" -> text(object, "spec", "serviceAccountName");
      case "spec.hostNetwork" -> String.valueOf(flag(object, "spec", "hostNetwork"));
      case "status.phase" -> text(object, "status", "phase");
      case "status.podIP" -> text(object, "status", "podIP");
      case "status.nominatedNodeName" -> text(object, "status", "nominatedNodeName");
      default -> null;
    };
  }

  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(
        TableColumns.NAME,
        TableColumns.column("Ready"),
        TableColumns.column("Status"),
        TableColumns.column("Restarts"),
        TableColumns.AGE,
        TableColumns.wideColumn("IP"),
        TableColumns.wideColumn("Node"),
        TableColumns.wideColumn("Nominated Node"),
        TableColumns.wideColumn("Readiness Gates"));
  }

  @Override
  public List<JsonElement> formatCells(JsonObject o) {
    int containers = at(o, "spec", "containers") instanceof JsonArray list ? list.size() : 0;
    int ready = 0;
    if (at(o, "status", "containerStatuses") instanceof JsonArray states) {
      for (JsonElement state : states) {
        JsonElement one = at(state.getAsJsonObject(), "ready");
        ready += one != null && one.getAsBoolean() ? 1 : 0;
      }
    }
    String phase =
        text(o, "metadata", "deletionTimestamp").isEmpty()
            ? TableColumns.orElse(text(o, "status", "reason"), text(o, "status", "phase"))
            : "Terminating";
    return List.of(
        TableColumns.name(o),
        TableColumns.value(ready + "/" + containers),
        TableColumns.value(phase),
        TableColumns.value("0"),
        TableColumns.age(o),
        TableColumns.value(TableColumns.orElse(text(o, "status", "podIP"), "<none>")),
        TableColumns.value(TableColumns.orElse(text(o, "spec", "nodeName"), "<none>")),
        TableColumns.value(TableColumns.orElse(text(o, "status", "nominatedNodeName"), "<none>")),
        TableColumns.value("<none>"));
  }
}
