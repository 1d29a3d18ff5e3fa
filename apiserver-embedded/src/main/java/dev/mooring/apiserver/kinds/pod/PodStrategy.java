package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.arrayOf;
import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.text;
import static dev.mooring.apiserver.kinds.model.TableColumns.AGE;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.columnOr;
import static dev.mooring.apiserver.kinds.model.TableColumns.computed;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
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
    JsonObject status = objectOf("phase", "Pending");
    String given = text(object, "status", "qosClass");
    status.addProperty(
        "qosClass", given.isEmpty() ? computeQosClass(child(object, "spec")) : given);
    object.add("status", status);
    child(object, "metadata").addProperty("generation", 1);
    if (at(object, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      JsonObject condition = objectOf("type", "PodScheduled", "status", "False");
      condition.add("lastProbeTime", JsonNull.INSTANCE);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
      condition.addProperty("reason", "SchedulingGated");
      condition.addProperty("message", "Scheduling is blocked due to non-empty scheduling gates");
      JsonArray conditions = arrayOf(condition);
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

  // Makes podIP equal to the first of podIPs; podIP has precedence.
  private static void syncPodIps(JsonObject status) {
    String one = text(status, "podIP");
    JsonArray many = status.get("podIPs") instanceof JsonArray list ? list : new JsonArray();
    String first = many.isEmpty() ? "" : text(many.get(0).getAsJsonObject(), "ip");
    if (!one.isEmpty() && !one.equals(first)) {
      status.add("podIPs", arrayOf(objectOf("ip", one)));
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
    ValidatedObject whole = ValidatedObject.reading(spec).child("resources");
    if (!whole.isEmpty("requests") || !whole.isEmpty("limits")) {
      return computeQosClass(List.of(whole));
    }
    List<ValidatedObject> all = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      ValidatedObject.reading(spec).each(list, c -> all.add(c.child("resources")));
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
    return PodWarnings.findPodWarnings(ValidatedObject.reading(object));
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
        NAME,
        computed("Ready", PodStrategy::formatReady),
        computed("Status", PodStrategy::formatStatus),
        computed("Restarts", o -> "0"),
        AGE,
        columnOr("<none>", "IP", "status", "podIP").wide(),
        columnOr("<none>", "Node", "spec", "nodeName").wide(),
        columnOr("<none>", "Nominated Node", "status", "nominatedNodeName").wide(),
        computed("Readiness Gates", o -> "<none>").wide());
  }

  private static String formatStatus(JsonObject pod) {
    String reason = text(pod, "status", "reason");
    boolean terminates = at(pod, "metadata", "deletionTimestamp") != null;
    return reason.isEmpty() || terminates ? TableColumns.formatPhase(pod) : reason;
  }

  private static String formatReady(JsonObject pod) {
    long ready =
        ValidatedObject.reading(pod, "status").children("containerStatuses").stream()
            .filter(s -> s.flag("ready"))
            .count();
    return ready + "/" + ValidatedObject.reading(pod, "spec").children("containers").size();
  }
}
