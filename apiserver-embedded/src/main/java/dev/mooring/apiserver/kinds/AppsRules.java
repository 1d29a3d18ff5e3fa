package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The kinds of apps/v1: what makes pods of a template. */
class AppsRules extends PlainRules {
  /** StatefulSets. */
  static final class StatefulSets extends AppsRules {
    private static final List<String> CHANGEABLE =
        List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    @Override
    public void setDefaults(JsonObject object) {
      super.setDefaults(object);
      JsonObject spec = child(object, "spec");
      set(spec, "podManagementPolicy", "OrderedReady");
      JsonObject strategy = child(spec, "updateStrategy");
      set(strategy, "type", "RollingUpdate");
      if (text(strategy, "type").equals("RollingUpdate")) {
        number(child(strategy, "rollingUpdate"), "partition", 0);
      }
      number(spec, "revisionHistoryLimit", 10);
      JsonObject retention = child(spec, "persistentVolumeClaimRetentionPolicy");
      set(retention, "whenDeleted", "Retain");
      set(retention, "whenScaled", "Retain");
      if (at(spec, "volumeClaimTemplates") instanceof JsonArray claims) {
        for (JsonElement one : claims) {
          JsonObject claim = one.getAsJsonObject();
          claim.addProperty("kind", "PersistentVolumeClaim");
          claim.addProperty("apiVersion", "v1");
          set(child(claim, "spec"), "volumeMode", "Filesystem");
          set(child(claim, "status"), "phase", "Pending");
        }
      }
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      super.validate(object, causes);
      String policy = text(object, "spec", "podManagementPolicy");
      if (!List.of("OrderedReady", "Parallel").contains(policy)) {
        causes.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
      }
      String type = text(object, "spec", "updateStrategy", "type");
      if (!List.of("RollingUpdate", "OnDelete").contains(type)) {
        JsonObject told = new JsonObject();
        told.addProperty("Type", type);
        told.add("RollingUpdate", com.google.gson.JsonNull.INSTANCE);
        causes.invalid("spec.updateStrategy", told, "must be 'RollingUpdate' or 'OnDelete'");
      }
      for (String when : List.of("whenDeleted", "whenScaled")) {
        String field = "persistentVolumeClaimRetentionPolicy";
        String value = text(object, "spec", field, when);
        if (!List.of("Retain", "Delete").contains(value)) {
          causes.notSupported("spec." + field + "." + when, value, List.of("Retain", "Delete"));
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      JsonObject now = child(object, "spec").deepCopy();
      JsonObject before = child(old.deepCopy(), "spec");
      CHANGEABLE.forEach(f -> {
        now.remove(f);
        before.remove(f);
      });
      if (!now.equals(before)) {
        causes.forbidden(
            "spec",
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Ready"),
          Cells.AGE,
          Cells.wide("Containers"),
          Cells.wide("Images"));
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          Cells.cell(number(o, "status", "readyReplicas") + "/" + number(o, "spec", "replicas")),
          Cells.age(o),
          Cells.cell(containers(o, "name")),
          Cells.cell(containers(o, "image")));
    }
  }

  /** ReplicaSets. */
  static final class ReplicaSets extends AppsRules {
    @Override
    public void validateStatus(JsonObject object, JsonObject old, Causes causes) {
      long replicas = number(object, "status", "replicas");
      for (String field : List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas")) {
        long count = number(object, "status", field);
        if (count > replicas) {
          causes.invalid("status." + field, count, "cannot be greater than status.replicas");
        }
      }
      if (number(object, "status", "availableReplicas")
          > number(object, "status", "readyReplicas")) {
        causes.invalid(
            "status.availableReplicas",
            number(object, "status", "availableReplicas"),
            "cannot be greater than readyReplicas");
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Desired", "integer"),
          Cells.column("Current", "integer"),
          Cells.column("Ready", "integer"),
          Cells.AGE,
          Cells.wide("Containers"),
          Cells.wide("Images"),
          Cells.wide("Selector"));
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          Cells.cell(number(o, "spec", "replicas")),
          Cells.cell(number(o, "status", "replicas")),
          Cells.cell(number(o, "status", "readyReplicas")),
          Cells.age(o),
          Cells.cell(containers(o, "name")),
          Cells.cell(containers(o, "image")),
          Cells.cell(selector(o)));
    }
  }

  /** Deployments. */
  static final class Deployments extends AppsRules {
    @Override
    public void setDefaults(JsonObject object) {
      super.setDefaults(object);
      JsonObject spec = child(object, "spec");
      JsonObject strategy = child(spec, "strategy");
      set(strategy, "type", "RollingUpdate");
      if (text(strategy, "type").equals("RollingUpdate")) {
        JsonObject rolling = child(strategy, "rollingUpdate");
        set(rolling, "maxUnavailable", "25%");
        set(rolling, "maxSurge", "25%");
      }
      number(spec, "revisionHistoryLimit", 10);
      number(spec, "progressDeadlineSeconds", 600);
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Ready"),
          Cells.column("Up-to-date", "integer"),
          Cells.column("Available", "integer"),
          Cells.AGE,
          Cells.wide("Containers"),
          Cells.wide("Images"),
          Cells.wide("Selector"));
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          Cells.cell(number(o, "status", "readyReplicas") + "/" + number(o, "spec", "replicas")),
          Cells.cell(number(o, "status", "updatedReplicas")),
          Cells.cell(number(o, "status", "availableReplicas")),
          Cells.age(o),
          Cells.cell(containers(o, "name")),
          Cells.cell(containers(o, "image")),
          Cells.cell(selector(o)));
    }
  }

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    number(spec, "replicas", 1);
    PodRules.defaultSpec(child(spec, "template", "spec"));
  }

  static void set(JsonObject object, String field, String value) {
    if (at(object, field) == null || text(object, field).isEmpty()) {
      object.addProperty(field, value);
    }
  }

  static void number(JsonObject object, String field, long value) {
    if (at(object, field) == null) {
      object.addProperty(field, value);
    }
  }

  static long number(JsonObject object, String... path) {
    JsonElement value = at(object, path);
    return value == null ? 0 : value.getAsLong();
  }

  static String containers(JsonObject object, String field) {
    List<String> all = new ArrayList<>();
    if (at(object, "spec", "template", "spec", "containers") instanceof JsonArray list) {
      list.forEach(c -> all.add(text(c.getAsJsonObject(), field)));
    }
    return String.join(",", all);
  }

  static String selector(JsonObject object) {
    List<String> terms = new ArrayList<>();
    if (at(object, "spec", "selector", "matchLabels") instanceof JsonObject labels) {
      labels.keySet().stream().sorted().forEach(k -> terms.add(k + "=" + text(labels, k)));
    }
    return String.join(",", terms);
  }

  @Override
  public void prepareCreate(JsonObject object) {
    object.remove("status");
    child(object, "status").addProperty("replicas", 0);
    if (this instanceof StatefulSets) {
      child(object, "status").addProperty("availableReplicas", 0);
    } else if (this instanceof Deployments) {
      object.add("status", new JsonObject());
    }
    child(object, "metadata").addProperty("generation", 1);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    if (!Objects.equals(object.get("spec"), old.get("spec"))) {
      long before = number(old, "metadata", "generation");
      child(object, "metadata").addProperty("generation", before + 1);
    }
  }

  @Override
  public void validate(JsonObject object, Causes causes) {
    JsonObject spec = child(object, "spec");
    if (number(spec, "replicas") < 0) {
      causes.invalid(
          "spec.replicas", number(spec, "replicas"), "must be greater than or equal to 0");
    }
    JsonElement selector = at(spec, "selector");
    if (selector == null) {
      causes.required("spec.selector", "");
    } else {
      Selectable.validate(selector, "spec.selector", causes);
      JsonObject wanted =
          at(spec, "selector", "matchLabels") instanceof JsonObject labels
              ? labels
              : new JsonObject();
      JsonObject had =
          at(spec, "template", "metadata", "labels") instanceof JsonObject labels
              ? labels
              : new JsonObject();
      boolean empty = wanted.isEmpty() && at(spec, "selector", "matchExpressions") == null;
      if (empty) {
        causes.invalid(
            "spec.selector", selector, "empty selector is invalid for " + kindOfSelector());
      }
      for (Map.Entry<String, JsonElement> label : wanted.entrySet()) {
        if (!label.getValue().equals(had.get(label.getKey()))) {
          causes.invalid(
              "spec.template.metadata.labels", had, "`selector` does not match template `labels`");
          break;
        }
      }
    }
    PodRules.validateSpec(child(spec, "template", "spec"), "spec.template.spec", causes);
    String restart = text(spec, "template", "spec", "restartPolicy");
    if (List.of("OnFailure", "Never").contains(restart)) {
      causes.notSupported("spec.template.spec.restartPolicy", restart, List.of("Always"));
    }
  }

  private String kindOfSelector() {
    return getClass().getSimpleName().replaceAll("s$", "").toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
    validate(object, causes);
    if (!Objects.equals(at(object, "spec", "selector"), at(old, "spec", "selector"))) {
      causes.immutable("spec.selector", Causes.value(at(object, "spec", "selector")));
    }
  }
}
