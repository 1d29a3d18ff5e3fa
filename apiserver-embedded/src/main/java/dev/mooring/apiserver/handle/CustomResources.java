package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
  static final String CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  private final ObjectHandlers handlers;
  private final Function<String, Store> newStore;
  private final Map<String, Store> stores = new ConcurrentHashMap<>();
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

  Optional<ResourceType> findType(String group, String version, String plural) {
    for (ResourceType type : types.getOrDefault(plural + "." + group, List.of())) {
      if (type.version().equals(version)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  Store getStore(ResourceType type) {
    return stores.computeIfAbsent(type.qualifiedName(), newStore);
  }

  public List<Store> getStores() {
    return List.copyOf(stores.values());
  }

  public void restore() {
    for (StoredObject definition : handlers.store(KindCatalogue.DEFINITIONS).list("").objects()) {
      registerTypes(definition.tree());
    }
  }

  void handleChange(StoredObject definition) {
    acceptNames(definition.key(), textAt(definition.tree(), "spec", "group"));
  }

  private void acceptNames(String name, String group) {
    Store store = handlers.store(KindCatalogue.DEFINITIONS);
    AcceptedNames otherNames =
        AcceptedNames.collectNamesOfOthers(store.list("").objects(), name, group);
    store.<RuntimeException>write(
        name, current -> current == null ? null : addAcceptedNames(current, otherNames));
    StoredObject updated = store.get(name);
    if (updated != null) {
      registerTypes(updated.tree());
    }
  }

  private void acceptFreedNames(String name) {
    String group = name.substring(name.indexOf('.') + 1);
    for (StoredObject definition : handlers.store(KindCatalogue.DEFINITIONS).list("").objects()) {
      if (textAt(definition.tree(), "spec", "group").equals(group)
          && !isConditionTrue(definition.tree(), "NamesAccepted")) {
        acceptNames(definition.key(), group);
      }
    }
  }

  private void registerTypes(JsonObject definition) {
    String name = textAt(definition, "metadata", "name");
    if (isConditionTrue(definition, "Established")) {
      types.put(name, CustomTypes.findServedTypes(definition));
    }
  }

  private static boolean isConditionTrue(JsonObject definition, String type) {
    if (valueAt(definition, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        if (textAt(condition.getAsJsonObject(), "type").equals(type)) {
          return textAt(condition.getAsJsonObject(), "status").equals("True");
        }
      }
    }
    return false;
  }

  private static JsonObject addAcceptedNames(StoredObject current, AcceptedNames otherNames) {
    JsonObject tree = current.copy();
    JsonObject names = getOrAddChild(tree, "spec", "names").deepCopy();
    JsonObject oldNames = getOrAddChild(tree, "status", "acceptedNames");
    Optional<AcceptedNames.NameConflict> conflict = otherNames.resolveConflicts(names, oldNames);
    if (conflict.isPresent()) {
      String message = "\"" + conflict.get().name() + "\" is already in use";
      setCondition(tree, "NamesAccepted", false, conflict.get().reason(), message);
      if (!isConditionTrue(tree, "Established")) {
        setCondition(tree, "Established", false, "NotAccepted", "not all names are accepted");
      }
    } else {
      setCondition(tree, "NamesAccepted", true, "NoConflicts", "no conflicts found");
      setCondition(
          tree,
          "Established",
          true,
          "InitialNamesAccepted",
          "the initial names have been accepted");
    }
    getOrAddChild(tree, "status").add("acceptedNames", names);
    return recordStatusOwner(current, tree);
  }

  private static JsonObject recordStatusOwner(StoredObject current, JsonObject tree) {
    if (tree.equals(current.tree())) {
      return current.tree();
    }
    FieldOwnerships.recordUpdate(SERVER_WRITE, KindCatalogue.DEFINITIONS, current.tree(), tree);
    return tree;
  }

  static void setCondition(
      JsonObject tree, String type, boolean isTrue, String reason, String message) {
    JsonObject status = getOrAddChild(tree, "status");
    JsonArray conditions =
        status.get("conditions") instanceof JsonArray list ? list : new JsonArray();
    JsonObject condition = null;
    for (JsonElement conditionElement : conditions) {
      if (textAt(conditionElement.getAsJsonObject(), "type").equals(type)) {
        condition = conditionElement.getAsJsonObject();
      }
    }
    if (condition == null) {
      condition = new JsonObject();
      condition.addProperty("type", type);
      conditions.add(condition);
    }
    String statusText = isTrue ? "True" : "False";
    if (!textAt(condition, "status").equals(statusText)) {
      condition.addProperty("status", statusText);
      condition.addProperty("lastTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
    }
    condition.addProperty("reason", reason);
    condition.addProperty("message", message);
    status.add("conditions", conditions);
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
    if (textAt(definition.tree(), "metadata", "deletionTimestamp").isEmpty()) {
      return;
    }
    List<ResourceType> servedTypes = types.getOrDefault(name, List.of());
    if (!servedTypes.isEmpty()) {
      deleteAllObjects(servedTypes.getFirst());
    }
    boolean hasNoObjects = servedTypes.isEmpty() || getStore(servedTypes.getFirst()).size() == 0;
    StoredObject remaining =
        store.<RuntimeException>write(
            name, current -> current == null ? null : computeNextDefinition(current, hasNoObjects));
    if (remaining == null || hasNoObjects) {
      types.remove(name);
    }
    if (store.get(name) == null) {
      acceptFreedNames(name);
    }
  }

  // Returns the definition to keep; null if it can be removed.
  private static @Nullable JsonObject computeNextDefinition(
      StoredObject current, boolean hasNoObjects) {
    JsonObject tree = current.copy();
    if (!hasNoObjects) {
      setCondition(
          tree,
          "Terminating",
          true,
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
      return recordStatusOwner(current, tree);
    }
    List<String> finalizers = new ArrayList<>(stringsAt(tree, "metadata", "finalizers"));
    finalizers.remove(CLEANUP_FINALIZER);
    if (finalizers.isEmpty()) {
      return null;
    }
    JsonArray list = new JsonArray();
    finalizers.forEach(list::add);
    getOrAddChild(tree, "metadata").add("finalizers", list);
    return tree;
  }

  private void deleteAllObjects(ResourceType type) {
    for (StoredObject object : getStore(type).list("").objects()) {
      try {
        handlers.delete(
            type,
            textAt(object.tree(), "metadata", "namespace"),
            textAt(object.tree(), "metadata", "name"),
            WriteOptions.PLAIN);
      } catch (StatusException e) {
        // a concurrent request deleted it
      }
    }
  }

  /** Deletes a terminating definition once its last object is deleted. */
  void handleObjectDeleted(ResourceType type) {
    if (getStore(type).size() == 0) {
      deleteObjects(type.qualifiedName());
    }
  }
}
