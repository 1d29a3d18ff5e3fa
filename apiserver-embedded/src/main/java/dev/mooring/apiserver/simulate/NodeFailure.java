package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.StatusConditions;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.List;

/** A node whose kubelet has stopped, as Kubernetes' node and taint controllers treat it. */
public final class NodeFailure {
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  private final ObjectHandlers handlers;
  private final String node;

  public NodeFailure(ObjectHandlers handlers, String node) {
    this.handlers = handlers;
    this.node = node;
  }

  /**
   * Sets the node's conditions and taints, and the conditions of its pods.
   *
   * @throws StatusException if the node does not exist
   */
  public void start() throws StatusException {
    setReady("Unknown", "NodeStatusUnknown", "simulated failure");
    handlers.update(
        KindCatalogue.NODES,
        "",
        node,
        WriteOptions.PLAIN,
        current -> {
          JsonArray taints = new JsonArray();
          SimulatedObjects.objectsAt(current, "spec", "taints").forEach(taints::add);
          taints.add(newObject("key", UNREACHABLE, "effect", "NoSchedule"));
          taints.add(newObject("key", UNREACHABLE, "effect", "NoExecute"));
          getOrAddChild(current, "spec").add("taints", taints);
          return current;
        });
    for (JsonObject pod : pods()) {
      SimulatedObjects.tryWrite(() ->
          handlers.update(
              KindCatalogue.PODS,
              SimulatedObjects.getNamespace(pod),
              SimulatedObjects.getName(pod),
              WriteOptions.STATUS,
              current -> {
                StatusConditions.setCondition(current, "Ready", "False");
                return current;
              }));
    }
  }

  /**
   * Reports the node as ready again and removes the taints of {@link #start()}.
   *
   * @throws StatusException if the node does not exist
   */
  public void end() throws StatusException {
    handlers.update(
        KindCatalogue.NODES,
        "",
        node,
        WriteOptions.PLAIN,
        current -> {
          JsonArray taints = new JsonArray();
          SimulatedObjects.objectsAt(current, "spec", "taints").stream()
              .filter(taint -> !textAt(taint, "key").equals(UNREACHABLE))
              .forEach(taints::add);
          getOrAddChild(current, "spec").add("taints", taints);
          return current;
        });
    setReady("True", "KubeletReady", "simulated return");
  }

  private void setReady(String status, String reason, String message) throws StatusException {
    handlers.update(
        KindCatalogue.NODES,
        "",
        node,
        WriteOptions.STATUS,
        current -> {
          StatusConditions.setCondition(current, "Ready", status, reason, message);
          return current;
        });
  }

  private List<JsonObject> pods() {
    return handlers.store(KindCatalogue.PODS).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(pod -> textAt(pod, "spec", "nodeName").equals(node))
        .toList();
  }

  /** Deletes the pods that do not tolerate the taints for so long. */
  public void evictPods(Duration tainted) {
    StoredObject stored = handlers.store(KindCatalogue.NODES).get(node);
    if (stored == null) {
      return;
    }
    for (JsonObject pod : pods()) {
      if (!SimulatedObjects.isTerminating(pod) && !isTolerated(pod, stored.tree(), tainted)) {
        SimulatedObjects.tryWrite(() ->
            handlers.delete(
                KindCatalogue.PODS,
                SimulatedObjects.getNamespace(pod),
                SimulatedObjects.getName(pod),
                WriteOptions.PLAIN));
      }
    }
  }

  private static boolean isTolerated(JsonObject pod, JsonObject node, Duration tainted) {
    return SimulatedObjects.objectsAt(node, "spec", "taints").stream()
        .filter(taint -> textAt(taint, "effect").equals("NoExecute"))
        .allMatch(taint ->
            SimulatedObjects.objectsAt(pod, "spec", "tolerations").stream()
                .filter(toleration -> NodeFit.tolerates(toleration, taint))
                .anyMatch(toleration -> lasts(toleration, tainted)));
  }

  private static boolean lasts(JsonObject toleration, Duration tainted) {
    return !(toleration.get("tolerationSeconds") instanceof JsonElement seconds)
        || tainted.toSeconds() < seconds.getAsLong();
  }
}
