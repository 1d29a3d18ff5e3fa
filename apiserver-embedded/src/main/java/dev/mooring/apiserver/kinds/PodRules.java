package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.Values;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods, as far as volumes depend on them. */
final class PodRules implements Rules {
  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    defaultSpec(spec);
    if (!spec.has("enableServiceLinks")) {
      spec.addProperty("enableServiceLinks", true);
    }
  }

  /** Defaults of a pod's spec, in a pod or in a template. */
  static void defaultSpec(JsonObject spec) {
    set(spec, "restartPolicy", "Always");
    set(spec, "dnsPolicy", "ClusterFirst");
    set(spec, "schedulerName", "default-scheduler");
    if (!spec.has("terminationGracePeriodSeconds")) {
      spec.addProperty("terminationGracePeriodSeconds", 30);
    }
    if (!spec.has("securityContext")) {
      spec.add("securityContext", new JsonObject());
    }
    String account = text(spec, "serviceAccountName");
    if (!account.isEmpty()) {
      spec.addProperty("serviceAccount", account);
    }
    for (String list : List.of("initContainers", "containers")) {
      if (spec.get(list) instanceof JsonArray containers) {
        containers.forEach(c -> container(c.getAsJsonObject()));
      }
    }
    if (spec.get("volumes") instanceof JsonArray volumes) {
      volumes.forEach(v -> volume(v.getAsJsonObject()));
    }
  }

  private static void set(JsonObject object, String field, String value) {
    if (text(object, field).isEmpty()) {
      object.addProperty(field, value);
    }
  }

  private static void container(JsonObject container) {
    set(container, "terminationMessagePath", "/dev/termination-log");
    set(container, "terminationMessagePolicy", "File");
    String image = text(container, "image");
    boolean latest =
        !image.contains("@")
            && (image.endsWith(":latest") || image.lastIndexOf(':') <= image.lastIndexOf('/'));
    set(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
    if (container.get("ports") instanceof JsonArray ports) {
      ports.forEach(p -> set(p.getAsJsonObject(), "protocol", "TCP"));
    }
    if (!container.has("resources")) {
      container.add("resources", new JsonObject());
    }
  }

  private static void volume(JsonObject volume) {
    if (volume.size() == 1) {
      volume.add("emptyDir", new JsonObject());
    }
    if (volume.get("hostPath") instanceof JsonObject hostPath && !hostPath.has("type")) {
      hostPath.addProperty("type", "");
    }
    if (at(volume, "ephemeral", "volumeClaimTemplate", "spec") instanceof JsonObject spec) {
      set(spec, "volumeMode", "Filesystem");
    }
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = new JsonObject();
    status.addProperty("phase", "Pending");
    status.addProperty("qosClass", "BestEffort");
    object.add("status", status);
    child(object, "metadata").addProperty("generation", 1);
    if (at(object, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      JsonObject condition = new JsonObject();
      condition.addProperty("type", "PodScheduled");
      condition.addProperty("status", "False");
      condition.add("lastProbeTime", JsonNull.INSTANCE);
      condition.addProperty("lastTransitionTime", Values.seconds(Instant.now()));
      condition.addProperty("reason", "SchedulingGated");
      condition.addProperty("message", "Scheduling is blocked due to non-empty scheduling gates");
      JsonArray conditions = new JsonArray();
      conditions.add(condition);
      status.add("conditions", conditions);
    }
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    Cells.nullTimes(object, "lastProbeTime", "lastTransitionTime");
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonElement generation = at(old, "metadata", "generation");
    long before = generation == null ? 1 : generation.getAsLong();
    boolean changed = !Objects.equals(object.get("spec"), old.get("spec"));
    child(object, "metadata").add("generation", new JsonPrimitive(changed ? before + 1 : before));
  }

  @Override
  public void validate(JsonObject object, Causes causes) {
    validateSpec(child(object, "spec"), "spec", causes);
  }

  /** What is wrong with a pod's spec, in a pod or in a template. */
  static void validateSpec(JsonObject spec, String field, Causes causes) {
    String restart = text(spec, "restartPolicy");
    List<String> restarts = List.of("Always", "OnFailure", "Never");
    if (!restarts.contains(restart)) {
      causes.notSupported(field + ".restartPolicy", restart, restarts);
    }
    PodVolumes.validate(spec, field, causes);
    if (!(spec.get("containers") instanceof JsonArray containers) || containers.isEmpty()) {
      causes.required(field + ".containers", "");
    } else {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < containers.size(); i++) {
        JsonObject container = containers.get(i).getAsJsonObject();
        if (text(container, "name").isEmpty()) {
          causes.required(field + ".containers[" + i + "].name", "");
        } else if (!names.add(text(container, "name"))) {
          causes.duplicate(field + ".containers[" + i + "].name", text(container, "name"));
        }
        if (text(container, "image").isEmpty()) {
          causes.required(field + ".containers[" + i + "].image", "");
        }
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
    validate(object, causes);
    int before = at(old, "spec", "containers") instanceof JsonArray list ? list.size() : 0;
    int after = at(object, "spec", "containers") instanceof JsonArray list ? list.size() : 0;
    if (before != after) {
      causes.forbidden("spec.containers", "pod updates may not add or remove containers");
      return;
    }
    imagesStay(object, causes);
    JsonElement deadline = at(object, "spec", "activeDeadlineSeconds");
    JsonElement was = at(old, "spec", "activeDeadlineSeconds");
    if (was != null && deadline == null) {
      causes.invalid(
          "spec.activeDeadlineSeconds",
          JsonNull.INSTANCE,
          "must not update from a positive integer to nil value");
      return;
    }
    if (was != null && deadline != null && deadline.getAsLong() > was.getAsLong()) {
      causes.invalid(
          "spec.activeDeadlineSeconds", deadline, "must be less than or equal to previous value");
      return;
    }
    JsonObject now = munged(object, old);
    if (!now.equals(child(old.deepCopy(), "spec"))) {
      causes.forbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`");
    }
    tolerations(object, old, causes);
  }

  /** Kubernetes asks for images once more when a pod changes, and lists the cause twice. */
  private static void imagesStay(JsonObject object, Causes causes) {
    if (at(object, "spec", "containers") instanceof JsonArray containers) {
      for (int i = 0; i < containers.size(); i++) {
        if (text(containers.get(i).getAsJsonObject(), "image").isEmpty()) {
          causes.required("spec.containers[" + i + "].image", "");
        }
      }
    }
  }

  /** The new spec with what may change put back to what it was. */
  private static JsonObject munged(JsonObject object, JsonObject old) {
    JsonObject now = child(object, "spec").deepCopy();
    JsonObject before = child(old.deepCopy(), "spec");
    for (String list : List.of("containers", "initContainers")) {
      if (now.get(list) instanceof JsonArray a
          && before.get(list) instanceof JsonArray b
          && a.size() == b.size()) {
        for (int i = 0; i < a.size(); i++) {
          a.get(i).getAsJsonObject().add("image", b.get(i).getAsJsonObject().get("image"));
        }
      }
    }
    for (String field : List.of("activeDeadlineSeconds", "tolerations")) {
      if (before.has(field)) {
        now.add(field, before.get(field));
      } else {
        now.remove(field);
      }
    }
    JsonElement grace = before.get("terminationGracePeriodSeconds");
    if (grace != null
        && grace.getAsLong() < 0
        && now.has("terminationGracePeriodSeconds")
        && now.get("terminationGracePeriodSeconds").getAsLong() == 1) {
      now.add("terminationGracePeriodSeconds", grace);
    }
    return now;
  }

  private static void tolerations(JsonObject object, JsonObject old, Causes causes) {
    if (at(old, "spec", "tolerations") instanceof JsonArray before) {
      JsonArray now =
          at(object, "spec", "tolerations") instanceof JsonArray n ? n : new JsonArray();
      for (JsonElement toleration : before) {
        if (!now.contains(toleration)) {
          causes.forbidden(
              "spec.tolerations",
              "existing toleration can not be modified except its tolerationSeconds");
        }
      }
    }
  }

  @Override
  public @Nullable String selectable(JsonObject object, String field) {
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
  public List<Column> columns() {
    return List.of(
        Cells.NAME,
        Cells.column("Ready"),
        Cells.column("Status"),
        Cells.column("Restarts"),
        Cells.AGE,
        Cells.wide("IP"),
        Cells.wide("Node"),
        Cells.wide("Nominated Node"),
        Cells.wide("Readiness Gates"));
  }

  @Override
  public List<JsonElement> cells(JsonObject o) {
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
            ? Cells.or(text(o, "status", "reason"), text(o, "status", "phase"))
            : "Terminating";
    return List.of(
        Cells.name(o),
        Cells.cell(ready + "/" + containers),
        Cells.cell(phase),
        Cells.cell("0"),
        Cells.age(o),
        Cells.cell(Cells.or(text(o, "status", "podIP"), "<none>")),
        Cells.cell(Cells.or(text(o, "spec", "nodeName"), "<none>")),
        Cells.cell(Cells.or(text(o, "status", "nominatedNodeName"), "<none>")),
        Cells.cell("<none>"));
  }
}
