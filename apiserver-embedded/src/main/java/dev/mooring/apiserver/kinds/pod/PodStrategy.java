package dev.mooring.apiserver.kinds.pod;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
    JsonObject spec = getOrAddChild(object, "spec");
    PodDefaults.setSpecDefaults(spec);
    PodDefaults.setPodDefaults(spec);
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonElement gracePeriod = valueAt(object, "spec", "terminationGracePeriodSeconds");
    if (gracePeriod != null && gracePeriod.getAsLong() < 0) {
      getOrAddChild(object, "spec").addProperty("terminationGracePeriodSeconds", 1);
    }
    JsonObject status = newObject("phase", "Pending");
    String requestedClass = textAt(object, "status", "qosClass");
    status.addProperty(
        "qosClass",
        requestedClass.isEmpty() ? computeQosClass(getOrAddChild(object, "spec")) : requestedClass);
    object.add("status", status);
    getOrAddChild(object, "metadata").addProperty("generation", 1);
    if (valueAt(object, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      JsonObject condition = newObject("type", "PodScheduled", "status", "False");
      condition.add("lastProbeTime", JsonNull.INSTANCE);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
      condition.addProperty("reason", "SchedulingGated");
      condition.addProperty("message", "Scheduling is blocked due to non-empty scheduling gates");
      JsonArray conditions = newArray(condition);
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
    JsonObject status = getOrAddChild(object, "status");
    String qosClass = textAt(old, "status", "qosClass");
    if (textAt(status, "qosClass").isEmpty() && !qosClass.isEmpty()) {
      status.addProperty("qosClass", qosClass);
    }
    syncPodIps(status);
  }

  // Makes podIP equal to the first of podIPs; podIP has precedence.
  private static void syncPodIps(JsonObject status) {
    String podIp = textAt(status, "podIP");
    JsonArray podIps = status.get("podIPs") instanceof JsonArray list ? list : new JsonArray();
    String firstIp = podIps.isEmpty() ? "" : textAt(podIps.get(0).getAsJsonObject(), "ip");
    if (!podIp.isEmpty() && !podIp.equals(firstIp)) {
      status.add("podIPs", newArray(newObject("ip", podIp)));
    } else if (podIp.isEmpty() && !firstIp.isEmpty()) {
      status.addProperty("podIP", firstIp);
    }
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonElement generation = valueAt(old, "metadata", "generation");
    long oldGeneration = generation == null ? 1 : generation.getAsLong();
    boolean isChanged = !Objects.equals(object.get("spec"), old.get("spec"));
    getOrAddChild(object, "metadata")
        .add("generation", new JsonPrimitive(isChanged ? oldGeneration + 1 : oldGeneration));
  }

  static String computeQosClass(JsonObject spec) {
    ValidatedObject podResources = ValidatedObject.forReading(spec).getChild("resources");
    if (!podResources.isEmpty("requests") || !podResources.isEmpty("limits")) {
      return computeQosClass(List.of(podResources));
    }
    List<ValidatedObject> containerResources = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      ValidatedObject.forReading(spec)
          .forEachChild(list, c -> containerResources.add(c.getChild("resources")));
    }
    return computeQosClass(containerResources);
  }

  private static String computeQosClass(List<ValidatedObject> requirements) {
    boolean hasAmounts = false;
    boolean isGuaranteed = true;
    for (ValidatedObject resources : requirements) {
      for (String name : List.of("cpu", "memory")) {
        BigDecimal limit = ResourceAmounts.parseAmount(resources.value("limits", name));
        BigDecimal request = ResourceAmounts.parseAmount(resources.value("requests", name));
        hasAmounts |= limit.signum() > 0 || request.signum() > 0;
        isGuaranteed &= limit.signum() > 0 && limit.compareTo(request) == 0;
      }
    }
    return !hasAmounts ? "BestEffort" : isGuaranteed ? "Guaranteed" : "Burstable";
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return PodWarnings.findPodWarnings(ValidatedObject.forReading(object));
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
  public void mergePart(String subresource, JsonObject edited, JsonObject object) {
    PodParts.merge(subresource, edited, object);
  }

  @Override
  public void validatePart(
      String subresource, JsonObject object, JsonObject old, FieldErrors errors) {
    PodParts.validate(subresource, object, old, errors);
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    PodStatuses.validate(object, old, errors);
  }

  @Override
  public @Nullable String findSelectableValue(JsonObject object, String field) {
    return switch (field) {
      case "spec.nodeName" -> textAt(object, "spec", "nodeName");
      case "spec.restartPolicy" -> textAt(object, "spec", "restartPolicy");
      case "spec.schedulerName" -> textAt(object, "spec", "schedulerName");
      case "spec.serviceAccountName" -> textAt(object, "spec", "serviceAccountName");
      case "spec.hostNetwork" -> String.valueOf(flagAt(object, "spec", "hostNetwork"));
      case "status.phase" -> textAt(object, "status", "phase");
      case "status.podIP" -> textAt(object, "status", "podIP");
      case "status.nominatedNodeName" -> textAt(object, "status", "nominatedNodeName");
      default -> null;
    };
  }
}
