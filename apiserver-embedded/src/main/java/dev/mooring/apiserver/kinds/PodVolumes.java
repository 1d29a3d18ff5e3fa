package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A pod's volumes, and what its containers do with them. */
final class PodVolumes {
  private static final Schema.Message SOURCES = Schema.message("VolumeSource");
  private static final List<String> BLOCK = List.of("persistentVolumeClaim", "ephemeral");

  private PodVolumes() {}

  /** What is wrong with the volumes of a pod's spec and their use. */
  static void validate(JsonObject spec, String field, Causes causes) {
    Map<String, String> sources = new HashMap<>();
    if (at(spec, "volumes") instanceof JsonArray volumes) {
      for (int i = 0; i < volumes.size(); i++) {
        volume(volumes.get(i).getAsJsonObject(), field + ".volumes[" + i + "]", sources, causes);
      }
    }
    for (String list : List.of("containers", "initContainers")) {
      if (at(spec, list) instanceof JsonArray containers) {
        for (int i = 0; i < containers.size(); i++) {
          uses(
              containers.get(i).getAsJsonObject(),
              field + "." + list + "[" + i + "]",
              sources,
              causes);
        }
      }
    }
  }

  private static void volume(
      JsonObject volume, String field, Map<String, String> sources, Causes causes) {
    String name = text(volume, "name");
    List<String> types = new ArrayList<>();
    for (Schema.Field source : SOURCES.fields()) {
      if (at(volume, source.name()) != null) {
        types.add(source.name());
      }
    }
    // Kubernetes looks at emptyDir first; whatever it finds later is one too many
    types.sort((a, b) -> Boolean.compare(b.equals("emptyDir"), a.equals("emptyDir")));
    types.stream()
        .skip(1)
        .forEach(t -> causes.forbidden(field + "." + t, "may not specify more than 1 volume type"));
    if (types.isEmpty()) {
      causes.required(field, "must specify a volume type");
    } else {
      source(volume, types.getFirst(), field, causes);
    }
    if (name.isEmpty()) {
      causes.required(field + ".name", "");
    } else if (sources.putIfAbsent(name, types.isEmpty() ? "" : types.getFirst()) != null) {
      causes.duplicate(field + ".name", name);
    }
    if (!name.isEmpty() && !Names.isLabel(name)) {
      causes.invalid(field + ".name", name, Names.LABEL_RULE);
    }
  }

  private static void source(JsonObject volume, String type, String field, Causes causes) {
    switch (type) {
      case "persistentVolumeClaim" -> {
        if (text(volume, type, "claimName").isEmpty()) {
          causes.required(field + "." + type + ".claimName", "");
        }
      }
      case "hostPath" -> {
        if (text(volume, type, "path").isEmpty()) {
          causes.required(field + "." + type + ".path", "");
        }
      }
      case "configMap" -> {
        if (text(volume, type, "name").isEmpty()) {
          causes.required(field + "." + type + ".name", "");
        }
      }
      case "secret" -> {
        if (text(volume, type, "secretName").isEmpty()) {
          causes.required(field + "." + type + ".secretName", "");
        }
      }
      case "csi" -> {
        if (text(volume, type, "driver").isEmpty()) {
          causes.required(field + "." + type + ".driver", "");
        }
      }
      case "nfs" -> {
        if (text(volume, type, "server").isEmpty()) {
          causes.required(field + "." + type + ".server", "");
        }
        if (text(volume, type, "path").isEmpty()) {
          causes.required(field + "." + type + ".path", "");
        }
      }
      case "ephemeral" -> {
        if (at(volume, type, "volumeClaimTemplate") == null) {
          causes.required(field + "." + type + ".volumeClaimTemplate", "");
        }
      }
      default -> {
        // the others are taken as they come: nothing here mounts them
      }
    }
  }

  private static void uses(
      JsonObject container, String field, Map<String, String> sources, Causes causes) {
    if (at(container, "volumeMounts") instanceof JsonArray mounts) {
      Set<String> paths = new HashSet<>();
      for (int i = 0; i < mounts.size(); i++) {
        JsonObject mount = mounts.get(i).getAsJsonObject();
        String at = field + ".volumeMounts[" + i + "]";
        use(text(mount, "name"), at, sources, causes);
        String path = text(mount, "mountPath");
        if (path.isEmpty()) {
          causes.required(at + ".mountPath", "");
        } else if (!paths.add(path)) {
          causes.invalid(at + ".mountPath", path, "must be unique");
        }
      }
    }
    if (at(container, "volumeDevices") instanceof JsonArray devices) {
      for (int i = 0; i < devices.size(); i++) {
        device(devices.get(i), field + ".volumeDevices[" + i + "]", sources, causes);
      }
    }
  }

  private static void use(String name, String field, Map<String, String> sources, Causes causes) {
    if (name.isEmpty()) {
      causes.required(field + ".name", "");
    } else if (!sources.containsKey(name)) {
      causes.notFound(field + ".name", name);
    }
  }

  private static void device(
      JsonElement one, String field, Map<String, String> sources, Causes causes) {
    JsonObject device = one.getAsJsonObject();
    String name = text(device, "name");
    use(name, field, sources, causes);
    String type = sources.get(name);
    if (type != null && !BLOCK.contains(type)) {
      causes.invalid(
          field + ".name",
          name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    if (text(device, "devicePath").isEmpty()) {
      causes.required(field + ".devicePath", "");
    }
  }
}
