package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owner reference of CSIStorageCapacity objects, so that garbage collection deletes them. Follows
 * the controllers of this process's pod, as external-provisioner does. Not thread-safe.
 */
public final class CapacityOwner {
  private static final String METADATA = "metadata";
  private static final String OWNER = "the owner of CSIStorageCapacity objects: ";

  private final LiveReader reader;
  private final String namespace;
  private final String pod;
  private final int level;
  private @Nullable Map<String, Object> found;

  public CapacityOwner(LiveReader reader, String namespace, String pod, int level) {
    this.reader = reader;
    this.namespace = namespace;
    this.pod = pod;
    this.level = level;
  }

  // The entry of metadata.ownerReferences; empty if no owner is configured.
  CheckResult<Optional<Map<String, Object>>> reference() throws InterruptedException {
    if (level < 0) {
      return new CheckResult.Valid<>(Optional.empty());
    }
    if (found == null) {
      switch (lookUp()) {
        case CheckResult.Invalid<Map<String, Object>>(String why) -> {
          return new CheckResult.Invalid<>(OWNER + why);
        }
        case CheckResult.Unknown<Map<String, Object>>(String why) -> {
          return new CheckResult.Unknown<>(OWNER + why);
        }
        case CheckResult.Valid<Map<String, Object>>(Map<String, Object> reference) ->
            found = reference;
      }
    }
    return new CheckResult.Valid<>(Optional.of(found));
  }

  private CheckResult<Map<String, Object>> lookUp() throws InterruptedException {
    Kind<?> kind = Kind.POD;
    String name = pod;
    for (int left = level; ; left--) {
      ReadResult<Map<String, Object>> read = reader.readWhole(kind, ObjectKey.of(namespace, name));
      if (!(read instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> object))) {
        return read instanceof ReadResult.Failed<?>(String why)
            ? new CheckResult.Unknown<>(about(kind, name) + "could not be read: " + why)
            : new CheckResult.Invalid<>(about(kind, name) + "does not exist");
      }
      if (left == 0) {
        return new CheckResult.Valid<>(
            reference(
                apiVersion(kind),
                kind.kind(),
                name,
                RawObject.of(object).at(METADATA).text("uid")));
      }
      Optional<RawObject> owner =
          RawObject.of(object).at(METADATA).parts("ownerReferences").stream()
              .filter(o -> o.flag("controller"))
              .findFirst();
      if (owner.isEmpty()) {
        return new CheckResult.Invalid<>(
            about(kind, name) + "has no controller: lower --capacity-ownerref-level");
      }
      RawObject controller = owner.get();
      if (left == 1) {
        return new CheckResult.Valid<>(
            reference(
                controller.text("apiVersion"),
                controller.text("kind"),
                controller.text("name"),
                controller.text("uid")));
      }
      kind = kindOf(controller.text("apiVersion"), controller.text("kind"));
      name = controller.text("name");
    }
  }

  private String about(Kind<?> kind, String name) {
    return kind.kind() + " " + namespace + "/" + name + " ";
  }

  private static Map<String, Object> reference(
      String apiVersion, String kind, String name, String uid) {
    return Map.of(
        "apiVersion", apiVersion, "kind", kind, "name", name, "uid", uid, "controller", true);
  }

  private static String apiVersion(Kind<?> kind) {
    return kind.group().isEmpty() ? kind.version() : kind.group() + "/" + kind.version();
  }

  // Controllers of pods and their controllers have regular plurals.
  private static Kind<Resource> kindOf(String apiVersion, String name) {
    int slash = apiVersion.indexOf('/');
    return new Kind<>(
        slash < 0 ? "" : apiVersion.substring(0, slash),
        apiVersion.substring(slash + 1),
        name.toLowerCase(Locale.ROOT) + "s",
        name,
        true,
        Resource.class);
  }

  // Returns the object's references with ours appended; empty if ours is present.
  static Optional<List<Map<String, Object>>> with(
      Map<String, Object> ours, Map<String, Object> object) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (RawObject one : RawObject.of(object).at(METADATA).parts("ownerReferences")) {
      if (one.text("uid").equals(ours.get("uid"))) {
        return Optional.empty();
      }
      Map<String, Object> copy = new HashMap<>();
      one.members().forEach((key, value) -> copy.put(String.valueOf(key), value));
      all.add(copy);
    }
    all.add(ours);
    return Optional.of(List.copyOf(all));
  }
}
