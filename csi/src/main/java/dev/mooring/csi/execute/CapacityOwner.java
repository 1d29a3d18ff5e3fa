package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.live.RawObject;
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
  private static final String ERROR_PREFIX = "the owner of CSIStorageCapacity objects: ";

  private final LiveReader reader;
  private final String namespace;
  private final String pod;
  private final int level;
  private @Nullable Map<String, Object> cachedReference;

  public CapacityOwner(LiveReader reader, String namespace, String pod, int level) {
    this.reader = reader;
    this.namespace = namespace;
    this.pod = pod;
    this.level = level;
  }

  // The entry of metadata.ownerReferences; empty if no owner is configured.
  CheckResult<Optional<Map<String, Object>>> readReference() throws InterruptedException {
    if (level < 0) {
      return new CheckResult.Valid<>(Optional.empty());
    }
    if (cachedReference == null) {
      switch (findOwner()) {
        case CheckResult.Invalid<Map<String, Object>>(String reason) -> {
          return new CheckResult.Invalid<>(ERROR_PREFIX + reason);
        }
        case CheckResult.Unknown<Map<String, Object>>(String reason) -> {
          return new CheckResult.Unknown<>(ERROR_PREFIX + reason);
        }
        case CheckResult.Valid<Map<String, Object>>(Map<String, Object> reference) ->
            cachedReference = reference;
      }
    }
    return new CheckResult.Valid<>(Optional.of(cachedReference));
  }

  private CheckResult<Map<String, Object>> findOwner() throws InterruptedException {
    Kind<?> kind = Kind.POD;
    String name = pod;
    for (int levelsLeft = level; ; levelsLeft--) {
      ReadResult<Map<String, Object>> answer =
          reader.readWhole(kind, ObjectKey.of(namespace, name));
      if (!(answer instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> object))) {
        return answer instanceof ReadResult.Failed<?>(String reason)
            ? new CheckResult.Unknown<>(describe(kind, name) + "could not be read: " + reason)
            : new CheckResult.Invalid<>(describe(kind, name) + "does not exist");
      }
      if (levelsLeft == 0) {
        return new CheckResult.Valid<>(
            buildReference(
                apiVersion(kind),
                kind.kind(),
                name,
                new RawObject(object).at(METADATA).text("uid")));
      }
      Optional<RawObject> owner =
          new RawObject(object)
              .at(METADATA).objects("ownerReferences").stream()
                  .filter(o -> o.flag("controller"))
                  .findFirst();
      if (owner.isEmpty()) {
        return new CheckResult.Invalid<>(
            describe(kind, name) + "has no controller: lower --capacity-ownerref-level");
      }
      RawObject controller = owner.get();
      if (levelsLeft == 1) {
        return new CheckResult.Valid<>(buildReference(controller));
      }
      kind = kindOf(controller.text("apiVersion"), controller.text("kind"));
      name = controller.text("name");
    }
  }

  private String describe(Kind<?> kind, String name) {
    return kind.kind() + " " + namespace + "/" + name + " ";
  }

  private static Map<String, Object> buildReference(RawObject controller) {
    return buildReference(
        controller.text("apiVersion"),
        controller.text("kind"),
        controller.text("name"),
        controller.text("uid"));
  }

  private static Map<String, Object> buildReference(
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

  // Returns the object's references with this process's appended; empty if it is present. The API
  // server accepts one controller: this process's replaces that of an earlier process.
  static Optional<List<Map<String, Object>>> addReference(
      Map<String, Object> ownReference, Map<String, Object> object) {
    List<Map<String, Object>> references = new ArrayList<>();
    for (RawObject reference : new RawObject(object).at(METADATA).objects("ownerReferences")) {
      if (reference.text("uid").equals(ownReference.get("uid"))) {
        return Optional.empty();
      }
      if (!reference.flag("controller")) {
        Map<String, Object> copy = new HashMap<>();
        reference.members().forEach((key, value) -> copy.put(String.valueOf(key), value));
        references.add(copy);
      }
    }
    references.add(ownReference);
    return Optional.of(List.copyOf(references));
  }
}
