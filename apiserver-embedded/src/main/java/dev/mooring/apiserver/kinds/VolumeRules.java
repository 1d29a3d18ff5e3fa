package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Values;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** PersistentVolumes. */
final class VolumeRules implements Rules {
  static final List<String> MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final Schema.Message SOURCES = Schema.message("PersistentVolumeSource");

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    if (text(spec, "persistentVolumeReclaimPolicy").isEmpty()) {
      spec.addProperty("persistentVolumeReclaimPolicy", "Retain");
    }
    if (text(spec, "volumeMode").isEmpty()) {
      spec.addProperty("volumeMode", "Filesystem");
    }
    if (text(spec, "storageClassName").isEmpty()) {
      spec.remove("storageClassName"); // a plain string there, which is not kept when it is empty
    }
    if (at(spec, "hostPath") instanceof JsonObject hostPath && at(hostPath, "type") == null) {
      hostPath.addProperty("type", "");
    }
    if (at(spec, "iscsi") instanceof JsonObject iscsi && text(iscsi, "iscsiInterface").isEmpty()) {
      iscsi.addProperty("iscsiInterface", "default");
    }
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = new JsonObject();
    status.addProperty("phase", "Pending");
    status.addProperty("lastPhaseTransitionTime", Values.seconds(Instant.now()));
    object.add("status", status);
  }

  @Override
  public List<String> warnings(JsonObject object) {
    return text(object, "spec", "persistentVolumeReclaimPolicy").equals("Recycle")
        ? List.of(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
        : List.of();
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    JsonObject status = child(object, "status");
    String phase = text(status, "phase");
    String before = text(old, "status", "lastPhaseTransitionTime");
    if (phase.isEmpty()) {
      status.addProperty("phase", "Pending");
    }
    if (!phase.equals(text(old, "status", "phase"))) {
      String sent = text(status, "lastPhaseTransitionTime");
      if (sent.isEmpty() || sent.equals(before)) {
        status.addProperty("lastPhaseTransitionTime", Values.seconds(Instant.now()));
      }
    }
  }

  @Override
  public void validate(JsonObject object, Causes causes) {
    JsonObject spec = child(object, "spec");
    modes(strings(spec, "accessModes"), "spec.accessModes", causes);
    capacity(at(spec, "capacity"), causes);
    String policy = text(spec, "persistentVolumeReclaimPolicy");
    if (!List.of("Delete", "Recycle", "Retain").contains(policy)) {
      causes.notSupported(
          "spec.persistentVolumeReclaimPolicy", policy, List.of("Delete", "Recycle", "Retain"));
    }
    source(spec, causes);
    String mode = text(spec, "volumeMode");
    if (!List.of("Block", "Filesystem").contains(mode)) {
      causes.notSupported("spec.volumeMode", mode, List.of("Block", "Filesystem"));
    }
  }

  static void modes(List<String> modes, String field, Causes causes) {
    if (modes.isEmpty()) {
      causes.required(field, field.startsWith("spec.accessModes") && causes.isEmpty() ? "" : "");
    }
    for (String mode : modes) {
      if (!MODES.contains(mode)) {
        causes.notSupported(field, mode, MODES);
      }
    }
    if (modes.contains("ReadWriteOncePod")
        && modes.stream().anyMatch(m -> !m.equals("ReadWriteOncePod") && MODES.contains(m))) {
      causes.forbidden(field, "may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void capacity(
      @org.jspecify.annotations.Nullable JsonElement capacity, Causes causes) {
    JsonObject map = capacity instanceof JsonObject m ? m : new JsonObject();
    if (map.isEmpty()) {
      causes.required("spec.capacity", "");
    }
    if (!map.has("storage") || map.size() > 1) {
      causes.notSupported("spec.capacity", map.isEmpty() ? "null" : map, List.of("storage"));
    }
    for (String resource : map.keySet()) {
      String written = map.get(resource).getAsString();
      BigDecimal amount = Objects.requireNonNull(Values.amount(written));
      if (amount.signum() < 0) {
        causes.invalid(
            "spec.capacity[" + resource + "]", amount, "must be a valid resource quantity");
      }
      if (resource.equals("storage") && amount.signum() <= 0) {
        causes.invalid("spec.capacity[storage]", written, "must be greater than zero");
      }
    }
  }

  private static void source(JsonObject spec, Causes causes) {
    List<String> types = new ArrayList<>();
    for (Schema.Field field : SOURCES.fields()) {
      if (at(spec, field.name()) != null) {
        types.add(field.name());
      }
    }
    if (types.isEmpty()) {
      causes.required("spec", "must specify a volume type");
    }
    // the order in which Kubernetes looks at them decides which one counts as the surplus
    types.stream()
        .filter(t -> !t.equals("hostPath") || types.size() == 1)
        .skip(types.contains("hostPath") && types.size() > 1 ? 0 : 1)
        .forEach(t -> causes.forbidden("spec." + t, "may not specify more than 1 volume type"));
    if (types.size() == 1) {
      details(spec, types.getFirst(), causes);
    }
  }

  private static void details(JsonObject spec, String type, Causes causes) {
    switch (type) {
      case "hostPath" -> {
        path(text(spec, "hostPath", "path"), "spec.hostPath.path", causes);
        String kind = text(spec, "hostPath", "type");
        List<String> kinds =
            List.of(
                "",
                "BlockDevice",
                "CharDevice",
                "Directory",
                "DirectoryOrCreate",
                "File",
                "FileOrCreate",
                "Socket");
        if (!kinds.contains(kind)) {
          causes.notSupported("spec.hostPath.type", kind, kinds);
        }
        if (text(spec, "hostPath", "path").equals("/")
            && text(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
          causes.forbidden(
              "spec.persistentVolumeReclaimPolicy",
              "may not be 'recycle' for a hostPath mount of '/'");
        }
      }
      case "local" -> {
        path(text(spec, "local", "path"), "spec.local.path", causes);
        if (at(spec, "nodeAffinity") == null) {
          causes.required("spec.nodeAffinity", "Local volume requires node affinity");
        }
      }
      case "nfs" -> {
        if (text(spec, "nfs", "server").isEmpty()) {
          causes.required("spec.nfs.server", "");
        }
        String path = text(spec, "nfs", "path");
        if (path.isEmpty()) {
          causes.required("spec.nfs.path", "");
        } else if (!path.startsWith("/")) {
          causes.invalid("spec.nfs.path", path, "must be an absolute path");
        }
      }
      case "csi" -> {
        if (text(spec, "csi", "driver").isEmpty()) {
          causes.required("spec.csi.driver", "");
        }
        if (text(spec, "csi", "volumeHandle").isEmpty()) {
          causes.required("spec.csi.volumeHandle", "");
        }
      }
      default -> {
        // the other sources are taken as they come: nothing here mounts them
      }
    }
  }

  private static void path(String path, String field, Causes causes) {
    if (path.isEmpty()) {
      causes.required(field, "");
    } else if (Arrays.asList(path.split("/")).contains("..")) {
      causes.invalid(field, path, "must not contain '..'");
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, Causes causes) {
    validate(object, causes);
    JsonObject now = child(object, "spec");
    JsonObject before = child(old.deepCopy(), "spec");
    boolean sourceChanged = false;
    for (Schema.Field field : SOURCES.fields()) {
      JsonElement a = at(now, field.name());
      JsonElement b = at(before, field.name());
      if (!Objects.equals(a, b) && !(field.name().equals("csi") && onlyExpandSecretAdded(a, b))) {
        sourceChanged = true;
      }
    }
    if (sourceChanged) {
      causes.forbidden(
          "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
    }
    if (!text(now, "volumeMode").equals(text(before, "volumeMode"))) {
      causes.invalid("volumeMode", text(now, "volumeMode"), "field is immutable");
    }
    if (at(before, "nodeAffinity") != null
        && !Objects.equals(at(now, "nodeAffinity"), at(before, "nodeAffinity"))) {
      causes.invalid("nodeAffinity", String.valueOf(at(now, "nodeAffinity")), "field is immutable");
    }
  }

  private static boolean onlyExpandSecretAdded(
      @org.jspecify.annotations.Nullable JsonElement now,
      @org.jspecify.annotations.Nullable JsonElement before) {
    if (!(now instanceof JsonObject a) || !(before instanceof JsonObject b)) {
      return false;
    }
    JsonObject stripped = a.deepCopy();
    boolean added = false;
    for (String name : List.of("controllerExpandSecretRef", "nodeExpandSecretRef")) {
      if (!b.has(name) && stripped.has(name)) {
        stripped.remove(name);
        added = true;
      }
    }
    return added && stripped.equals(b);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Cells.NAME,
        Cells.column("Capacity"),
        Cells.column("Access Modes"),
        Cells.column("Reclaim Policy"),
        Cells.column("Status"),
        Cells.column("Claim"),
        Cells.column("StorageClass"),
        Cells.column("VolumeAttributesClass"),
        Cells.column("Reason"),
        Cells.AGE,
        Cells.wide("VolumeMode"));
  }

  @Override
  public List<JsonElement> cells(JsonObject o) {
    String phase = text(o, "status", "phase");
    String claim =
        text(o, "spec", "claimRef", "namespace") + "/" + text(o, "spec", "claimRef", "name");
    return List.of(
        Cells.name(o),
        Cells.cell(text(o, "spec", "capacity", "storage")),
        Cells.cell(Cells.modes(strings(o, "spec", "accessModes"))),
        Cells.cell(text(o, "spec", "persistentVolumeReclaimPolicy")),
        Cells.cell(text(o, "metadata", "deletionTimestamp").isEmpty() ? phase : "Terminating"),
        Cells.cell(claim.equals("/") ? "" : claim),
        Cells.cell(className(o)),
        Cells.cell(Cells.or(text(o, "spec", "volumeAttributesClassName"), "<unset>")),
        Cells.cell(text(o, "status", "reason")),
        Cells.age(o),
        Cells.cell(Cells.or(text(o, "spec", "volumeMode"), "<unset>")));
  }

  static String className(JsonObject o) {
    String byAnnotation =
        text(o, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
    return byAnnotation.isEmpty() ? text(o, "spec", "storageClassName") : byAnnotation;
  }
}
