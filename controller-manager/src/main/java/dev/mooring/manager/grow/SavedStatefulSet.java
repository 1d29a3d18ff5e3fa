package dev.mooring.manager.grow;

import com.google.gson.JsonParseException;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A StatefulSet to create again. A ConfigMap contains it, so that it survives the machine on which
 * the command runs. By Kubernetes' default roles, readers of StatefulSets may also read ConfigMaps.
 *
 * @param replaced uid of the StatefulSet that is or will be deleted
 * @param template name of the template with the new size
 * @param size new size
 * @param manifest StatefulSet with the new size
 */
public record SavedStatefulSet(
    Uid replaced, String template, Quantity size, Map<String, Object> manifest) {
  private static final String MANIFEST = "statefulset.json";

  public record Location(Uid uid, long version) {}

  static SavedStatefulSet of(StoredStatefulSet current, String template, Quantity size) {
    return new SavedStatefulSet(current.uid(), template, size, current.manifest(template, size));
  }

  static Optional<SavedStatefulSet> parse(Map<String, Object> configMap) {
    String uid = JsonMembers.textAt(configMap, "data", "uid");
    String template = JsonMembers.textAt(configMap, "data", "template");
    Optional<Quantity> size = Quantity.parse(JsonMembers.textAt(configMap, "data", "size"));
    if (uid.isEmpty() || template.isEmpty() || size.isEmpty()) {
      return Optional.empty();
    }
    try {
      Map<String, Object> manifest =
          JsonMembers.parse(JsonMembers.textAt(configMap, "data", MANIFEST));
      return manifest.isEmpty()
          ? Optional.empty()
          : Optional.of(new SavedStatefulSet(Uid.of(uid), template, size.get(), manifest));
    } catch (JsonParseException e) {
      return Optional.empty();
    }
  }

  static Location location(Map<String, Object> configMap) {
    String version = JsonMembers.textAt(configMap, "metadata", "resourceVersion");
    return new Location(
        Uid.of(JsonMembers.textAt(configMap, "metadata", "uid")),
        version.isEmpty() ? 0 : Long.parseLong(version));
  }

  Map<String, String> data() {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("uid", replaced.toString());
    data.put("template", template);
    data.put("size", size.toString());
    data.put(MANIFEST, JsonMembers.toJson(manifest));
    return data;
  }

  Map<String, Object> toConfigMap(ObjectKey key) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("apiVersion", GrowthRequest.CONFIG_MAP.apiVersion());
    members.put("kind", GrowthRequest.CONFIG_MAP.kind());
    members.put(
        "metadata",
        Map.of(
            "name",
            key.name(),
            "namespace",
            key.namespace(),
            "labels",
            Map.of("app.kubernetes.io/managed-by", "mooring")));
    members.put("data", data());
    return members;
  }

  Map<String, Object> toCreate() {
    return StoredStatefulSet.withoutFieldManagers(manifest);
  }

  List<?> fieldManagers() {
    return new StoredStatefulSet(manifest).fieldManagers();
  }
}
