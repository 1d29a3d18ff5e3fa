package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.Managed.Owner;
import dev.mooring.apiserver.apply.Managed.Share;
import dev.mooring.apiserver.apply.Typed.Comparison;
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
 * Keeps managedFields for one kind of object and one way to write to it, and applies
 * configurations. Immutable. Trees that are passed in are not changed unless a method says so.
 *
 * @param shape the object
 * @param versions the version in which it is written, and the others that it has
 * @param subresource "" or what is written to
 * @param ignored what such a write does not change: "status", "spec", "metadata.labels"
 * @param blank what an empty object of the kind looks like; not to be changed
 * @param only the one member that such a write may change, "" if there are several
 */
public record Ownership(
    Shape shape,
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

  /** A field that somebody else owns with another value. */
  public record Conflict(String owner, String path) {}

  /** An apply that met such fields. */
  public static final class ConflictsException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient List<Conflict> conflicts;

    ConflictsException(List<Conflict> conflicts) {
      super(text(conflicts), null, false, false);
      this.conflicts = conflicts;
    }

    /** The fields. */
    public List<Conflict> conflicts() {
      return conflicts;
    }

    private static String text(List<Conflict> all) {
      if (all.size() == 1) {
        return "Apply failed with 1 conflict: conflict with "
            + all.getFirst().owner
            + ": "
            + all.getFirst().path;
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
   * Where only the times in managedFields have changed, and with them the order of the entries, the
   * old ones stay: nothing was written. Kubernetes compares the entries one by one, so that there a
   * new second may be a new version.
   */
  public static void keepTimes(JsonObject old, JsonObject fresh) {
    JsonElement before = at(old, "metadata", "managedFields");
    JsonElement now = at(fresh, "metadata", "managedFields");
    if (before instanceof JsonArray was
        && now instanceof JsonArray is
        && was.size() == is.size()
        && new HashSet<>(timeless(was)).equals(new HashSet<>(timeless(is)))
        && bare(old).equals(bare(fresh))) {
      fresh.getAsJsonObject("metadata").add("managedFields", was);
    }
  }

  private static List<JsonObject> timeless(JsonArray entries) {
    List<JsonObject> all = new ArrayList<>();
    for (JsonElement entry : entries) {
      JsonObject copy = new JsonObject();
      entry.getAsJsonObject().entrySet().forEach(m -> copy.add(m.getKey(), m.getValue()));
      copy.remove("time");
      all.add(copy);
    }
    return all;
  }

  private FieldSet relevant(FieldSet set) {
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
   * Notes a write that was not an apply: {@code fresh} gets its managedFields.
   *
   * @param live the object before; for a creation {@link #blank}
   * @param fresh the object as the client wants it; changed in its metadata alone
   * @param manager who writes
   */
  public void update(JsonObject live, JsonObject fresh, String manager) {
    JsonElement sent = at(fresh, "metadata", "managedFields");
    Managed managed = decode(live, sent);
    JsonObject metadata = JsonBodies.child(fresh, "metadata");
    metadata.remove("managedFields");
    boolean exists = at(live, "metadata", "uid") != null;
    if (managed.shares().isEmpty() && exists) {
      return; // reset, or never tracked: until somebody applies
    }
    if (!versions.settle(managed)) {
      return; // reset: what nobody can translate
    }
    if (versions.resets() && !Typed.errors(shape, fresh).isEmpty()) {
      return; // reset: what is not of the kind's shape, though that part may not even be written
    }
    note(live, fresh, managed, manager);
    managed.cap();
    JsonArray list = managed.json();
    if (list != null) {
      metadata.add("managedFields", list);
    }
  }

  private Managed decode(JsonObject live, @Nullable JsonElement sent) {
    Managed own = Managed.of(at(live, "metadata", "managedFields"));
    Managed fallback = own == null ? new Managed() : own;
    if (!subresource.isEmpty() || !(sent instanceof JsonArray list)) {
      return fallback;
    }
    if (list.isEmpty() || list.size() == 1 && list.get(0).equals(new JsonObject())) {
      return new Managed();
    }
    Managed read = Managed.of(list);
    return read == null || read.shares().isEmpty() ? fallback : read;
  }

  private void note(JsonObject live, JsonObject fresh, Managed managed, String manager) {
    Comparison all = Typed.compare(shape, bare(live), bare(fresh));
    FieldSet changed = relevant(all.changed());
    managed.take(changed, null);
    managed.take(relevant(all.removed()), null);
    FieldSet mine = changed.difference(NEVER_OWNED);
    if (mine.isEmpty()) {
      return;
    }
    Owner owner = new Owner(manager, false, versions.own(), subresource);
    Share had = managed.shares().get(owner);
    managed
        .shares()
        .put(
            owner, new Share(versions.own(), now(), had == null ? mine : mine.union(had.fields())));
  }

  /** Without managedFields, which would be compared with themselves. */
  private static JsonObject bare(JsonObject object) {
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

  /** What is wrong with a configuration under the kind's shape, each with its path. */
  public List<String> errors(JsonObject config) {
    return Typed.errors(shape, config);
  }

  /**
   * Applies a configuration.
   *
   * @param live the object; for a creation {@link #blank}
   * @param config what the manager wants, all of it
   * @param force whether to take fields from others
   * @return the object with its managedFields, nothing checked or defaulted
   * @throws ConflictsException if others own fields with other values
   */
  public JsonObject apply(JsonObject live, JsonObject config, String manager, boolean force)
      throws ConflictsException {
    try {
      return applied(live, config, manager, force);
    } catch (ConflictsException e) {
      if (!manager.equals("kubectl")) {
        throw e;
      }
      FieldSet own = fromLastApplied(live).orElseThrow(() -> e);
      List<String> allowed = own.paths();
      List<Conflict> left =
          e.conflicts().stream().filter(c -> !allowed.contains(c.path())).toList();
      if (!left.isEmpty()) {
        throw new ConflictsException(left);
      }
      return applied(live, config, manager, true);
    }
  }

  private JsonObject applied(JsonObject live, JsonObject config, String manager, boolean force)
      throws ConflictsException {
    Managed decoded = Managed.of(at(live, "metadata", "managedFields"));
    Managed managed = decoded == null ? new Managed() : decoded;
    JsonObject before = bare(live);
    if (managed.shares().isEmpty() && at(live, "metadata", "uid") != null) {
      note(blank, before, managed, BEFORE);
    }
    if (!versions.settle(managed)) {
      managed.shares().clear();
    }
    Owner owner = new Owner(manager, true, versions.own(), subresource);
    Share last = managed.shares().get(owner);
    FieldSet set = relevant(Typed.fields(shape, config));
    managed.shares().put(owner, new Share(versions.own(), now(), set));
    JsonElement merged = Typed.merge(shape, before, config);
    JsonElement pruned =
        last == null || last.fields().isEmpty() ? merged : prune(merged, managed, last.fields());
    Comparison change = Typed.compare(shape, before, pruned);
    FieldSet changed = relevant(change.changed());
    if (!force) {
      refuseConflicts(managed, owner, changed);
    }
    managed.take(changed, owner);
    managed.take(relevant(change.removed()), owner);
    settle(managed, owner, set.difference(NEVER_OWNED), timeOf(last, change));
    JsonObject result = pruned.getAsJsonObject().deepCopy();
    renewLastApplied(result, config, manager);
    JsonArray list = managed.json();
    if (list != null) {
      JsonBodies.child(result, "metadata").add("managedFields", list);
    }
    return result;
  }

  private void settle(Managed managed, Owner owner, FieldSet mine, String time) {
    if (mine.isEmpty()) {
      managed.shares().remove(owner);
    } else {
      managed.shares().put(owner, new Share(versions.own(), time, mine));
    }
  }

  /** Writes through the scale are noted without a time. */
  private String now() {
    return subresource.equals("scale") ? "" : Managed.now();
  }

  /**
   * An apply that changes nothing in the object keeps its time, and has none if it is the first.
   */
  private String timeOf(@Nullable Share last, Comparison change) {
    boolean isSame =
        change.removed().isEmpty() && change.modified().isEmpty() && change.added().isEmpty();
    if (!isSame) {
      return now();
    }
    return last == null ? "" : last.time();
  }

  private static void refuseConflicts(Managed managed, Owner owner, FieldSet changed)
      throws ConflictsException {
    List<Conflict> conflicts = new ArrayList<>();
    Map<Owner, Share> sorted = new LinkedHashMap<>(managed.shares());
    sorted.remove(owner);
    sorted.forEach((other, share) -> {
      for (String path : share.fields().intersection(changed).paths()) {
        conflicts.add(new Conflict(other.told(), path));
      }
    });
    if (!conflicts.isEmpty()) {
      throw new ConflictsException(conflicts);
    }
  }

  /** Takes out what the manager applied before, does not any more, and nobody else has. */
  private JsonElement prune(JsonElement merged, Managed managed, FieldSet last) {
    FieldSet before = last.withStructs(shape);
    JsonElement bare = gone(merged, before);
    FieldSet owned = new FieldSet();
    for (Share share : managed.shares().values()) {
      owned = owned.union(share.fields());
    }
    FieldSet all = Typed.fields(shape, merged).withStructs(shape);
    FieldSet stays = Typed.fields(shape, bare).withStructs(shape).union(owned.withStructs(shape));
    JsonElement back = gone(merged, all.difference(stays));
    FieldSet left = Typed.fields(shape, back).withStructs(shape);
    return gone(merged, all.difference(left).intersection(before));
  }

  private JsonElement gone(JsonElement value, FieldSet fields) {
    JsonElement left = Typed.remove(shape, value, fields);
    return left instanceof JsonObject ? left : new JsonObject();
  }

  /** What kubectl's older apply wrote and nobody has changed since. */
  private Optional<FieldSet> fromLastApplied(JsonObject live) {
    String note = text(live, "metadata", "annotations", LAST_APPLIED);
    if (note.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonElement parsed = JsonBodies.parse(note, new ArrayList<>());
      if (!(parsed instanceof JsonObject config)
          || !text(config, "apiVersion").equals(versions.own())
          || !Typed.errors(shape, config).isEmpty()) {
        return Optional.empty();
      }
      Comparison since = Typed.compare(shape, config, bare(live));
      return Optional.of(
          Typed.fields(shape, config).difference(since.changed()).difference(since.removed()));
    } catch (BadBodyException notJson) {
      return Optional.empty();
    }
  }

  private static JsonElement sorted(JsonElement value) {
    if (value instanceof JsonObject object) {
      JsonObject result = new JsonObject();
      object.keySet().stream().sorted().forEach(k -> result.add(k, sorted(object.get(k))));
      return result;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      list.forEach(e -> result.add(sorted(e)));
      return result;
    }
    return value;
  }

  private static void renewLastApplied(JsonObject object, JsonObject config, String manager) {
    if (!manager.equals("kubectl")
        || text(object, "metadata", "annotations", LAST_APPLIED).isEmpty()) {
      return;
    }
    JsonObject note = sorted(config).getAsJsonObject();
    if (at(note, "metadata", "annotations") instanceof JsonObject annotations) {
      annotations.remove(LAST_APPLIED);
    }
    JsonBodies.child(object, "metadata", "annotations").addProperty(LAST_APPLIED, note + "\n");
  }
}
