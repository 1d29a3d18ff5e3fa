package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.apply.Ownership;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Causes;
import dev.mooring.apiserver.kinds.Names;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.Stored;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with objects, whoever asks: the HTTP side and the simulated nodes use the same
 * verbs. Thread-safe.
 */
public final class Verbs {
  /** Carries an answer out of a write that must not happen. */
  private static final class DryRun extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Stored answer;

    DryRun(Stored answer) {
      super(null, null, false, false);
      this.answer = answer;
    }
  }

  /** A change of an existing object. */
  @FunctionalInterface
  public interface Edit {
    /** The new tree, of a copy of the current one. */
    JsonObject apply(JsonObject current) throws Problem;
  }

  private static final List<String> KEPT =
      List.of(
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "generation",
          "selfLink",
          "namespace",
          "name");

  private final Map<ResourceType, Store> stores = new HashMap<>();
  private final Supplier<UUID> uids;
  private final InstantSource clock;
  private final Admission admission = new Admission(this);

  /** Over these stores; types that share objects share a store. */
  public Verbs(Map<ResourceType, Store> stores) {
    this(stores, UUID::randomUUID, InstantSource.system());
  }

  /**
   * The same, repeatably.
   *
   * @param uids the uids of what is created
   * @param clock when it is created
   */
  public Verbs(Map<ResourceType, Store> stores, Supplier<UUID> uids, InstantSource clock) {
    this.uids = uids;
    this.clock = clock;
    this.stores.putAll(stores);
  }

  /** The type's store. */
  public Store store(ResourceType type) {
    return Objects.requireNonNull(stores.get(type), type.plural());
  }

  /** An object's key in its store. */
  public static String key(ResourceType type, String namespace, String name) {
    return type.namespaced() ? namespace + "/" + name : name;
  }

  /** Reads an object. */
  public Stored get(ResourceType type, String namespace, String name) throws Problem {
    Stored found = store(type).get(key(type, namespace, name));
    if (found == null) {
      throw Problem.notFound(type, name);
    }
    return found;
  }

  /** Creates an object of a tree that was made to conform to the schema; the tree is used up. */
  public Stored create(ResourceType type, String namespace, JsonObject tree, WriteOptions options)
      throws Problem {
    JsonObject object = tree;
    object.remove("kind");
    object.remove("apiVersion");
    JsonObject metadata = child(object, "metadata");
    if (!text(metadata, "resourceVersion").isEmpty()
        && !text(metadata, "resourceVersion").equals("0")) {
      throw Problem.internal("resourceVersion should not be set on objects to be created");
    }
    settleNamespace(type, namespace, metadata);
    String prefix = text(metadata, "generateName");
    boolean generated = text(metadata, "name").isEmpty() && !prefix.isEmpty();
    if (generated) {
      metadata.addProperty("name", Names.generate(prefix));
    }
    metadata
        .entrySet()
        .removeIf(e ->
            List.of(
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "selfLink",
                    "resourceVersion")
                .contains(e.getKey()));
    track(type, object, options);
    metadata = child(object, "metadata");
    metadata.addProperty("uid", uids.get().toString());
    metadata.addProperty("creationTimestamp", Values.seconds(clock.instant()));
    type.rules().prepareCreate(object);
    type.rules().setDefaults(object);
    admission.create(type, namespace, object, options);
    prune(object);
    Causes causes = new Causes();
    if (generated) {
      Names.validatePrefix(type, prefix, causes);
    }
    Names.validate(type, metadata, causes);
    type.rules().validate(object, causes);
    String name = text(metadata, "name");
    if (!causes.isEmpty()) {
      throw Problem.invalid(type, name, causes.all());
    }
    Store store = store(type);
    return commit(
        store,
        key(type, namespace, name),
        options,
        current -> {
          if (current != null) {
            throw Problem.alreadyExists(type, name);
          }
          return object;
        });
  }

  private static void track(ResourceType type, JsonObject object, WriteOptions options) {
    if (options.manager().equals(WriteOptions.SETTLED)) {
      return;
    }
    if (options.manager().isEmpty()) {
      child(object, "metadata").remove("managedFields");
      return;
    }
    type.rules().setDefaults(object);
    Ownership ownership = Owners.of(type, "");
    ownership.update(ownership.blank(), object, options.manager());
  }

  private void settleNamespace(ResourceType type, String namespace, JsonObject metadata)
      throws Problem {
    if (!type.namespaced()) {
      metadata.remove("namespace");
      return;
    }
    String sent = text(metadata, "namespace");
    if (!sent.isEmpty() && !sent.equals(namespace)) {
      throw Problem.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.addProperty("namespace", namespace);
  }

  /** Empty labels, annotations and the like are absent in what Kubernetes stores. */
  private static void prune(JsonObject object) {
    JsonObject metadata = child(object, "metadata");
    for (String name : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
      JsonElement value = metadata.get(name);
      if (value instanceof JsonObject o && o.isEmpty()
          || value instanceof JsonArray a && a.isEmpty()) {
        metadata.remove(name);
      }
    }
    for (String empty : List.of("generateName")) {
      if (text(metadata, empty).isEmpty()) {
        metadata.remove(empty);
      }
    }
  }

  private Stored commit(Store store, String key, WriteOptions options, Store.Change<Problem> change)
      throws Problem {
    try {
      return Objects.requireNonNull(
          store.write(
              key,
              current -> {
                JsonObject tree = change.apply(current);
                if (options.dryRun()) {
                  throw new DryRun(
                      new Stored(
                          key,
                          tree == null ? Objects.requireNonNull(current).tree() : tree,
                          current == null ? 0 : current.version()));
                }
                return tree;
              }));
    } catch (DryRun answer) {
      return answer.answer;
    }
  }

  /**
   * Changes an object: the edit works on a copy of it, what may not change is put back, the result
   * is validated.
   */
  public Stored update(
      ResourceType type, String namespace, String name, WriteOptions options, Edit edit)
      throws Problem {
    Store store = store(type);
    Stored[] finalized = new Stored[1];
    Stored result =
        commit(
            store,
            key(type, namespace, name),
            options,
            current -> {
              if (current == null) {
                throw Problem.notFound(type, name);
              }
              JsonObject object = settled(type, name, options, edit.apply(current.copy()), current);
              if (!options.manager().isEmpty()) {
                Ownership.keepTimes(current.tree(), object);
              }
              if (object.equals(current.tree())) {
                return current.tree();
              }
              if (isFinalized(type, object)) {
                finalized[0] = new Stored(current.key(), object, current.version());
                return options.dryRun() ? object : null;
              }
              return object;
            });
    if (finalized[0] != null && type == Catalogue.NAMESPACES && !options.dryRun()) {
      admission.namespaceGone(name);
    }
    return finalized[0] != null ? finalized[0] : result;
  }

  private static boolean isFinalized(ResourceType type, JsonObject object) {
    JsonObject metadata = child(object, "metadata");
    if (text(metadata, "deletionTimestamp").isEmpty()
        || !strings(metadata, "finalizers").isEmpty()) {
      return false;
    }
    JsonElement grace = at(metadata, "deletionGracePeriodSeconds");
    boolean graceful = grace != null && grace.getAsLong() > 0;
    return !graceful
        && (type != Catalogue.NAMESPACES || strings(object, "spec", "finalizers").isEmpty());
  }

  private JsonObject settled(
      ResourceType type, String name, WriteOptions options, JsonObject edited, Stored current)
      throws Problem {
    JsonObject old = current.tree();
    JsonObject object = edited;
    object.remove("kind");
    object.remove("apiVersion");
    JsonObject metadata = child(object, "metadata");
    preconditions(type, name, options, metadata, current);
    for (String field : KEPT) {
      JsonElement was = at(old, "metadata", field);
      if (was == null) {
        metadata.remove(field);
      } else {
        metadata.add(field, was);
      }
    }
    metadata.addProperty("resourceVersion", Long.toString(current.version()));
    if (options.manager().isEmpty()) {
      restore(metadata, old.getAsJsonObject("metadata"), "managedFields");
    } else if (!options.manager().equals(WriteOptions.SETTLED)) {
      if (options.subresource().isEmpty()) {
        type.rules().setDefaults(object);
      }
      Owners.of(type, options.subresource()).update(old, object, options.manager());
    }
    Causes causes = new Causes();
    switch (options.subresource()) {
      case "status" -> {
        JsonObject status =
            object.has("status") ? object.getAsJsonObject("status") : new JsonObject();
        JsonObject onOldSpec = current.copy();
        onOldSpec.add("metadata", metadata);
        onOldSpec.add("status", status);
        object = onOldSpec;
        type.rules().prepareStatus(object, old);
        Names.validate(type, metadata, causes);
        type.rules().validateStatus(object, old, causes);
      }
      case "finalize" -> {
        JsonElement finalizers = at(object, "spec", "finalizers");
        JsonObject onOldStatus = current.copy();
        onOldStatus.add("metadata", metadata);
        JsonObject spec = new JsonObject();
        if (finalizers instanceof JsonArray list && !list.isEmpty()) {
          spec.add("finalizers", list);
        }
        onOldStatus.add("spec", spec);
        object = onOldStatus;
        type.rules().setDefaults(object);
      }
      default -> {
        if (type.hasStatus()) {
          restore(object, old, "status");
        }
        type.rules().setDefaults(object);
        type.rules().prepareUpdate(object, old);
        Names.validate(type, metadata, causes);
        type.rules().validateUpdate(object, old, causes);
      }
    }
    finalizersOfDeleted(object, old, causes);
    prune(object);
    if (!causes.isEmpty()) {
      throw Problem.invalid(type, name, causes.all());
    }
    if (options.subresource().isEmpty()) {
      admission.update(type, name, object, old);
    }
    return object;
  }

  private static void restore(JsonObject object, JsonObject old, String field) {
    if (old.has(field)) {
      object.add(field, old.get(field).deepCopy());
    } else {
      object.remove(field);
    }
  }

  private static void preconditions(
      ResourceType type, String name, WriteOptions options, JsonObject metadata, Stored current)
      throws Problem {
    String sentName = text(metadata, "name");
    if (!sentName.isEmpty() && !sentName.equals(name)) {
      throw Problem.badRequest(
          "the name of the object ("
              + sentName
              + ") does not match the name on the URL ("
              + name
              + ")");
    }
    if (options.subresource().isEmpty() || options.subresource().equals("status")) {
      String sentDeletion = text(metadata, "deletionTimestamp");
      if (!sentDeletion.isEmpty()
          && !sentDeletion.equals(text(current.tree(), "metadata", "deletionTimestamp"))) {
        throw immutable(type, name, "metadata.deletionTimestamp", sentDeletion);
      }
    }
    String sentUid = text(metadata, "uid");
    String uid = text(current.tree(), "metadata", "uid");
    if (!sentUid.isEmpty() && !sentUid.equals(uid)) {
      if (options.patch()) {
        throw immutable(type, name, "metadata.uid", sentUid);
      }
      throw Problem.conflict(
          type,
          name,
          "Precondition failed: UID in precondition: " + sentUid + ", UID in object meta: " + uid);
    }
    String version = text(metadata, "resourceVersion");
    if (version.isEmpty() || version.equals("0")) {
      return;
    }
    if (!version.matches("\\d{1,18}")) {
      throw Problem.internal("strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
    }
    if (!version.equals(Long.toString(current.version()))) {
      throw Problem.stale(type, name);
    }
  }

  private static Problem immutable(ResourceType type, String name, String field, String value) {
    Causes causes = new Causes();
    causes.immutable(field, value);
    causes.immutable(field, value); // Kubernetes says it twice
    return Problem.invalid(type, name, causes.all());
  }

  private static void finalizersOfDeleted(JsonObject object, JsonObject old, Causes causes) {
    if (text(old, "metadata", "deletionTimestamp").isEmpty()) {
      return;
    }
    List<String> before = strings(old, "metadata", "finalizers");
    List<String> fresh =
        strings(object, "metadata", "finalizers").stream()
            .filter(f -> !before.contains(f))
            .toList();
    if (!fresh.isEmpty()) {
      String why =
          "no new finalizers can be added if the object is being deleted, found new finalizers "
              + fresh;
      causes.forbidden("metadata.finalizers", why);
      causes.forbidden("metadata.finalizers", why);
    }
  }

  /** Deletes an object, or marks it as being deleted while finalizers or its grace hold it. */
  public Stored delete(ResourceType type, String namespace, String name, WriteOptions options)
      throws Problem {
    admission.delete(type, name);
    boolean[] marked = new boolean[1];
    boolean graceful = Deletions.answersWithDeletionTime(type);
    Stored result =
        commit(
            store(type),
            key(type, namespace, name),
            options,
            current -> {
              if (current == null) {
                throw Problem.notFound(type, name);
              }
              deletePreconditions(type, name, current, options);
              JsonObject object = current.copy();
              if (!Deletions.mark(type, object, options)) {
                marked[0] = true;
                return object.equals(current.tree()) ? current.tree() : object;
              }
              if (graceful && !options.dryRun()) {
                Deletions.stamp(type, object);
                return object; // watchers see it go before it is gone
              }
              return null;
            });
    if (graceful && !marked[0] && !options.dryRun()) {
      Stored gone = store(type).<RuntimeException>write(result.key(), current -> null);
      return gone == null ? result : gone;
    }
    Stored last = result;
    if (!marked[0] && Deletions.answersWithDeletionTime(type)) {
      JsonObject copy = result.copy();
      Deletions.stamp(type, copy);
      last = new Stored(result.key(), copy, result.version());
    }
    return last;
  }

  private static void deletePreconditions(
      ResourceType type, String name, Stored current, WriteOptions options) throws Problem {
    String uid = text(current.tree(), "metadata", "uid");
    if (options.uid() != null && !options.uid().equals(uid)) {
      throw Problem.precondition(
          type,
          name,
          "the UID in the precondition ("
              + options.uid()
              + ") does not match the UID in record ("
              + uid
              + "). The object might have been deleted and then recreated");
    }
    String version = Long.toString(current.version());
    if (options.version() != null && !options.version().equals(version)) {
      throw Problem.precondition(
          type,
          name,
          "the ResourceVersion in the precondition ("
              + options.version()
              + ") does not match the ResourceVersion in record ("
              + version
              + "). The object might have been modified");
    }
  }

  /** Binds a pod to a node. */
  public void bind(String namespace, String name, JsonObject binding, WriteOptions options)
      throws Problem {
    String kind = text(binding, "target", "kind");
    String node = text(binding, "target", "name");
    if (!kind.isEmpty() && !kind.equals("Node")) {
      throw Problem.internal(
          "target.kind: Unsupported value: \""
              + kind
              + "\": supported values: \"Node\", \"<empty>\"");
    }
    if (node.isEmpty()) {
      throw Problem.internal("target.name: Required value");
    }
    commit(
        store(Catalogue.PODS),
        key(Catalogue.PODS, namespace, name),
        options,
        current -> {
          if (current == null) {
            throw Problem.notFound(Catalogue.PODS, name);
          }
          JsonObject pod = current.copy();
          String uid = text(binding, "metadata", "uid");
          if (!uid.isEmpty() && !uid.equals(text(pod, "metadata", "uid"))) {
            throw Problem.conflict(
                Catalogue.PODS,
                "binding",
                name,
                "Precondition failed: UID in precondition: "
                    + uid
                    + ", UID in object meta: "
                    + text(pod, "metadata", "uid"));
          }
          if (!text(pod, "metadata", "deletionTimestamp").isEmpty()) {
            throw Problem.conflict(
                Catalogue.PODS,
                "binding",
                name,
                "pod " + name + " is being deleted, cannot be assigned to a host");
          }
          if (at(pod, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
            throw Problem.conflict(
                Catalogue.PODS,
                "binding",
                name,
                "pod " + name + " has non-empty .spec.schedulingGates");
          }
          String already = text(pod, "spec", "nodeName");
          if (!already.isEmpty()) {
            throw Problem.conflict(
                Catalogue.PODS,
                "binding",
                name,
                "pod " + name + " is already assigned to node \"" + already + "\"");
          }
          child(pod, "spec").addProperty("nodeName", node);
          if (at(binding, "metadata", "annotations") instanceof JsonObject annotations) {
            annotations
                .entrySet()
                .forEach(e -> child(pod, "metadata", "annotations").add(e.getKey(), e.getValue()));
          }
          Conditions.set(pod, "PodScheduled", "True");
          return pod;
        });
  }

  /** The class that claims without one get, null if there is none. */
  @Nullable String defaultClass() {
    String best = null;
    String bestCreated = "";
    for (Stored stored : store(Catalogue.CLASSES).list("").objects()) {
      JsonObject tree = stored.tree();
      boolean isDefault =
          List.of(
                  "storageclass.kubernetes.io/is-default-class",
                  "storageclass.beta.kubernetes.io/is-default-class")
              .stream()
              .anyMatch(a -> text(tree, "metadata", "annotations", a).equals("true"));
      String created = text(tree, "metadata", "creationTimestamp");
      if (isDefault && (best == null || created.compareTo(bestCreated) > 0)) {
        best = text(tree, "metadata", "name");
        bestCreated = created;
      }
    }
    return best;
  }

  static JsonElement string(String value) {
    return new JsonPrimitive(value);
  }
}
