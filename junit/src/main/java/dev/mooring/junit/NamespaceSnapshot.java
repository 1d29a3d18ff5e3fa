package dev.mooring.junit;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.Store;
import java.util.Map;

/** The objects of a namespace at one time. See {@link KubernetesServer#snapshot}. */
public final class NamespaceSnapshot {
  private final Map<Store, Map<String, JsonObject>> objects;

  NamespaceSnapshot(Map<Store, Map<String, JsonObject>> objects) {
    this.objects = objects;
  }

  Map<Store, Map<String, JsonObject>> objects() {
    return objects;
  }
}
