package dev.mooring.junit;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class NamespaceObjects {
  private final ObjectHandlers handlers;
  private final String namespace;

  NamespaceObjects(ObjectHandlers handlers, String namespace) {
    this.handlers = handlers;
    this.namespace = namespace;
  }

  // one type per store: events have two, and custom resources one per version
  private Map<Store, ResourceType> stores() {
    List<ResourceType> types = new ArrayList<>(KindCatalogue.ALL);
    types.addAll(handlers.getCustomResources().getTypes());
    Map<Store, ResourceType> stores = new LinkedHashMap<>();
    for (ResourceType type : types) {
      if (type.namespaced()) {
        stores.putIfAbsent(handlers.store(type), type);
      }
    }
    return stores;
  }

  private Iterable<StoredObject> list(Store store) {
    return store.list(namespace + "/").objects();
  }

  String describe() {
    StringBuilder text = new StringBuilder();
    stores()
        .forEach((store, type) -> {
          for (StoredObject object : list(store)) {
            JsonObject tree = object.copy();
            tree.addProperty("apiVersion", type.apiVersion());
            tree.addProperty("kind", type.kind());
            tree.getAsJsonObject("metadata").remove("managedFields");
            text.append("---\n").append(YamlBodies.fromJson(tree.toString()));
          }
        });
    return text.toString();
  }

  NamespaceSnapshot snapshot() {
    Map<Store, Map<String, JsonObject>> objects = new IdentityHashMap<>();
    for (Store store : stores().keySet()) {
      Map<String, JsonObject> trees = new LinkedHashMap<>();
      list(store).forEach(object -> trees.put(object.key(), object.tree()));
      objects.put(store, trees);
    }
    return new NamespaceSnapshot(objects);
  }

  void restore(NamespaceSnapshot snapshot) {
    for (Store store : stores().keySet()) {
      Map<String, JsonObject> trees = snapshot.objects().getOrDefault(store, Map.of());
      for (StoredObject object : list(store)) {
        if (!trees.containsKey(object.key())) {
          remove(store, object.key());
        }
      }
      trees.forEach((key, tree) ->
          store.<RuntimeException>write(
              key,
              current ->
                  current != null && current.tree().equals(tree)
                      ? current.tree()
                      : tree.deepCopy()));
    }
  }

  // without finalizers: no controller may be left to remove them
  void deleteAll() {
    for (Store store : stores().keySet()) {
      list(store).forEach(object -> remove(store, object.key()));
    }
    remove(handlers.store(KindCatalogue.NAMESPACES), namespace);
  }

  private static void remove(Store store, String key) {
    store.<RuntimeException>write(key, current -> null);
  }
}
