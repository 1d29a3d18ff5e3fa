package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.ManagedFields.FieldOwner;
import dev.mooring.apiserver.apply.ManagedFields.OwnedFields;
import dev.mooring.apiserver.apply.ShapedValues.ValueDifference;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maintains managedFields for one kind and one subresource, and applies configurations. Immutable.
 * Does not change trees that are passed in unless the method says so.
 *
 * @param versions the version of the write, and the kind's other versions
 * @param subresource "" for the main resource
 * @param ignored what such a write cannot change: "status", "spec", "metadata.labels"
 * @param only the one member that such a write may change; "" if there are several
 * @param blank an empty object of the kind; must not be changed
 */
public record FieldOwnership(
    ValueShape shape,
    ObjectVersions versions,
    String subresource,
    List<String> ignored,
    String only,
    JsonObject blank) {
  private static final String BEFORE = "before-first-apply";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final FieldSet NEVER_OWNED =
      new FieldSet()
          .with("apiVersion")
          .with("kind")
          .with("metadata")
          .with("metadata", "name")
          .with("metadata", "namespace")
          .with("metadata", "creationTimestamp")
          .with("metadata", "selfLink")
          .with("metadata", "uid")
          .with("metadata", "clusterName")
          .with("metadata", "generation")
          .with("metadata", "managedFields")
          .with("metadata", "resourceVersion");

  public record FieldConflict(String owner, String path) {}

  public static final class ConflictsException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<FieldConflict> conflicts;

    ConflictsException(List<FieldConflict> conflicts) {
      super(formatConflicts(conflicts), null, false, false);
      this.conflicts = conflicts;
    }

    public List<FieldConflict> conflicts() {
      return conflicts;
    }

    private static String formatConflicts(List<FieldConflict> all) {
      if (all.size() == 1) {
        return "Apply failed with 1 conflict: conflict with %s: %s"
            .formatted(all.getFirst().owner, all.getFirst().path);
      }
      Map<String, List<String>> byOwner = new java.util.TreeMap<>();
      all.forEach(c -> byOwner.computeIfAbsent(c.owner, o -> new ArrayList<>()).add(c.path));
      List<String> parts = new ArrayList<>();
      byOwner.forEach((owner, paths) -> {
        parts.add("conflicts with " + owner + ":");
        paths.forEach(p -> parts.add("- " + p));
      });
      return "Apply failed with " + all.size() + " conflicts: " + String.join("\n", parts);
    }
  }

  /**
   * Keeps the old entries if only their times or their order changed. Kubernetes compares the
   * entries one by one, so there a new second may cause a new version.
   */
  public static void keepTimestamps(JsonObject old, JsonObject fresh) {
    JsonElement before = at(old, "metadata", "managedFields");
    JsonElement now = at(fresh, "metadata", "managedFields");
    if (before instanceof JsonArray was
        && now instanceof JsonArray is
        && was.size() == is.size()
        && new HashSet<>(removeTimes(was)).equals(new HashSet<>(removeTimes(is)))
        && removeManagedFields(old).equals(removeManagedFields(fresh))) {
      fresh.getAsJsonObject("metadata").add("managedFields", was);
    }
  }

  private static List<JsonObject> removeTimes(JsonArray entries) {
    List<JsonObject> all = new ArrayList<>();
    for (JsonElement entry : entries) {
      JsonObject copy = new JsonObject();
      entry.getAsJsonObject().entrySet().forEach(m -> copy.add(m.getKey(), m.getValue()));
      copy.remove("time");
      all.add(copy);
    }
    return all;
  }

  private FieldSet filterWritable(FieldSet set) {
    if (!only.isEmpty()) {
      return set.only(only);
    }
    if (ignored.isEmpty()) {
      return set;
    }
    FieldSet without = new FieldSet();
    ignored.forEach(path -> without.with(path.split("\\.")));
    return set.without(without);
  }

  /**
   * Records a write that is not an apply: sets managedFields of {@code fresh}.
   *
   * @param live the object before the write; for a creation {@link #blank}
   * @param fresh the object from the client; only its metadata changes
   */
  public void recordUpdate(JsonObject live, JsonObject fresh, String manager) {
    JsonElement sent = at(fresh, "metadata", "managedFields");
    ManagedFields managed = decode(live, sent);
    JsonObject metadata = JsonBodies.child(fresh, "metadata");
    metadata.remove("managedFields");
    boolean exists = at(live, "metadata", "uid") != null;
    if (managed.fieldsByOwner().isEmpty() && exists) {
      return; // reset or never tracked: tracking starts with the first apply
    }
    if (!versions.discardUntranslatable(managed)) {
      return; // reset: a version cannot be translated
    }
    if (versions.resets() && !ShapedValues.findErrors(shape, fresh).isEmpty()) {
      // reset: the value does not have the kind's shape, even if the write cannot change that part
      return;
    }
    recordChanges(live, fresh, managed, manager);
    managed.limitUpdaters();
    JsonArray list = managed.toJson();
    if (list != null) {
      metadata.add("managedFields", list);
    }
  }

  private ManagedFields decode(JsonObject live, @Nullable JsonElement sent) {
    ManagedFields own = ManagedFields.fromJson(at(live, "metadata", "managedFields"));
    ManagedFields fallback = own == null ? new ManagedFields() : own;
    if (!subresource.isEmpty() || !(sent instanceof JsonArray list)) {
      return fallback;
    }
    if (list.isEmpty() || list.size() == 1 && list.get(0).equals(new JsonObject())) {
      return new ManagedFields();
    }
    ManagedFields read = ManagedFields.fromJson(list);
    return read == null || read.fieldsByOwner().isEmpty() ? fallback : read;
  }

  private void recordChanges(
      JsonObject live, JsonObject fresh, ManagedFields managed, String manager) {
    ValueDifference all =
        ShapedValues.compare(shape, removeManagedFields(live), removeManagedFields(fresh));
    FieldSet changed = filterWritable(all.changed());
    managed.removeFromOthers(changed, null);
    managed.removeFromOthers(filterWritable(all.removed()), null);
    FieldSet mine = changed.difference(NEVER_OWNED);
    if (mine.isEmpty()) {
      return;
    }
    FieldOwner owner = new FieldOwner(manager, false, versions.own(), subresource);
    OwnedFields had = managed.fieldsByOwner().get(owner);
    managed
        .fieldsByOwner()
        .put(
            owner,
            new OwnedFields(
                versions.own(), formatNow(), had == null ? mine : mine.union(had.fields())));
  }

  private static JsonObject removeManagedFields(JsonObject object) {
    if (at(object, "metadata", "managedFields") == null) {
      return object;
    }
    JsonObject bare = new JsonObject();
    object.entrySet().forEach(m -> bare.add(m.getKey(), m.getValue()));
    JsonObject metadata = new JsonObject();
    object
        .getAsJsonObject("metadata")
        .entrySet()
        .forEach(m -> metadata.add(m.getKey(), m.getValue()));
    metadata.remove("managedFields");
    bare.add("metadata", metadata);
    return bare;
  }

  public List<String> findErrors(JsonObject config) {
    return ShapedValues.findErrors(shape, config);
  }

  /**
   * Applies a configuration.
   *
   * @param live the object; for a creation {@link #blank}
   * @param config all fields that the manager wants
   * @param force true to take fields from other managers
   * @return the object with its managedFields, not validated and without defaults
   * @throws ConflictsException if other managers own fields with other values
   */
  public JsonObject applyConfiguration(
      JsonObject live, JsonObject config, String manager, boolean force) throws ConflictsException {
    try {
      return mergeApplied(live, config, manager, force);
    } catch (ConflictsException e) {
      if (!manager.equals("kubectl")) {
        throw e;
      }
      FieldSet own = readLastApplied(live).orElseThrow(() -> e);
      List<String> allowed = own.listPaths();
      List<FieldConflict> left =
          e.conflicts().stream().filter(c -> !allowed.contains(c.path())).toList();
      if (!left.isEmpty()) {
        throw new ConflictsException(left);
      }
      return mergeApplied(live, config, manager, true);
    }
  }

  private JsonObject mergeApplied(JsonObject live, JsonObject config, String manager, boolean force)
      throws ConflictsException {
    ManagedFields decoded = ManagedFields.fromJson(at(live, "metadata", "managedFields"));
    ManagedFields managed = decoded == null ? new ManagedFields() : decoded;
    JsonObject before = removeManagedFields(live);
    if (managed.fieldsByOwner().isEmpty() && at(live, "metadata", "uid") != null) {
      recordChanges(blank, before, managed, BEFORE);
    }
    if (!versions.discardUntranslatable(managed)) {
      managed.fieldsByOwner().clear();
    }
    FieldOwner owner = new FieldOwner(manager, true, versions.own(), subresource);
    OwnedFields last = managed.fieldsByOwner().get(owner);
    FieldSet set = filterWritable(ShapedValues.collectFields(shape, config));
    managed.fieldsByOwner().put(owner, new OwnedFields(versions.own(), formatNow(), set));
    JsonElement merged = ShapedValues.merge(shape, before, config);
    JsonElement pruned =
        last == null || last.fields().isEmpty() ? merged : prune(merged, managed, last.fields());
    ValueDifference change = ShapedValues.compare(shape, before, pruned);
    FieldSet changed = filterWritable(change.changed());
    if (!force) {
      refuseConflicts(managed, owner, changed);
    }
    managed.removeFromOthers(changed, owner);
    managed.removeFromOthers(filterWritable(change.removed()), owner);
    settle(managed, owner, set.difference(NEVER_OWNED), findTime(last, change));
    JsonObject result = pruned.getAsJsonObject().deepCopy();
    renewLastApplied(result, config, manager);
    JsonArray list = managed.toJson();
    if (list != null) {
      JsonBodies.child(result, "metadata").add("managedFields", list);
    }
    return result;
  }

  private void settle(ManagedFields managed, FieldOwner owner, FieldSet mine, String time) {
    if (mine.isEmpty()) {
      managed.fieldsByOwner().remove(owner);
    } else {
      managed.fieldsByOwner().put(owner, new OwnedFields(versions.own(), time, mine));
    }
  }

  // Writes through the scale subresource carry no time.
  private String formatNow() {
    return subresource.equals("scale") ? "" : ManagedFields.formatNow();
  }

  // An apply without changes keeps its time; if it is the first, it has no time.
  private String findTime(@Nullable OwnedFields last, ValueDifference change) {
    boolean isSame =
        change.removed().isEmpty() && change.modified().isEmpty() && change.added().isEmpty();
    if (!isSame) {
      return formatNow();
    }
    return last == null ? "" : last.time();
  }

  private static void refuseConflicts(ManagedFields managed, FieldOwner owner, FieldSet changed)
      throws ConflictsException {
    List<FieldConflict> conflicts = new ArrayList<>();
    Map<FieldOwner, OwnedFields> sorted = new LinkedHashMap<>(managed.fieldsByOwner());
    sorted.remove(owner);
    sorted.forEach((other, share) -> {
      for (String path : share.fields().intersection(changed).listPaths()) {
        conflicts.add(new FieldConflict(other.describe(), path));
      }
    });
    if (!conflicts.isEmpty()) {
      throw new ConflictsException(conflicts);
    }
  }

  /**
   * Removes the fields that the manager applied before and dropped, unless another manager owns
   * them.
   */
  private JsonElement prune(JsonElement merged, ManagedFields managed, FieldSet last) {
    FieldSet before = last.withStructs(shape);
    JsonElement bare = removeFields(merged, before);
    FieldSet owned = new FieldSet();
    for (OwnedFields share : managed.fieldsByOwner().values()) {
      owned = owned.union(share.fields());
    }
    FieldSet all = ShapedValues.collectFields(shape, merged).withStructs(shape);
    FieldSet stays =
        ShapedValues.collectFields(shape, bare).withStructs(shape).union(owned.withStructs(shape));
    JsonElement back = removeFields(merged, all.difference(stays));
    FieldSet left = ShapedValues.collectFields(shape, back).withStructs(shape);
    return removeFields(merged, all.difference(left).intersection(before));
  }

  private JsonElement removeFields(JsonElement value, FieldSet fields) {
    JsonElement left = ShapedValues.remove(shape, value, fields);
    return left instanceof JsonObject ? left : new JsonObject();
  }

  // Returns the fields that kubectl's client-side apply wrote and that are unchanged since.
  private Optional<FieldSet> readLastApplied(JsonObject live) {
    String note = text(live, "metadata", "annotations", LAST_APPLIED);
    if (note.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonElement parsed = JsonBodies.parse(note, new ArrayList<>());
      if (!(parsed instanceof JsonObject config)
          || !text(config, "apiVersion").equals(versions.own())
          || !ShapedValues.findErrors(shape, config).isEmpty()) {
        return Optional.empty();
      }
      ValueDifference since = ShapedValues.compare(shape, config, removeManagedFields(live));
      return Optional.of(
          ShapedValues.collectFields(shape, config)
              .difference(since.changed())
              .difference(since.removed()));
    } catch (BadBodyException notJson) {
      return Optional.empty();
    }
  }

  private static JsonElement sortMembers(JsonElement value) {
    if (value instanceof JsonObject object) {
      JsonObject result = new JsonObject();
      object.keySet().stream().sorted().forEach(k -> result.add(k, sortMembers(object.get(k))));
      return result;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      list.forEach(e -> result.add(sortMembers(e)));
      return result;
    }
    return value;
  }

  private static void renewLastApplied(JsonObject object, JsonObject config, String manager) {
    if (!manager.equals("kubectl")
        || text(object, "metadata", "annotations", LAST_APPLIED).isEmpty()) {
      return;
    }
    JsonObject note = sortMembers(config).getAsJsonObject();
    if (at(note, "metadata", "annotations") instanceof JsonObject annotations) {
      annotations.remove(LAST_APPLIED);
    }
    JsonBodies.child(object, "metadata", "annotations").addProperty(LAST_APPLIED, note + "\n");
  }
}
