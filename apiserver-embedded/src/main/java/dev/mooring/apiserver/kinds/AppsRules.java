package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
          ClaimRules.defaultSpec(child(claim, "spec"));
          set(child(claim, "status"), "phase", "Pending");
        }
      }
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      Place spec = new Place(child(object, "spec"), "spec", causes);
      spec.each("volumeClaimTemplates", claim -> ClaimRules.validateSpec(claim.in("spec")));
      spec.label("serviceName");
      always(spec);
    }

    private static void always(Place spec) {
      spec.atLeast("replicas", 0);
      spec.atLeast("minReadySeconds", 0);
      Rollouts.statefulSet(spec);
      Rollouts.selector(spec, "statefulset");
      JsonObject pods = Rollouts.withClaims(spec.object());
      Rollouts.template(new Place(pods, spec.field(), spec.causes()), "StatefulSet");
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, Causes causes) {
      Rollouts.counts(
          new Place(child(object, "status"), "status", causes),
          List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      always(new Place(child(object, "spec"), "spec", causes));
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
      Rollouts.counts(
          new Place(child(object, "status"), "status", causes),
          List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"));
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
    public void validate(JsonObject object, Causes causes) {
      Place spec = new Place(child(object, "spec"), "spec", causes);
      spec.atLeast("replicas", 0);
      Rollouts.selector(spec, "deployment");
      Rollouts.template(spec, "ReplicaSet");
      Rollouts.deployment(spec);
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, Causes causes) {
      Place status = new Place(child(object, "status"), "status", causes);
      Rollouts.counts(status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"));
      status.atLeast("unavailableReplicas", 0);
      status.atLeast("terminatingReplicas", 0);
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Ready"),
          Cells.column("Up-to-date"),
          Cells.column("Available"),
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
    PodDefaults.spec(child(spec, "template", "spec"));
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
    Place spec = new Place(child(object, "spec"), "spec", causes);
    spec.atLeast("replicas", 0);
    spec.atLeast("minReadySeconds", 0);
    Rollouts.selector(
        spec, getClass().getSimpleName().replaceAll("s$", "").toLowerCase(Locale.ROOT));
    Rollouts.template(spec, "ReplicaSet");
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
    validate(object, causes);
    if (!Objects.equals(at(object, "spec", "selector"), at(old, "spec", "selector"))) {
      causes.immutable("spec.selector", Causes.value(at(object, "spec", "selector")));
    }
  }
}
