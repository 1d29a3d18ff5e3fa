package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.custom.CustomTypes;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The custom resources, and the lifecycle of their definitions: acceptance of names, and cleanup of
 * objects before a definition is deleted. Thread-safe.
 */
public final class CustomResources {
  static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private final ObjectHandlers handlers;
  private final Function<String, Store> newStore;
  private final Map<String, Store> getStores = new ConcurrentHashMap<>();
  private final Map<String, List<ResourceType>> types = new ConcurrentSkipListMap<>();

  private static final WriteOptions SERVER_WRITE =
      WriteOptions.STATUS.withManager("kube-apiserver");

  CustomResources(ObjectHandlers handlers, Function<String, Store> newStore) {
    this.handlers = handlers;
    this.newStore = newStore;
  }

  public List<ResourceType> getTypes() {
    return types.values().stream().flatMap(List::stream).toList();
  }

  Optional<ResourceType> find(String group, String version, String plural) {
    for (ResourceType type : types.getOrDefault(plural + "." + group, List.of())) {
      if (type.version().equals(version)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  Store store(ResourceType type) {
    return getStores.computeIfAbsent(type.qualifiedName(), newStore);
  }

  public List<Store> getStores() {
    return List.copyOf(getStores.values());
  }

  public void restore() {
    for (StoredObject definition : handlers.store(KindCatalogue.DEFINITIONS).list("").objects()) {
      serve(definition.tree());
    }
  }

  void handleChange(StoredObject definition) {
    acceptNames(definition.key(), text(definition.tree(), "spec", "group"));
  }

  private void acceptNames(String name, String group) {
    Store store = handlers.store(KindCatalogue.DEFINITIONS);
    AcceptedNames others =
        AcceptedNames.collectNamesOfOthers(store.list("").objects(), name, group);
    store.<RuntimeException>write(
        name, current -> current == null ? null : addAcceptedNames(current, others));
    StoredObject now = store.get(name);
    if (now != null) {
      serve(now.tree());
    }
  }

  private void acceptFreedNames(String name) {
    String group = name.substring(name.indexOf('.') + 1);
    for (StoredObject other : handlers.store(KindCatalogue.DEFINITIONS).list("").objects()) {
      if (text(other.tree(), "spec", "group").equals(group)
          && !isConditionTrue(other.tree(), "NamesAccepted")) {
        acceptNames(other.key(), group);
      }
    }
  }

  private void serve(JsonObject definition) {
    String name = text(definition, "metadata", "name");
    if (isConditionTrue(definition, "Established")) {
      types.put(name, CustomTypes.findServedTypes(definition));
    }
  }

  private static boolean isConditionTrue(JsonObject definition, String type) {
    if (at(definition, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        if (text(condition.getAsJsonObject(), "type").equals(type)) {
          return text(condition.getAsJsonObject(), "status").equals("True");
        }
      }
    }
    return false;
  }

  private static JsonObject addAcceptedNames(StoredObject current, AcceptedNames others) {
    JsonObject tree = current.copy();
    JsonObject names = child(tree, "spec", "names").deepCopy();
    JsonObject before = child(tree, "status", "acceptedNames");
    Optional<AcceptedNames.NameConflict> conflict = others.resolveConflicts(names, before);
    if (conflict.isPresent()) {
      String message = "\"" + conflict.get().name() + "\" is already in use";
      set(tree, "NamesAccepted", false, conflict.get().reason(), message);
      if (!isConditionTrue(tree, "Established")) {
        set(tree, "Established", false, "NotAccepted", "not all names are accepted");
      }
    } else {
      set(tree, "NamesAccepted", true, "NoConflicts", "no conflicts found");
      set(
          tree,
          "Established",
          true,
          "InitialNamesAccepted",
          "the initial names have been accepted");
    }
    child(tree, "status").add("acceptedNames", names);
    return recordStatusOwner(current, tree);
  }

  private static JsonObject recordStatusOwner(StoredObject current, JsonObject tree) {
    if (tree.equals(current.tree())) {
      return current.tree();
    }
    FieldOwnerships.recordUpdate(SERVER_WRITE, KindCatalogue.DEFINITIONS, current.tree(), tree);
    return tree;
  }

  static void set(JsonObject tree, String type, boolean status, String reason, String message) {
    JsonObject holder = child(tree, "status");
    JsonArray conditions =
        holder.get("conditions") instanceof JsonArray list ? list : new JsonArray();
    JsonObject condition = null;
    for (JsonElement one : conditions) {
      if (text(one.getAsJsonObject(), "type").equals(type)) {
        condition = one.getAsJsonObject();
      }
    }
    if (condition == null) {
      condition = new JsonObject();
      condition.addProperty("type", type);
      conditions.add(condition);
    }
    String word = status ? "True" : "False";
    if (!text(condition, "status").equals(word)) {
      condition.addProperty("status", word);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
    }
    condition.addProperty("reason", reason);
    condition.addProperty("message", message);
    holder.add("conditions", conditions);
  }

  void refuseTerminating(ResourceType type, String name) throws StatusException {
    StoredObject definition = handlers.store(KindCatalogue.DEFINITIONS).get(type.qualifiedName());
    if (definition != null && isConditionTrue(definition.tree(), "Terminating")) {
      throw StatusException.forbidden(
          type,
          name,
          "create not allowed while custom resource definition is terminating",
          List.of());
    }
  }

  /**
   * Continues the deletion of a definition: deletes its objects, removes its finalizer and frees
   * its names.
   */
  void deleteObjects(String name) {
    Store store = handlers.store(KindCatalogue.DEFINITIONS);
    StoredObject definition = store.get(name);
    if (definition == null) {
      types.remove(name);
      acceptFreedNames(name);
      return;
    }
    if (text(definition.tree(), "metadata", "deletionTimestamp").isEmpty()) {
      return;
    }
    List<ResourceType> served = types.getOrDefault(name, List.of());
    if (!served.isEmpty()) {
      removeAll(served.getFirst());
    }
    boolean empty = served.isEmpty() || store(served.getFirst()).size() == 0;
    StoredObject left =
        store.<RuntimeException>write(
            name, current -> current == null ? null : findRemainder(current, empty));
    if (left == null || empty) {
      types.remove(name);
    }
    if (store.get(name) == null) {
      acceptFreedNames(name);
    }
  }

  // Returns the definition to keep; null if it can be removed.
  private static @Nullable JsonObject findRemainder(StoredObject current, boolean empty) {
    JsonObject tree = current.copy();
    if (!empty) {
      set(
          tree,
          "Terminating",
          true,
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
      return recordStatusOwner(current, tree);
    }
    List<String> finalizers = new ArrayList<>(strings(tree, "metadata", "finalizers"));
    finalizers.remove(CLEANUP);
    if (finalizers.isEmpty()) {
      return null;
    }
    JsonArray list = new JsonArray();
    finalizers.forEach(list::add);
    child(tree, "metadata").add("finalizers", list);
    return tree;
  }

  private void removeAll(ResourceType type) {
    for (StoredObject object : store(type).list("").objects()) {
      try {
        handlers.delete(
            type,
            text(object.tree(), "metadata", "namespace"),
            text(object.tree(), "metadata", "name"),
            WriteOptions.PLAIN);
      } catch (StatusException refused) {
        // a concurrent request deleted it
      }
    }
  }

  /** Deletes a terminating definition once its last object is deleted. */
  void handleObjectDeleted(ResourceType type) {
    if (store(type).size() == 0) {
      deleteObjects(type.qualifiedName());
    }
  }
}
