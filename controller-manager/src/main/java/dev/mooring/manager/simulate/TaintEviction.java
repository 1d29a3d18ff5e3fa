package dev.mooring.manager.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.simulate.NodeFit;
import dev.mooring.apiserver.store.StoredObject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes' taint-eviction-controller for nodes that failed at the start of the simulation. */
final class TaintEviction {
  private static final System.Logger LOG = System.getLogger(TaintEviction.class.getName());

  private final ObjectHandlers handlers;

  TaintEviction(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  /** Deletes the pods that do not tolerate the taints of their node for so long. */
  void run(String node, Duration tainted) {
    StoredObject stored = handlers.store(KindCatalogue.NODES).get(node);
    if (stored == null) {
      return;
    }
    for (StoredObject pod : handlers.store(KindCatalogue.PODS).list("").objects()) {
      if (textAt(pod.tree(), "spec", "nodeName").equals(node)
          && textAt(pod.tree(), "metadata", "deletionTimestamp").isEmpty()
          && !isTolerated(pod.tree(), stored.tree(), tainted)) {
        delete(pod.tree());
      }
    }
  }

  private static boolean isTolerated(JsonObject pod, JsonObject node, Duration tainted) {
    return objectsAt(node, "spec", "taints").stream()
        .filter(taint -> textAt(taint, "effect").equals("NoExecute"))
        .allMatch(taint ->
            objectsAt(pod, "spec", "tolerations").stream()
                .filter(toleration -> NodeFit.tolerates(toleration, taint))
                .anyMatch(toleration -> lasts(toleration, tainted)));
  }

  private static boolean lasts(JsonObject toleration, Duration tainted) {
    return !(toleration.get("tolerationSeconds") instanceof JsonElement seconds)
        || tainted.toSeconds() < seconds.getAsLong();
  }

  private static List<JsonObject> objectsAt(JsonObject object, String... path) {
    List<JsonObject> objects = new ArrayList<>();
    if (valueAt(object, path) instanceof JsonArray array) {
      array.forEach(element -> objects.add(element.getAsJsonObject()));
    }
    return objects;
  }

  private void delete(JsonObject pod) {
    try {
      handlers.delete(
          KindCatalogue.PODS,
          textAt(pod, "metadata", "namespace"),
          textAt(pod, "metadata", "name"),
          WriteOptions.PLAIN);
    } catch (StatusException e) {
      LOG.log(Level.DEBUG, () -> "eviction: " + e.getMessage());
    }
  }
}
