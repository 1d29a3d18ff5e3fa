package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
 * Changes a tree that is passed in only where the method documents it.
 *
 * @param versions the version of the write, and the kind's other versions
 * @param subresource "" for the main resource
 * @param ignoredPaths what such a write cannot change: "status", "spec", "metadata.labels"
 * @param writableMember the one member that such a write may change; "" if there are several
 * @param emptyObject an empty object of the kind; must not be changed
 */
public record FieldOwnership(
    ValueShape shape,
    ObjectVersions versions,
    String subresource,
    List<String> ignoredPaths,
    String writableMember,
    JsonObject emptyObject) {
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";
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

    private static String formatConflicts(List<FieldConflict> conflicts) {
      if (conflicts.size() == 1) {
        return "Apply failed with 1 conflict: conflict with %s: %s"
            .formatted(conflicts.getFirst().owner, conflicts.getFirst().path);
      }
      Map<String, List<String>> pathsByOwner = new java.util.TreeMap<>();
      conflicts.forEach(
          c -> pathsByOwner.computeIfAbsent(c.owner, o -> new ArrayList<>()).add(c.path));
      List<String> lines = new ArrayList<>();
      pathsByOwner.forEach((owner, paths) -> {
        lines.add("conflicts with " + owner + ":");
        paths.forEach(p -> lines.add("- " + p));
      });
      return "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", lines);
    }
  }

  /**
   * Keeps the old entries if only their times or their order changed. Kubernetes compares the
   * entries one by one, so there a new second may cause a new version.
   */
  public static void retainTimestamps(JsonObject old, JsonObject object) {
    JsonElement oldEntries = valueAt(old, "metadata", "managedFields");
    JsonElement newEntries = valueAt(object, "metadata", "managedFields");
    if (oldEntries instanceof JsonArray oldList
        && newEntries instanceof JsonArray newList
        && oldList.size() == newList.size()
        && new HashSet<>(removeTimes(oldList)).equals(new HashSet<>(removeTimes(newList)))
        && removeManagedFields(old).equals(removeManagedFields(object))) {
      object.getAsJsonObject("metadata").add("managedFields", oldList);
    }
  }

  private static List<JsonObject> removeTimes(JsonArray entries) {
    List<JsonObject> copies = new ArrayList<>();
    for (JsonElement entry : entries) {
      JsonObject copy = new JsonObject();
      entry.getAsJsonObject().entrySet().forEach(m -> copy.add(m.getKey(), m.getValue()));
      copy.remove("time");
      copies.add(copy);
    }
    return copies;
  }

  private FieldSet filterWritable(FieldSet set) {
    if (!writableMember.isEmpty()) {
      return set.restrictTo(writableMember);
    }
    if (ignoredPaths.isEmpty()) {
      return set;
    }
    FieldSet ignoredFields = new FieldSet();
    ignoredPaths.forEach(path -> ignoredFields.with(path.split("\\.")));
    return set.withoutSubtrees(ignoredFields);
  }

  /**
   * Records a write that is not an apply: sets managedFields of {@code object}.
   *
   * @param live the object before the write; for a creation {@link #emptyObject}
   * @param object the object from the client; only its metadata changes
   */
  public void recordUpdate(JsonObject live, JsonObject object, String manager) {
    JsonElement sentEntries = valueAt(object, "metadata", "managedFields");
    ManagedFields managed = decode(live, sentEntries);
    JsonObject metadata = JsonBodies.getOrAddChild(object, "metadata");
    metadata.remove("managedFields");
    boolean exists = valueAt(live, "metadata", "uid") != null;
    if (managed.fieldsByOwner().isEmpty() && exists) {
      return; // reset or never tracked: tracking starts with the first apply
    }
    if (!versions.discardUntranslatable(managed)) {
      return; // reset: a version cannot be translated
    }
    if (versions.discardsAll() && !ShapedValues.findErrors(shape, object).isEmpty()) {
      // reset: the value does not have the kind's shape, even if the write cannot change that part
      return;
    }
    recordChanges(live, object, managed, manager);
    managed.mergeOldestUpdaters();
    JsonArray list = managed.toJson();
    if (list != null) {
      metadata.add("managedFields", list);
    }
  }

  private ManagedFields decode(JsonObject live, @Nullable JsonElement sentEntries) {
    ManagedFields liveFields = ManagedFields.fromJson(valueAt(live, "metadata", "managedFields"));
    ManagedFields fallback = liveFields == null ? new ManagedFields() : liveFields;
    if (!subresource.isEmpty() || !(sentEntries instanceof JsonArray list)) {
      return fallback;
    }
    if (list.isEmpty() || list.size() == 1 && list.get(0).equals(new JsonObject())) {
      return new ManagedFields();
    }
    ManagedFields sentFields = ManagedFields.fromJson(list);
    return sentFields == null || sentFields.fieldsByOwner().isEmpty() ? fallback : sentFields;
  }

  private void recordChanges(
      JsonObject live, JsonObject object, ManagedFields managed, String manager) {
    ValueDifference difference =
        ShapedValues.compare(shape, removeManagedFields(live), removeManagedFields(object));
    FieldSet changedFields = filterWritable(difference.getModifiedOrAdded());
    managed.removeFromOthers(changedFields, null);
    managed.removeFromOthers(filterWritable(difference.removed()), null);
    FieldSet ownedFields = changedFields.subtract(NEVER_OWNED);
    if (ownedFields.isEmpty()) {
      return;
    }
    FieldOwner owner = new FieldOwner(manager, false, versions.writeVersion(), subresource);
    OwnedFields previousFields = managed.fieldsByOwner().get(owner);
    managed
        .fieldsByOwner()
        .put(
            owner,
            new OwnedFields(
                versions.writeVersion(),
                formatNow(),
                previousFields == null ? ownedFields : ownedFields.union(previousFields.fields())));
  }

  private static JsonObject removeManagedFields(JsonObject object) {
    if (valueAt(object, "metadata", "managedFields") == null) {
      return object;
    }
    JsonObject copy = new JsonObject();
    object.entrySet().forEach(m -> copy.add(m.getKey(), m.getValue()));
    JsonObject metadata = new JsonObject();
    object
        .getAsJsonObject("metadata")
        .entrySet()
        .forEach(m -> metadata.add(m.getKey(), m.getValue()));
    metadata.remove("managedFields");
    copy.add("metadata", metadata);
    return copy;
  }

  public List<String> findErrors(JsonObject config) {
    return ShapedValues.findErrors(shape, config);
  }

  /**
   * Applies a configuration.
   *
   * @param live the object; for a creation {@link #emptyObject}
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
      FieldSet lastAppliedFields = readLastApplied(live).orElseThrow(() -> e);
      List<String> allowedPaths = lastAppliedFields.listPaths();
      List<FieldConflict> remainingConflicts =
          e.conflicts().stream().filter(c -> !allowedPaths.contains(c.path())).toList();
      if (!remainingConflicts.isEmpty()) {
        throw new ConflictsException(remainingConflicts);
      }
      return mergeApplied(live, config, manager, true);
    }
  }

  private JsonObject mergeApplied(JsonObject live, JsonObject config, String manager, boolean force)
      throws ConflictsException {
    ManagedFields decoded = ManagedFields.fromJson(valueAt(live, "metadata", "managedFields"));
    ManagedFields managed = decoded == null ? new ManagedFields() : decoded;
    JsonObject liveContent = removeManagedFields(live);
    if (managed.fieldsByOwner().isEmpty() && valueAt(live, "metadata", "uid") != null) {
      recordChanges(emptyObject, liveContent, managed, BEFORE_FIRST_APPLY);
    }
    if (!versions.discardUntranslatable(managed)) {
      managed.fieldsByOwner().clear();
    }
    FieldOwner owner = new FieldOwner(manager, true, versions.writeVersion(), subresource);
    OwnedFields previousFields = managed.fieldsByOwner().get(owner);
    FieldSet appliedFields = filterWritable(ShapedValues.collectFields(shape, config));
    managed
        .fieldsByOwner()
        .put(owner, new OwnedFields(versions.writeVersion(), formatNow(), appliedFields));
    JsonElement merged = ShapedValues.merge(shape, liveContent, config);
    JsonElement pruned =
        previousFields == null || previousFields.fields().isEmpty()
            ? merged
            : pruneDroppedFields(merged, managed, previousFields.fields());
    ValueDifference change = ShapedValues.compare(shape, liveContent, pruned);
    FieldSet changedFields = filterWritable(change.getModifiedOrAdded());
    if (!force) {
      refuseConflicts(managed, owner, changedFields);
    }
    managed.removeFromOthers(changedFields, owner);
    managed.removeFromOthers(filterWritable(change.removed()), owner);
    storeOwnedFields(
        managed, owner, appliedFields.subtract(NEVER_OWNED), findTime(previousFields, change));
    JsonObject result = pruned.getAsJsonObject().deepCopy();
    updateLastApplied(result, config, manager);
    JsonArray list = managed.toJson();
    if (list != null) {
      JsonBodies.getOrAddChild(result, "metadata").add("managedFields", list);
    }
    return result;
  }

  private void storeOwnedFields(
      ManagedFields managed, FieldOwner owner, FieldSet ownedFields, String time) {
    if (ownedFields.isEmpty()) {
      managed.fieldsByOwner().remove(owner);
    } else {
      managed
          .fieldsByOwner()
          .put(owner, new OwnedFields(versions.writeVersion(), time, ownedFields));
    }
  }

  // Writes through the scale subresource carry no time.
  private String formatNow() {
    return subresource.equals("scale") ? "" : ManagedFields.formatNow();
  }

  // An apply without changes keeps its time; if it is the first, it has no time.
  private String findTime(@Nullable OwnedFields previousFields, ValueDifference change) {
    boolean isSame =
        change.removed().isEmpty() && change.modified().isEmpty() && change.added().isEmpty();
    if (!isSame) {
      return formatNow();
    }
    return previousFields == null ? "" : previousFields.time();
  }

  private static void refuseConflicts(
      ManagedFields managed, FieldOwner owner, FieldSet changedFields) throws ConflictsException {
    List<FieldConflict> conflicts = new ArrayList<>();
    Map<FieldOwner, OwnedFields> sorted = new LinkedHashMap<>(managed.fieldsByOwner());
    sorted.remove(owner);
    sorted.forEach((otherOwner, otherFields) -> {
      for (String path : otherFields.fields().intersect(changedFields).listPaths()) {
        conflicts.add(new FieldConflict(otherOwner.describe(), path));
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
  private JsonElement pruneDroppedFields(
      JsonElement merged, ManagedFields managed, FieldSet previousFields) {
    FieldSet previousPaths = previousFields.withStructs(shape);
    JsonElement withoutPrevious = removeFields(merged, previousPaths);
    FieldSet ownedFields = new FieldSet();
    for (OwnedFields managerFields : managed.fieldsByOwner().values()) {
      ownedFields = ownedFields.union(managerFields.fields());
    }
    FieldSet mergedPaths = ShapedValues.collectFields(shape, merged).withStructs(shape);
    FieldSet retainedPaths =
        ShapedValues.collectFields(shape, withoutPrevious)
            .withStructs(shape)
            .union(ownedFields.withStructs(shape));
    JsonElement retainedValue = removeFields(merged, mergedPaths.subtract(retainedPaths));
    FieldSet survivingPaths = ShapedValues.collectFields(shape, retainedValue).withStructs(shape);
    return removeFields(merged, mergedPaths.subtract(survivingPaths).intersect(previousPaths));
  }

  private JsonElement removeFields(JsonElement value, FieldSet fields) {
    JsonElement remaining = ShapedValues.removeFields(shape, value, fields);
    return remaining instanceof JsonObject ? remaining : new JsonObject();
  }

  // Returns the fields that kubectl's client-side apply wrote and that are unchanged since.
  private Optional<FieldSet> readLastApplied(JsonObject live) {
    String annotation = textAt(live, "metadata", "annotations", LAST_APPLIED);
    if (annotation.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonElement parsed = JsonBodies.parse(annotation, new ArrayList<>());
      if (!(parsed instanceof JsonObject config)
          || !textAt(config, "apiVersion").equals(versions.writeVersion())
          || !ShapedValues.findErrors(shape, config).isEmpty()) {
        return Optional.empty();
      }
      ValueDifference changesSince = ShapedValues.compare(shape, config, removeManagedFields(live));
      return Optional.of(
          ShapedValues.collectFields(shape, config)
              .subtract(changesSince.getModifiedOrAdded())
              .subtract(changesSince.removed()));
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

  private static void updateLastApplied(JsonObject object, JsonObject config, String manager) {
    if (!manager.equals("kubectl")
        || textAt(object, "metadata", "annotations", LAST_APPLIED).isEmpty()) {
      return;
    }
    JsonObject annotation = sortMembers(config).getAsJsonObject();
    if (valueAt(annotation, "metadata", "annotations") instanceof JsonObject annotations) {
      annotations.remove(LAST_APPLIED);
    }
    JsonBodies.getOrAddChild(object, "metadata", "annotations")
        .addProperty(LAST_APPLIED, annotation + "\n");
  }
}
