package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;

/** The namespace controller and the service account controller of Kubernetes. */
final class NamespaceSimulator implements ControllerPass {
  private static final String DEFAULT_ACCOUNT = "default";

  private final ServedTypes types;
  private final ObjectHandlers handlers;
  private final SimulatedObjects objects;

  NamespaceSimulator(ObjectHandlers handlers) {
    this.types = new ServedTypes(handlers);
    this.handlers = handlers;
    this.objects = new SimulatedObjects(handlers, "");
  }

  @Override
  public void run() {
    for (JsonObject namespace : objects.list(KindCatalogue.NAMESPACES)) {
      String name = SimulatedObjects.getName(namespace);
      if (SimulatedObjects.isTerminating(namespace)) {
        deleteContent(name);
        if (isEmpty(name)) {
          finalizeNamespace(namespace);
        }
      } else if (objects.find(KindCatalogue.SERVICE_ACCOUNTS, name, DEFAULT_ACCOUNT) == null) {
        JsonObject account = newObject("metadata", newObject("name", DEFAULT_ACCOUNT));
        objects.create(KindCatalogue.SERVICE_ACCOUNTS, name, account);
      }
    }
  }

  private void deleteContent(String namespace) {
    SimulatedObjects content = new SimulatedObjects(handlers, namespace);
    for (ResourceType type : types.listNamespaced()) {
      for (JsonObject object : content.list(type)) {
        if (!SimulatedObjects.isTerminating(object)) {
          content.delete(type, object);
        }
      }
    }
  }

  private boolean isEmpty(String namespace) {
    SimulatedObjects content = new SimulatedObjects(handlers, namespace);
    List<ResourceType> namespacedTypes = types.listNamespaced();
    return namespacedTypes.stream().allMatch(type -> content.list(type).isEmpty());
  }

  private void finalizeNamespace(JsonObject namespace) {
    objects.update(
        KindCatalogue.NAMESPACES,
        namespace,
        WriteOptions.PLAIN.withSubresource("finalize"),
        current -> {
          getOrAddChild(current, "spec").add("finalizers", new JsonArray());
          return current;
        });
  }
}
