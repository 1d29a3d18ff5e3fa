package dev.mooring.apiserver.simulate;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The resources of a server, custom resources included. */
final class ServedTypes {
  private final ObjectHandlers handlers;

  ServedTypes(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  /** Returns one resource for each store: some kinds have two versions or groups. */
  List<ResourceType> listStored() {
    List<ResourceType> all = new ArrayList<>(KindCatalogue.ALL);
    all.addAll(handlers.getCustomResources().getTypes());
    Set<Store> stores = Collections.newSetFromMap(new IdentityHashMap<>());
    return all.stream().filter(type -> stores.add(handlers.store(type))).toList();
  }

  List<ResourceType> listNamespaced() {
    return listStored().stream().filter(ResourceType::namespaced).toList();
  }

  Optional<ResourceType> find(String apiVersion, String kind) {
    return Stream.concat(
            KindCatalogue.ALL.stream(), handlers.getCustomResources().getTypes().stream())
        .filter(type -> type.apiVersion().equals(apiVersion) && type.kind().equals(kind))
        .findFirst();
  }
}
