package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.store.StoredObject;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a simulated controller reads and writes. A refused write is logged; the pass
 * after the next write of any object tries again.
 */
final class SimulatedObjects {
  private static final System.Logger LOG = System.getLogger(SimulatedObjects.class.getName());
  private static final String MANAGER = "kube-controller-manager";

  private final ObjectHandlers handlers;
  private final String prefix;

  SimulatedObjects(ObjectHandlers handlers, String namespace) {
    this.handlers = handlers;
    this.prefix = namespace.isEmpty() ? "" : namespace + "/";
  }

  List<JsonObject> list(ResourceType type) {
    return listTrees(type, type.namespaced() ? prefix : "");
  }

  /** Returns the objects in the namespace of the owner that it controls. */
  List<JsonObject> listControlled(ResourceType type, JsonObject owner) {
    String uid = textAt(owner, "metadata", "uid");
    return listTrees(type, textAt(owner, "metadata", "namespace") + "/").stream()
        .filter(object -> findController(object).equals(uid))
        .toList();
  }

  /** Returns the pods of a workload, and adopts pods that it selects and nothing controls. */
  List<JsonObject> listPods(ResourceType type, JsonObject workload) {
    JsonObject selector = getOrAddChild(workload.deepCopy(), "spec", "selector");
    for (JsonObject pod : listTrees(KindCatalogue.PODS, getNamespace(workload) + "/")) {
      boolean isOrphan = findController(pod).isEmpty() && !isTerminating(pod);
      boolean isNamed =
          type != KindCatalogue.STATEFUL_SETS || getName(pod).startsWith(getName(workload) + "-");
      if (isOrphan && isNamed && !isTerminating(workload) && isSelected(selector, pod)) {
        adopt(pod, makeControllerReference(type, workload));
      }
    }
    return listControlled(KindCatalogue.PODS, workload);
  }

  private void adopt(JsonObject pod, JsonObject reference) {
    update(
        KindCatalogue.PODS,
        pod,
        WriteOptions.PLAIN,
        current -> {
          JsonArray references = new JsonArray();
          listOwners(current).forEach(references::add);
          references.add(reference);
          getOrAddChild(current, "metadata").add("ownerReferences", references);
          return current;
        });
  }

  private List<JsonObject> listTrees(ResourceType type, String keyPrefix) {
    return handlers.store(type).list(keyPrefix).objects().stream().map(StoredObject::tree).toList();
  }

  @Nullable JsonObject find(ResourceType type, String namespace, String name) {
    StoredObject object = handlers.store(type).get(ObjectHandlers.makeKey(type, namespace, name));
    return object == null ? null : object.tree();
  }

  /** Returns the uid of the object's controller, or "". */
  static String findController(JsonObject object) {
    return listOwners(object).stream()
        .filter(reference -> flagAt(reference, "controller"))
        .map(reference -> textAt(reference, "uid"))
        .findFirst()
        .orElse("");
  }

  static List<JsonObject> listOwners(JsonObject object) {
    return objectsAt(object, "metadata", "ownerReferences");
  }

  static List<JsonObject> objectsAt(JsonObject object, String... path) {
    List<JsonObject> elements = new ArrayList<>();
    if (valueAt(object, path) instanceof JsonArray array) {
      array.forEach(element -> elements.add(element.getAsJsonObject()));
    }
    return elements;
  }

  static long numberAt(JsonObject object, String... path) {
    JsonElement value = valueAt(object, path);
    return value == null ? 0 : value.getAsLong();
  }

  static boolean isTerminating(JsonObject object) {
    return !textAt(object, "metadata", "deletionTimestamp").isEmpty();
  }

  static boolean isSelected(JsonObject selector, JsonObject object) {
    return LabelSelectors.isMatching(
        selector, getOrAddChild(object.deepCopy(), "metadata", "labels"));
  }

  static JsonObject makeClaimReference(JsonObject claim) {
    return newObject(
        "kind",
        KindCatalogue.CLAIMS.kind(),
        "apiVersion",
        KindCatalogue.CLAIMS.apiVersion(),
        "namespace",
        getNamespace(claim),
        "name",
        getName(claim),
        "uid",
        textAt(claim, "metadata", "uid"));
  }

  static JsonObject makeControllerReference(ResourceType type, JsonObject owner) {
    return newObject(
        "apiVersion",
        type.apiVersion(),
        "kind",
        type.kind(),
        "name",
        textAt(owner, "metadata", "name"),
        "uid",
        textAt(owner, "metadata", "uid"),
        "controller",
        true,
        "blockOwnerDeletion",
        true);
  }

  /** Returns a pod or ReplicaSet with a copy of a template's metadata and the controller. */
  static JsonObject makeControlled(JsonObject template, ResourceType ownerType, JsonObject owner) {
    JsonObject metadata = getOrAddChild(template.deepCopy(), "metadata");
    metadata.add("ownerReferences", newArray(makeControllerReference(ownerType, owner)));
    JsonObject object = newObject("metadata", metadata);
    object.add("spec", getOrAddChild(template.deepCopy(), "spec"));
    return object;
  }

  void create(ResourceType type, String namespace, JsonObject object) {
    tryWrite(
        () -> handlers.create(type, namespace, object, WriteOptions.PLAIN.withManager(MANAGER)));
  }

  void delete(ResourceType type, JsonObject object) {
    delete(type, object, WriteOptions.PropagationPolicy.BACKGROUND);
  }

  void delete(ResourceType type, JsonObject object, WriteOptions.PropagationPolicy policy) {
    WriteOptions options =
        WriteOptions.PLAIN
            .withPropagation(policy)
            .withPreconditions(textAt(object, "metadata", "uid"), null);
    tryWrite(() -> handlers.delete(type, getNamespace(object), getName(object), options));
  }

  void update(
      ResourceType type, JsonObject object, WriteOptions options, ObjectHandlers.ObjectEdit edit) {
    String uid = textAt(object, "metadata", "uid");
    tryWrite(() ->
        handlers.update(
            type,
            getNamespace(object),
            getName(object),
            options.withManager(MANAGER),
            current -> {
              boolean isSame = textAt(current, "metadata", "uid").equals(uid);
              return isSame ? edit.apply(current) : current;
            }));
  }

  /** Sets members of the status, if one differs. JSON null removes a member. */
  void setStatus(ResourceType type, JsonObject object, JsonObject members) {
    boolean isCurrent =
        members.keySet().stream()
            .allMatch(
                name -> Objects.equals(valueAt(members, name), valueAt(object, "status", name)));
    if (!isCurrent) {
      update(
          type,
          object,
          WriteOptions.STATUS,
          current -> {
            JsonObject changed = getOrAddChild(current, "status");
            members.asMap().forEach(changed::add);
            changed.asMap().values().removeIf(JsonElement::isJsonNull);
            return current;
          });
    }
  }

  /** Adds a count to the status; JSON null for 0, which Kubernetes omits. */
  static void addCount(JsonObject status, String name, long count) {
    status.add(name, count == 0 ? JsonNull.INSTANCE : new JsonPrimitive(count));
  }

  static boolean isActive(JsonObject pod) {
    return !isTerminating(pod)
        && !List.of("Succeeded", "Failed").contains(textAt(pod, "status", "phase"));
  }

  static boolean isReady(JsonObject object) {
    return objectsAt(object, "status", "conditions").stream()
        .anyMatch(c -> textAt(c, "type").equals("Ready") && textAt(c, "status").equals("True"));
  }

  /** Returns a short text that differs for different templates. */
  static String hash(JsonObject template) {
    return Integer.toUnsignedString(template.toString().hashCode(), Character.MAX_RADIX);
  }

  static String getNamespace(JsonObject object) {
    return textAt(object, "metadata", "namespace");
  }

  static String getName(JsonObject object) {
    return textAt(object, "metadata", "name");
  }

  @FunctionalInterface
  interface StoreWrite {
    void run() throws StatusException;
  }

  static void tryWrite(StoreWrite write) {
    try {
      write.run();
    } catch (StatusException e) {
      LOG.log(Level.DEBUG, () -> "simulation: " + e.getMessage());
    }
  }
}
