package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Checked;
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
 * Whose the CSIStorageCapacity objects are: when it goes, so do they. Found by following the
 * controllers of this process's pod, as external-provisioner does. For one thread.
 */
public final class CapacityOwner {
  private static final String METADATA = "metadata";
  private static final String OWNER = "the owner of CSIStorageCapacity objects: ";

  private final LiveReader reader;
  private final String namespace;
  private final String pod;
  private final int level;
  private @Nullable Map<String, Object> found;

  /**
   * Looks nowhere yet.
   *
   * @param pod the name of this process's pod
   * @param level 0 for the pod itself, 1 for its controller, 2 for that one's; less for no owner
   */
  public CapacityOwner(LiveReader reader, String namespace, String pod, int level) {
    this.reader = reader;
    this.namespace = namespace;
    this.pod = pod;
    this.level = level;
  }

  /** Its reference, for metadata.ownerReferences; empty for none. */
  Checked<Optional<Map<String, Object>>> reference() throws InterruptedException {
    if (level < 0) {
      return new Checked.Valid<>(Optional.empty());
    }
    if (found == null) {
      switch (lookUp()) {
        case Checked.Invalid<Map<String, Object>>(String why) -> {
          return new Checked.Invalid<>(OWNER + why);
        }
        case Checked.Unknown<Map<String, Object>>(String why) -> {
          return new Checked.Unknown<>(OWNER + why);
        }
        case Checked.Valid<Map<String, Object>>(Map<String, Object> reference) -> found = reference;
      }
    }
    return new Checked.Valid<>(Optional.of(found));
  }

  private Checked<Map<String, Object>> lookUp() throws InterruptedException {
    Kind<?> kind = Kind.POD;
    String name = pod;
    for (int left = level; ; left--) {
      ReadResult<Map<String, Object>> read = reader.readWhole(kind, ObjectKey.of(namespace, name));
      if (!(read instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> whole))) {
        return read instanceof ReadResult.Failed<?>(String why)
            ? new Checked.Unknown<>(about(kind, name) + "could not be read: " + why)
            : new Checked.Invalid<>(about(kind, name) + "does not exist");
      }
      if (left == 0) {
        return new Checked.Valid<>(
            reference(
                apiVersion(kind), kind.kind(), name, Whole.of(whole).at(METADATA).text("uid")));
      }
      Optional<Whole> owner =
          Whole.of(whole).at(METADATA).parts("ownerReferences").stream()
              .filter(o -> o.flag("controller"))
              .findFirst();
      if (owner.isEmpty()) {
        return new Checked.Invalid<>(
            about(kind, name) + "has no controller: lower --capacity-ownerref-level");
      }
      Whole next = owner.get();
      if (left == 1) {
        return new Checked.Valid<>(
            reference(
                next.text("apiVersion"), next.text("kind"), next.text("name"), next.text("uid")));
      }
      kind = kindOf(next.text("apiVersion"), next.text("kind"));
      name = next.text("name");
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

  /** Controllers of pods and their controllers have regular plurals. */
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

  /** The references of an object with ours among them; empty if it has ours. */
  static Optional<List<Map<String, Object>>> with(
      Map<String, Object> ours, Map<String, Object> whole) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Whole one : Whole.of(whole).at(METADATA).parts("ownerReferences")) {
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
