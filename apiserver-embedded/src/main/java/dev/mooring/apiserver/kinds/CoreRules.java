package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The remaining kinds: namespaces, nodes, config maps, secrets, events, leases. */
final class CoreRules {
  private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");

  private CoreRules() {}

  /** Namespaces. */
  static final class Namespaces implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      child(object, "metadata", "labels")
          .addProperty("kubernetes.io/metadata.name", text(object, "metadata", "name"));
    }

    @Override
    public void prepareCreate(JsonObject object) {
      JsonArray finalizers = new JsonArray();
      finalizers.add("kubernetes");
      JsonObject spec = new JsonObject();
      spec.add("finalizers", finalizers);
      object.add("spec", spec);
      JsonObject status = new JsonObject();
      status.addProperty("phase", "Active");
      object.add("status", status);
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      object.add("spec", old.has("spec") ? old.get("spec").deepCopy() : new JsonObject());
    }

    @Override
    public void validateStatus(JsonObject object, JsonObject old, Causes causes) {
      boolean deleting = !text(object, "metadata", "deletionTimestamp").isEmpty();
      String phase = text(object, "status", "phase");
      if (!deleting && !phase.equals("Active")) {
        causes.invalid(
            "status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty");
      } else if (deleting && !phase.equals("Terminating")) {
        causes.invalid(
            "status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
      }
    }

    @Override
    public @Nullable String selectable(JsonObject object, String field) {
      return switch (field) {
        case "status.phase" -> text(object, "status", "phase");
        case "name" -> text(object, "metadata", "name");
        default -> null;
      };
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("Status"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(Cells.name(o), Cells.cell(text(o, "status", "phase")), Cells.age(o));
    }
  }

  /** Nodes. */
  static final class Nodes implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      child(object, "spec");
      child(object, "status");
    }

    @Override
    public void prepareStatus(JsonObject object, JsonObject old) {
      Cells.nullTimes(object, "lastHeartbeatTime", "lastTransitionTime");
      if (at(object, "status", "allocatable") == null
          && at(object, "status", "capacity") instanceof JsonObject capacity) {
        child(object, "status").add("allocatable", capacity.deepCopy());
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      String before = text(old, "spec", "providerID");
      if (!before.isEmpty() && !before.equals(text(object, "spec", "providerID"))) {
        causes.forbidden(
            "spec.providerID", "node updates may not change providerID except from \"\" to valid");
      }
    }

    @Override
    public @Nullable String selectable(JsonObject object, String field) {
      return switch (field) {
        case "spec.unschedulable" -> String.valueOf(flag(object, "spec", "unschedulable"));
        case "name" -> text(object, "metadata", "name");
        default -> null;
      };
    }

    @Override
    public List<Column> columns() {
      return List.of(
          Cells.NAME,
          Cells.column("Status"),
          Cells.column("Roles"),
          Cells.AGE,
          Cells.column("Version"),
          Cells.wide("Internal-IP"),
          Cells.wide("External-IP"),
          Cells.wide("OS-Image"),
          Cells.wide("Kernel-Version"),
          Cells.wide("Container-Runtime"));
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      String ready = "Unknown";
      if (at(o, "status", "conditions") instanceof JsonArray conditions) {
        for (JsonElement one : conditions) {
          JsonObject condition = one.getAsJsonObject();
          if (text(condition, "type").equals("Ready")) {
            ready = text(condition, "status").equals("True") ? "Ready" : "NotReady";
          }
        }
      }
      JsonElement cordoned = at(o, "spec", "unschedulable");
      if (cordoned != null && cordoned.getAsBoolean()) {
        ready += ",SchedulingDisabled";
      }
      return List.of(
          Cells.name(o),
          Cells.cell(ready),
          Cells.cell("<none>"),
          Cells.age(o),
          Cells.cell(text(o, "status", "nodeInfo", "kubeletVersion")),
          Cells.cell("<none>"),
          Cells.cell("<none>"),
          Cells.cell(Cells.or(text(o, "status", "nodeInfo", "osImage"), "<unknown>")),
          Cells.cell(Cells.or(text(o, "status", "nodeInfo", "kernelVersion"), "<unknown>")),
          Cells.cell(
              Cells.or(text(o, "status", "nodeInfo", "containerRuntimeVersion"), "<unknown>")));
    }
  }

  private static void frozen(
      JsonObject object, JsonObject old, Causes causes, List<String> fields) {
    JsonElement immutable = at(old, "immutable");
    if (immutable == null || !immutable.getAsBoolean()) {
      return;
    }
    JsonElement still = at(object, "immutable");
    if (still == null || !still.getAsBoolean()) {
      causes.forbidden("immutable", "field is immutable when `immutable` is set");
    }
    for (String field : fields) {
      if (!Objects.equals(at(object, field), at(old, field))) {
        causes.forbidden(field, "field is immutable when `immutable` is set");
      }
    }
  }

  private static void keys(JsonObject object, String field, Causes causes) {
    if (at(object, field) instanceof JsonObject data) {
      for (String key : data.keySet()) {
        if (!CONFIG_KEY.matcher(key).matches()) {
          causes.invalid(
              field + "[" + key + "]",
              key,
              "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
        }
      }
    }
  }

  /** ConfigMaps. */
  static final class ConfigMaps implements Rules {
    @Override
    public void validate(JsonObject object, Causes causes) {
      keys(object, "data", causes);
      if (at(object, "data") instanceof JsonObject data
          && at(object, "binaryData") instanceof JsonObject binary) {
        for (String key : data.keySet()) {
          if (binary.has(key)) {
            causes.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
          }
        }
      }
      keys(object, "binaryData", causes);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      frozen(object, old, causes, List.of("data", "binaryData"));
      validate(object, causes);
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("Data"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o), Cells.cell(size(o, "data") + size(o, "binaryData")), Cells.age(o));
    }
  }

  private static long size(JsonObject o, String field) {
    return at(o, field) instanceof JsonObject map ? map.size() : 0;
  }

  /** Secrets. */
  static final class Secrets implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      if (text(object, "type").isEmpty()) {
        object.addProperty("type", "Opaque");
      }
      if (object.remove("stringData") instanceof JsonObject plain) {
        plain
            .entrySet()
            .forEach(e ->
                child(object, "data")
                    .add(
                        e.getKey(),
                        new JsonPrimitive(
                            Base64.getEncoder()
                                .encodeToString(
                                    e.getValue().getAsString().getBytes(StandardCharsets.UTF_8)))));
      }
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      keys(object, "data", causes);
      switch (text(object, "type")) {
        case "kubernetes.io/tls" -> {
          need(object, "tls.crt", causes);
          need(object, "tls.key", causes);
        }
        case "kubernetes.io/dockercfg" -> need(object, ".dockercfg", causes);
        case "kubernetes.io/dockerconfigjson" -> need(object, ".dockerconfigjson", causes);
        case "kubernetes.io/ssh-auth" -> need(object, "ssh-privatekey", causes);
        case "kubernetes.io/basic-auth" -> {
          if (at(object, "data", "username") == null && at(object, "data", "password") == null) {
            need(object, "username", causes);
            need(object, "password", causes);
          }
        }
        case "kubernetes.io/service-account-token" -> {
          if (text(object, "metadata", "annotations", "kubernetes.io/service-account.name")
              .isEmpty()) {
            causes.required("metadata.annotations[kubernetes.io/service-account.name]", "");
          }
        }
        default -> {
          // nobody knows what belongs into it
        }
      }
    }

    private static void need(JsonObject object, String key, Causes causes) {
      if (at(object, "data", key) == null) {
        causes.required("data[" + key + "]", "");
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
      frozen(object, old, causes, List.of("data"));
      if (!text(object, "type").equals(text(old, "type"))) {
        causes.invalid("type", text(object, "type"), "field is immutable");
      }
      validate(object, causes);
    }

    @Override
    public @Nullable String selectable(JsonObject object, String field) {
      return field.equals("type") ? text(object, "type") : null;
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("Type"), Cells.column("Data"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(
          Cells.name(o), Cells.cell(text(o, "type")), Cells.cell(size(o, "data")), Cells.age(o));
    }
  }

  /** Leases. */
  static final class Leases implements Rules {
    @Override
    public void setDefaults(JsonObject object) {
      child(object, "spec");
    }

    @Override
    public void validate(JsonObject object, Causes causes) {
      JsonElement duration = at(object, "spec", "leaseDurationSeconds");
      if (duration != null && duration.getAsLong() <= 0) {
        causes.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0");
      }
      JsonElement transitions = at(object, "spec", "leaseTransitions");
      if (transitions != null && transitions.getAsLong() < 0) {
        causes.invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0");
      }
      JsonElement strategy = at(object, "spec", "strategy");
      JsonElement preferred = at(object, "spec", "preferredHolder");
      if (strategy != null
          && !strategy.getAsString().equals("OldestEmulationVersion")
          && !strategy.getAsString().contains("/")) {
        causes.notSupported(
            "spec.strategy", strategy.getAsString(), List.of("OldestEmulationVersion"));
      }
      if (preferred != null
          && !preferred.getAsString().isEmpty()
          && (strategy == null || strategy.getAsString().isEmpty())) {
        causes.forbidden(
            "spec.preferredHolder", "may only be specified when `strategy` is defined");
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(Cells.NAME, Cells.column("Holder"), Cells.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      return List.of(Cells.name(o), Cells.cell(text(o, "spec", "holderIdentity")), Cells.age(o));
    }
  }
}
