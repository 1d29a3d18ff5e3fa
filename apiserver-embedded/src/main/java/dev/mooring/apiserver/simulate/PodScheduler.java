package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.store.StoredObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A scheduler that takes the suitable node with the fewest pods. */
final class PodScheduler {
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  private final ObjectHandlers handlers;

  PodScheduler(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  void run(List<JsonObject> nodes, Collection<StoredObject> pods) {
    Map<String, Integer> podsPerNode = new HashMap<>();
    nodes.forEach(node -> podsPerNode.put(SimulatedObjects.getName(node), 0));
    for (StoredObject pod : pods) {
      podsPerNode.computeIfPresent(textAt(pod.tree(), "spec", "nodeName"), (n, c) -> c + 1);
    }
    for (StoredObject pod : pods) {
      if (textAt(pod.tree(), "spec", "nodeName").isEmpty() && !isHeld(pod.tree())) {
        schedule(pod.tree(), nodes, podsPerNode);
      }
    }
  }

  private static boolean isHeld(JsonObject pod) {
    boolean isGated =
        valueAt(pod, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty();
    return isGated || SimulatedObjects.isTerminating(pod);
  }

  private void schedule(JsonObject pod, List<JsonObject> nodes, Map<String, Integer> podsPerNode) {
    List<JsonObject> unbound = new ArrayList<>();
    List<JsonObject> volumes = new ArrayList<>();
    String selectedNode = "";
    for (String name : PodClaims.names(pod)) {
      StoredObject claim =
          handlers.store(KindCatalogue.CLAIMS).get(SimulatedObjects.getNamespace(pod) + "/" + name);
      if (claim == null) {
        return;
      }
      String selected = textAt(claim.tree(), "metadata", "annotations", SELECTED_NODE);
      selectedNode = podsPerNode.containsKey(selected) ? selected : selectedNode;
      if (textAt(claim.tree(), "status", "phase").equals("Bound")) {
        StoredObject volume =
            handlers.store(KindCatalogue.VOLUMES).get(textAt(claim.tree(), "spec", "volumeName"));
        volumes.add(volume == null ? new JsonObject() : volume.tree());
      } else {
        unbound.add(claim.tree());
      }
    }
    List<JsonObject> suitable = suitableNodes(pod, nodes, volumes, podsPerNode);
    String preferred = selectedNode;
    Optional<JsonObject> chosen =
        suitable.stream()
            .filter(node -> SimulatedObjects.getName(node).equals(preferred))
            .findFirst()
            .or(() -> suitable.stream().findFirst());
    if (chosen.isEmpty()) {
      return;
    }
    if (unbound.isEmpty()) {
      bindPod(pod, SimulatedObjects.getName(chosen.get()));
      podsPerNode.merge(SimulatedObjects.getName(chosen.get()), 1, Integer::sum);
    } else {
      unbound.forEach(claim -> chooseVolume(claim, chosen.get(), suitable));
    }
  }

  private static List<JsonObject> suitableNodes(
      JsonObject pod,
      List<JsonObject> nodes,
      List<JsonObject> volumes,
      Map<String, Integer> podsPerNode) {
    return nodes.stream()
        .filter(node -> {
          NodeFit fit = new NodeFit(node);
          return fit.canRun(pod) && volumes.stream().allMatch(fit::canReach);
        })
        .sorted(
            Comparator.comparing((JsonObject node) ->
                    podsPerNode.getOrDefault(SimulatedObjects.getName(node), 0))
                .thenComparing(SimulatedObjects::getName))
        .toList();
  }

  // as the scheduler's plugin VolumeBinding: an existing volume first, else the provisioner's node
  private void chooseVolume(JsonObject claim, JsonObject node, List<JsonObject> suitable) {
    StoredObject storageClass =
        handlers.store(KindCatalogue.CLASSES).get(textAt(claim, "spec", "storageClassName"));
    if (storageClass == null
        || !textAt(storageClass.tree(), "volumeBindingMode").equals("WaitForFirstConsumer")
        || !textAt(claim, "metadata", "annotations", SELECTED_NODE).isEmpty()) {
      return;
    }
    if (!textAt(storageClass.tree(), "provisioner").equals(NO_PROVISIONER)) {
      selectNode(claim, SimulatedObjects.getName(node));
      return;
    }
    suitable.stream()
        .flatMap(candidate -> findVolume(claim, new NodeFit(candidate)).stream())
        .findFirst()
        .ifPresent(volume -> reserveVolume(volume, claim));
  }

  private Optional<JsonObject> findVolume(JsonObject claim, NodeFit node) {
    boolean isReserved =
        handlers.store(KindCatalogue.VOLUMES).list("").objects().stream()
            .anyMatch(volume ->
                textAt(volume.tree(), "spec", "claimRef", "uid")
                    .equals(textAt(claim, "metadata", "uid")));
    if (isReserved) {
      return Optional.empty();
    }
    return handlers.store(KindCatalogue.VOLUMES).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(volume ->
            valueAt(volume, "spec", "claimRef") == null
                && textAt(volume, "status", "phase").equals("Available")
                && textAt(volume, "spec", "storageClassName")
                    .equals(textAt(claim, "spec", "storageClassName"))
                && stringsAt(volume, "spec", "accessModes")
                    .containsAll(stringsAt(claim, "spec", "accessModes"))
                && getCapacity(volume)
                        .compareTo(
                            ResourceAmounts.parseAmount(
                                valueAt(claim, "spec", "resources", "requests", "storage")))
                    >= 0
                && node.canReach(volume))
        .min(Comparator.comparing(PodScheduler::getCapacity));
  }

  private static BigDecimal getCapacity(JsonObject volume) {
    return ResourceAmounts.parseAmount(valueAt(volume, "spec", "capacity", "storage"));
  }

  private void reserveVolume(JsonObject volume, JsonObject claim) {
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.VOLUMES,
            "",
            SimulatedObjects.getName(volume),
            WriteOptions.PLAIN,
            current -> {
              getOrAddChild(current, "spec")
                  .add("claimRef", SimulatedObjects.makeClaimReference(claim));
              return current;
            }));
  }

  private void selectNode(JsonObject claim, String node) {
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.CLAIMS,
            SimulatedObjects.getNamespace(claim),
            SimulatedObjects.getName(claim),
            WriteOptions.PLAIN,
            current -> {
              getOrAddChild(current, "metadata", "annotations").addProperty(SELECTED_NODE, node);
              return current;
            }));
  }

  private void bindPod(JsonObject pod, String node) {
    JsonObject binding = newObject("metadata", newObject("name", SimulatedObjects.getName(pod)));
    binding.add("target", newObject("kind", "Node", "name", node));
    SimulatedObjects.tryWrite(() ->
        handlers.bind(
            SimulatedObjects.getNamespace(pod),
            SimulatedObjects.getName(pod),
            binding,
            WriteOptions.PLAIN));
  }
}
