package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.handle.WriteOptions.PropagationPolicy;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The garbage collector of Kubernetes, without its grace for owners that a cache lacks. */
final class GarbageCollector implements ControllerPass {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";

  private record OwnedObject(ResourceType type, JsonObject tree) {}

  private final ObjectHandlers handlers;
  private final String namespace;
  private final ServedTypes types;
  private final SimulatedObjects objects;
  private final Map<Store, SelectedObjects> related = new IdentityHashMap<>();

  GarbageCollector(ObjectHandlers handlers, String namespace) {
    this.handlers = handlers;
    this.namespace = namespace;
    this.types = new ServedTypes(handlers);
    this.objects = new SimulatedObjects(handlers, namespace);
  }

  @Override
  public void run() {
    Map<String, List<OwnedObject>> dependents = new HashMap<>();
    List<OwnedObject> collected = new ArrayList<>();
    for (ResourceType type : listTypes()) {
      for (JsonObject object : listRelated(type)) {
        collected.add(new OwnedObject(type, object));
      }
    }
    for (OwnedObject object : collected) {
      for (JsonObject reference : SimulatedObjects.listOwners(object.tree())) {
        dependents.computeIfAbsent(textAt(reference, "uid"), uid -> new ArrayList<>()).add(object);
      }
    }
    // read before owners are released, or their dependents would be deleted
    Map<String, JsonObject> present = new HashMap<>(); // by uid
    collected.forEach(object -> readOwners(object.tree(), present));
    collected.forEach(object -> releaseOwner(object, dependents));
    collected.forEach(object -> collect(object, present, dependents));
  }

  // the namespace counts for the objects that are changed, but not for their owners
  private List<JsonObject> listRelated(ResourceType type) {
    List<JsonObject> all =
        related
            .computeIfAbsent(
                handlers.store(type), store -> new SelectedObjects(store, this::isRelated))
            .list();
    return namespace.isEmpty() || !type.namespaced()
        ? all
        : all.stream().filter(o -> SimulatedObjects.getNamespace(o).equals(namespace)).toList();
  }

  private boolean isRelated(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    return metadata.has("ownerReferences") || metadata.has("deletionTimestamp");
  }

  private void readOwners(JsonObject dependent, Map<String, JsonObject> present) {
    String namespaceOfDependent = SimulatedObjects.getNamespace(dependent);
    for (JsonObject reference : SimulatedObjects.listOwners(dependent)) {
      String uid = textAt(reference, "uid");
      types
          .find(textAt(reference, "apiVersion"), textAt(reference, "kind"))
          .map(type ->
              objects.find(
                  type, type.namespaced() ? namespaceOfDependent : "", textAt(reference, "name")))
          .filter(owner -> textAt(owner, "metadata", "uid").equals(uid))
          .ifPresent(owner -> present.put(uid, owner));
    }
  }

  private List<ResourceType> listTypes() {
    return types.listStored().stream().filter(type -> type != KindCatalogue.EVENTS).toList();
  }

  private void releaseOwner(OwnedObject owner, Map<String, List<OwnedObject>> dependents) {
    if (!SimulatedObjects.isTerminating(owner.tree())) {
      return;
    }
    String uid = textAt(owner.tree(), "metadata", "uid");
    List<OwnedObject> ownDependents = dependents.getOrDefault(uid, List.of());
    List<String> finalizers = stringsAt(owner.tree(), "metadata", "finalizers");
    if (finalizers.contains(ORPHAN)) {
      ownDependents.forEach(dependent -> removeOwners(dependent, List.of(uid)));
      removeFinalizer(owner, ORPHAN);
    } else if (finalizers.contains(FOREGROUND)
        && ownDependents.stream().noneMatch(dependent -> isBlocking(dependent, uid))) {
      removeFinalizer(owner, FOREGROUND);
    }
  }

  private static boolean isBlocking(OwnedObject dependent, String owner) {
    return SimulatedObjects.listOwners(dependent.tree()).stream()
        .anyMatch(reference ->
            textAt(reference, "uid").equals(owner) && flagAt(reference, "blockOwnerDeletion"));
  }

  private void collect(
      OwnedObject object,
      Map<String, JsonObject> present,
      Map<String, List<OwnedObject>> dependents) {
    List<JsonObject> references = SimulatedObjects.listOwners(object.tree());
    boolean isServed =
        references.stream()
            .allMatch(r -> types.find(textAt(r, "apiVersion"), textAt(r, "kind")).isPresent());
    if (references.isEmpty() || !isServed || SimulatedObjects.isTerminating(object.tree())) {
      return;
    }
    List<String> ended = new ArrayList<>();
    boolean isOwned = false;
    boolean isOwnerWaiting = false;
    for (JsonObject reference : references) {
      JsonObject owner = findOwner(object.tree(), present.get(textAt(reference, "uid")));
      boolean isWaiting = isDeletedInForeground(owner);
      if (owner.isEmpty() || isWaiting) {
        ended.add(textAt(reference, "uid"));
      } else {
        isOwned = true;
      }
      isOwnerWaiting |= isWaiting;
    }
    if (isOwned) {
      removeOwners(object, ended);
    } else {
      String uid = textAt(object.tree(), "metadata", "uid");
      boolean hasDependents = dependents.containsKey(uid);
      objects.delete(
          object.type(), object.tree(), choosePolicy(object, isOwnerWaiting && hasDependents));
    }
  }

  // an owner in another namespace counts as absent
  private static JsonObject findOwner(JsonObject dependent, @Nullable JsonObject owner) {
    if (owner == null) {
      return new JsonObject();
    }
    String namespace = SimulatedObjects.getNamespace(owner);
    boolean isReachable =
        namespace.isEmpty() || namespace.equals(SimulatedObjects.getNamespace(dependent));
    return isReachable ? owner : new JsonObject();
  }

  private static boolean isDeletedInForeground(JsonObject owner) {
    return SimulatedObjects.isTerminating(owner)
        && stringsAt(owner, "metadata", "finalizers").contains(FOREGROUND);
  }

  private static PropagationPolicy choosePolicy(OwnedObject object, boolean isForeground) {
    List<String> finalizers = stringsAt(object.tree(), "metadata", "finalizers");
    if (isForeground || finalizers.contains(FOREGROUND)) {
      return PropagationPolicy.FOREGROUND;
    }
    return finalizers.contains(ORPHAN) ? PropagationPolicy.ORPHAN : PropagationPolicy.BACKGROUND;
  }

  private void removeOwners(OwnedObject dependent, List<String> uids) {
    if (uids.isEmpty()) {
      return;
    }
    objects.update(
        dependent.type(),
        dependent.tree(),
        WriteOptions.PLAIN,
        current -> {
          JsonArray kept = new JsonArray();
          SimulatedObjects.listOwners(current).stream()
              .filter(reference -> !uids.contains(textAt(reference, "uid")))
              .forEach(kept::add);
          getOrAddChild(current, "metadata").add("ownerReferences", kept);
          return current;
        });
  }

  private void removeFinalizer(OwnedObject owner, String finalizer) {
    objects.update(
        owner.type(),
        owner.tree(),
        WriteOptions.PLAIN,
        current -> {
          JsonArray kept = new JsonArray();
          stringsAt(current, "metadata", "finalizers").stream()
              .filter(other -> !other.equals(finalizer))
              .forEach(kept::add);
          getOrAddChild(current, "metadata").add("finalizers", kept);
          return current;
        });
  }
}
