package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** The kinds of storage.k8s.io. */
final class StorageRules {
  private StorageRules() {}

  private static void fixed(JsonObject object, JsonObject old, String field, Causes causes) {
    if (!Objects.equals(at(object, field), at(old, field))) {
      causes.forbidden(field, "updates to " + field + " are forbidden.");
    }
  }

  private static void defaultTo(JsonObject object, String field, String value) {
    if (text(object, field).isEmpty()) {
      object.addProperty(field, value);
    }
  }

  private static void defaultTo(JsonObject object, String field, boolean value) {
    if (!object.has(field)) {
      object.addProperty(field, value);
    }
  }

  /** StorageClasses. */
  static final class Classes implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      defaultTo(object, "reclaimPolicy", "Delete");
      defaultTo(object, "volumeBindingMode", "Immediate");
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      if (text(object, "provisioner").isEmpty()) {
        causes.required("provisioner", "");
      } else {
        Names.qualified(
            text(object, "provisioner").toLowerCase(Locale.ROOT), "provisioner", causes);
      }
      topologies(object, causes);
      if (!List.of("Delete", "Retain").contains(text(object, "reclaimPolicy"))) {
        causes.notSupported(
            "reclaimPolicy", text(object, "reclaimPolicy"), List.of("Delete", "Retain"));
      }
      if (!List.of("Immediate", "WaitForFirstConsumer")
          .contains(text(object, "volumeBindingMode"))) {
        causes.notSupported(
            "volumeBindingMode",
            text(object, "volumeBindingMode"),
            List.of("Immediate", "WaitForFirstConsumer"));
      }
    }

    private static void topologies(JsonObject object, Causes causes) {
      if (!(at(object, "allowedTopologies") instanceof JsonArray terms)) {
        return;
      }
      for (int i = 0; i < terms.size(); i++) {
        JsonElement all = at(terms.get(i).getAsJsonObject(), "matchLabelExpressions");
        JsonArray expressions = all instanceof JsonArray list ? list : new JsonArray();
        Set<String> keys = new HashSet<>();
        for (int j = 0; j < expressions.size(); j++) {
          JsonObject expression = expressions.get(j).getAsJsonObject();
          String field = "allowedTopologies[" + i + "].matchLabelExpressions[" + j + "]";
          Set<String> seen = new HashSet<>();
          List<String> values = strings(expression, "values");
          if (values.isEmpty()) {
            causes.required(field + ".values", "");
          }
          for (int k = 0; k < values.size(); k++) {
            if (!seen.add(values.get(k))) {
              causes.duplicate(field + ".values[" + k + "]", values.get(k));
            }
          }
          Names.qualified(text(expression, "key"), field + ".key", causes);
          if (!keys.add(text(expression, "key"))) {
            causes.duplicate(field + ".key", text(expression, "key"));
          }
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
        if (!Objects.equals(at(object, field), at(old, field))) {
          causes.immutable(field, Causes.value(at(object, field)));
        }
      }
      if (!text(object, "volumeBindingMode").equals(text(old, "volumeBindingMode"))) {
        causes.invalid(
            "volumeBindingMode", text(object, "volumeBindingMode"), "field is immutable");
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Provisioner"),
          Cells.column("ReclaimPolicy"),
          Cells.column("VolumeBindingMode"),
          Cells.column("AllowVolumeExpansion"),
          Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      boolean isDefault =
          text(o, "metadata", "annotations", "storageclass.kubernetes.io/is-default-class")
                  .equals("true")
              || text(
                      o,
                      "metadata",
                      "annotations",
                      "storageclass.beta.kubernetes.io/is-default-class")
                  .equals("true");
      JsonElement grows = at(o, "allowVolumeExpansion");
      return List.of(
          Cells.cell(text(o, "metadata", "name") + (isDefault ? " (default)" : "")),
          Cells.cell(text(o, "provisioner")),
          Cells.cell(text(o, "reclaimPolicy")),
          Cells.cell(text(o, "volumeBindingMode")),
          Cells.cell(grows != null && grows.getAsBoolean()),
          Cells.age(o));
    }
  }

  /** VolumeAttachments. */
  static final class Attachments implements Rules {
    @Override
    public void prepareCreate(JsonObject object) {
      JsonObject status = new JsonObject();
      status.addProperty("attached", false);
      object.add("status", status);
    }

    @Override
    public void prepareStatus(JsonObject object, JsonObject old) {
      defaultTo(child(object, "status"), "attached", false);
      for (String name : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
        JsonElement was = at(old, "metadata", name);
        if (was == null) {
          child(object, "metadata").remove(name);
        } else {
          child(object, "metadata").add(name, was);
        }
      }
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      String attacher = text(object, "spec", "attacher");
      if (attacher.isEmpty()) {
        causes.required("spec.attacher", "");
      }
      String volume = text(object, "spec", "source", "persistentVolumeName");
      boolean inline = at(object, "spec", "source", "inlineVolumeSpec") != null;
      boolean named = at(object, "spec", "source", "persistentVolumeName") != null;
      if (!named && at(object, "spec", "source", "inlineVolumeSpec", "capacity") != null) {
        causes.forbidden(
            "spec.source.inlineVolumeSpec.capacity",
            "may not be specified in the context of inline volumes");
      }
      if (!inline && !named) {
        causes.required(
            "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
      } else if (inline && named) {
        causes.forbidden(
            "spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
      } else if (named && volume.isEmpty()) {
        causes.required(
            "spec.source.persistentVolumeName", "must specify non empty persistentVolumeName");
      }
      String node = text(object, "spec", "nodeName");
      if (!Names.isSubdomain(node)) {
        causes.invalid("spec.nodeName", node, Names.SUBDOMAIN_RULE);
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      if (!Objects.equals(at(object, "spec"), at(old, "spec"))) {
        causes.invalid("spec", String.valueOf(at(object, "spec")), "field is immutable");
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          new Column("Attacher", "string", "name", "Who attaches the volume.", 0),
          Cells.column("PV"),
          Cells.column("Node"),
          Cells.column("Attached", "boolean"),
          Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      JsonElement attached = at(o, "status", "attached");
      return List.of(
          Cells.name(o),
          Cells.cell(text(o, "spec", "attacher")),
          Cells.cell(text(o, "spec", "source", "persistentVolumeName")),
          Cells.cell(text(o, "spec", "nodeName")),
          Cells.cell(attached != null && attached.getAsBoolean()),
          Cells.age(o));
    }
  }

  /** CSINodes. */
  static final class CsiNodes implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      JsonObject spec = child(object, "spec");
      if (at(spec, "drivers") == null) {
        spec.add("drivers", JsonNull.INSTANCE);
      } else {
        for (JsonElement driver : spec.getAsJsonArray("drivers")) {
          if (at(driver.getAsJsonObject(), "topologyKeys") == null) {
            driver.getAsJsonObject().add("topologyKeys", JsonNull.INSTANCE);
          }
        }
      }
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      JsonArray drivers = drivers(object);
      Set<String> names = new HashSet<>();
      for (int i = 0; i < drivers.size(); i++) {
        JsonObject driver = drivers.get(i).getAsJsonObject();
        String field = "spec.drivers[" + i + "]";
        String name = text(driver, "name");
        if (name.isEmpty()) {
          causes.required(field + ".name", "");
        } else if (name.length() > 63) {
          causes.tooLong(field + ".name", 63);
        }
        if (!name.isEmpty() && !Names.isSubdomain(name.toLowerCase())) {
          causes.invalid(field + ".name", name, Names.SUBDOMAIN_RULE);
        }
        if (text(driver, "nodeID").isEmpty()) {
          causes.required(field + ".nodeID", "");
        } else if (text(driver, "nodeID").length() > 256) {
          causes.invalid(
              field + ".nodeID", text(driver, "nodeID"), "must be 256 characters or less");
        }
        JsonElement count = at(driver, "allocatable", "count");
        if (count != null && count.getAsLong() < 0) {
          causes.invalid(field + ".allocatable.count", count, "must be greater than or equal to 0");
        }
        keys(strings(driver, "topologyKeys"), field + ".topologyKeys", causes);
        if (!names.add(name)) {
          causes.duplicate("spec.drivers[" + i + "].name", name);
        }
      }
    }

    private static JsonArray drivers(JsonObject object) {
      return at(object, "spec", "drivers") instanceof JsonArray drivers ? drivers : new JsonArray();
    }

    private static void keys(List<String> keys, String field, Causes causes) {
      Set<String> seen = new HashSet<>();
      for (String key : keys) {
        if (key.isEmpty()) {
          causes.required(field, "");
        } else if (!seen.add(key)) {
          causes.duplicate(field, key);
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      for (JsonElement o : drivers(old)) {
        for (JsonElement n : drivers(object)) {
          JsonObject was = o.getAsJsonObject();
          JsonObject is = n.getAsJsonObject();
          JsonObject wasFixed = was.deepCopy();
          JsonObject isFixed = is.deepCopy();
          wasFixed.remove("allocatable");
          isFixed.remove("allocatable");
          if (text(was, "name").equals(text(is, "name")) && !wasFixed.equals(isFixed)) {
            causes.invalid("spec.drivers", is, "field is immutable");
          }
        }
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("Drivers", "integer"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          Cells.cell(at(o, "spec", "drivers") instanceof JsonArray drivers ? drivers.size() : 0),
          Cells.age(o));
    }
  }

  /** CSIDrivers. */
  static final class CsiDrivers implements Rules {
    private static final List<String> NEXT_GENERATION =
        List.of(
            "tokenRequests",
            "requiresRepublish",
            "seLinuxMount",
            "podInfoOnMount",
            "storageCapacity",
            "fsGroupPolicy",
            "nodeAllocatableUpdatePeriodSeconds");

    @Override
    public void setDefaults(JsonObject object) {
      JsonObject spec = child(object, "spec");
      defaultTo(spec, "attachRequired", true);
      defaultTo(spec, "podInfoOnMount", false);
      defaultTo(spec, "storageCapacity", false);
      defaultTo(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
      defaultTo(spec, "requiresRepublish", false);
      defaultTo(spec, "seLinuxMount", false);
      if (at(spec, "volumeLifecycleModes") == null) {
        JsonArray modes = new JsonArray();
        modes.add("Persistent");
        spec.add("volumeLifecycleModes", modes);
      }
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      boolean changed =
          NEXT_GENERATION.stream()
              .anyMatch(f -> !Objects.equals(at(object, "spec", f), at(old, "spec", f)));
      JsonElement before = at(old, "metadata", "generation");
      if (changed) {
        child(object, "metadata")
            .addProperty("generation", before == null ? 1 : before.getAsLong() + 1);
      }
    }

    @Override
    public List<String> warnings(JsonObject object) {
      boolean tokens =
          at(object, "spec", "tokenRequests") instanceof JsonArray list && !list.isEmpty();
      return tokens && at(object, "spec", "serviceAccountTokenInSecrets") == null
          ? List.of(
              "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes")
          : List.of();
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      for (String mode : strings(object, "spec", "volumeLifecycleModes")) {
        if (!List.of("Ephemeral", "Persistent").contains(mode)) {
          causes.notSupported(
              "spec.volumeLifecycleModes", mode, List.of("Ephemeral", "Persistent"));
        }
      }
      List<String> policies = List.of("File", "None", "ReadWriteOnceWithFSType");
      if (!policies.contains(text(object, "spec", "fsGroupPolicy"))) {
        causes.notSupported("spec.fsGroupPolicy", text(object, "spec", "fsGroupPolicy"), policies);
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      for (String field : List.of("attachRequired", "volumeLifecycleModes")) {
        if (!Objects.equals(at(object, "spec", field), at(old, "spec", field))) {
          causes.invalid(
              "spec." + (field.equals("attachRequired") ? "attachedRequired" : field),
              String.valueOf(at(object, "spec", field)),
              "field is immutable");
        }
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("AttachRequired", "boolean"),
          Cells.column("PodInfoOnMount", "boolean"),
          Cells.column("StorageCapacity", "boolean"),
          Cells.column("TokenRequests"),
          Cells.column("RequiresRepublish", "boolean"),
          Cells.column("Modes"),
          Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          flag(o, "attachRequired"),
          flag(o, "podInfoOnMount"),
          flag(o, "storageCapacity"),
          Cells.cell("<unset>"),
          flag(o, "requiresRepublish"),
          Cells.cell(String.join(",", strings(o, "spec", "volumeLifecycleModes"))),
          Cells.age(o));
    }

    private static JsonElement flag(JsonObject o, String field) {
      JsonElement value = at(o, "spec", field);
      return Cells.cell(value != null && value.getAsBoolean());
    }
  }

  /** CSIStorageCapacities. */
  static final class Capacities implements Rules {
    @Override
    public void validate(JsonObject object, Causes causes) {
      String name = text(object, "storageClassName");
      if (!Names.isSubdomain(name)) {
        causes.invalid("storageClassName", name, Names.SUBDOMAIN_RULE);
      }
      for (String field : List.of("capacity", "maximumVolumeSize")) {
        JsonElement amount = at(object, field);
        if (amount != null && amount.getAsString().startsWith("-")) {
          causes.invalid(field, amount.getAsString(), "must be greater than or equal to 0");
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      validate(object, causes);
      for (String field : List.of("nodeTopology", "storageClassName")) {
        if (!Objects.equals(at(object, field), at(old, field))) {
          causes.invalid(field, String.valueOf(at(object, field)), "field is immutable");
        }
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("StorageClass"), Cells.column("Capacity"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o),
          Cells.cell(text(o, "storageClassName")),
          Cells.cell(Cells.or(text(o, "capacity"), "<unset>")),
          Cells.age(o));
    }
  }

  /** VolumeAttributesClasses. */
  static final class AttributesClasses implements Rules {
    @Override
    public void validate(JsonObject object, Causes causes) {
      if (text(object, "driverName").isEmpty()) {
        causes.required("driverName", "");
      }
      if (!(at(object, "parameters") instanceof JsonObject parameters) || parameters.isEmpty()) {
        causes.required("parameters", "must contain at least one key/value pair");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      fixed(object, old, "driverName", causes);
      fixed(object, old, "parameters", causes);
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("DriverName"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(Cells.name(o), Cells.cell(text(o, "driverName")), Cells.age(o));
    }
  }
}
