package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.StatusConditions;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Simulates nodes with a kubelet, and a simple scheduler.
 *
 * <p>The scheduler binds a pod whose claims are bound to the node with the fewest pods. It sets the
 * selected-node annotation on claims that wait for their first consumer. A kubelet runs the pods of
 * its node once their CSI volumes are attached, removes deleted pods, and reports attached volumes
 * as in use. Pods of Jobs end at once, with the exit code of the annotation {@value
 * PodProgress#EXIT_CODE}, or 0. Volumes of the driver {@value DriverSimulator#NAME} are attached
 * and detached. One thread does all this after every write.
 */
public final class NodeSimulator implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String ATTACH_DETACH_ANNOTATION =
      "volumes.kubernetes.io/controller-managed-attach-detach";

  private final ObjectHandlers handlers;
  private final DriverSimulator driver;
  private final Set<String> simulatedNodes = new HashSet<>();
  private Optional<PassThread> thread = Optional.empty();

  private NodeSimulator(ObjectHandlers handlers) {
    this.handlers = handlers;
    this.driver = new DriverSimulator(handlers);
  }

  /** Creates the missing nodes {@code node-1} to {@code node-n} and starts the simulation. */
  public static NodeSimulator start(ObjectHandlers handlers, int count) {
    NodeSimulator simulator = new NodeSimulator(handlers);
    for (int i = 1; i <= count; i++) {
      simulator.simulatedNodes.add("node-" + i);
      simulator.createNode("node-" + i);
    }
    if (count > 0) {
      simulator.thread =
          Optional.of(PassThread.start(handlers, "simulated-nodes", PAUSE, simulator::runPass));
    }
    return simulator;
  }

  private void createNode(String name) {
    if (handlers.store(KindCatalogue.NODES).get(name) != null) {
      return;
    }
    JsonObject node = new JsonObject();
    JsonObject metadata = getOrAddChild(node, "metadata");
    metadata.addProperty("name", name);
    getOrAddChild(metadata, "labels").addProperty("kubernetes.io/hostname", name);
    getOrAddChild(metadata, "annotations").addProperty(ATTACH_DETACH_ANNOTATION, "true");
    SimulatedObjects.tryWrite(() -> {
      handlers.create(KindCatalogue.NODES, "", node, WriteOptions.PLAIN);
      handlers.update(
          KindCatalogue.NODES,
          "",
          name,
          WriteOptions.STATUS,
          current -> {
            StatusConditions.setCondition(current, "Ready", "True", "KubeletReady", "simulated");
            return current;
          });
    });
  }

  private void runPass() {
    Map<String, Integer> podsPerNode = new HashMap<>();
    for (StoredObject node : handlers.store(KindCatalogue.NODES).list("").objects()) {
      if (simulatedNodes.contains(textAt(node.tree(), "metadata", "name"))
          && isReady(node.tree())) {
        podsPerNode.put(textAt(node.tree(), "metadata", "name"), 0);
      }
    }
    Store.ObjectListing pods = handlers.store(KindCatalogue.PODS).list("");
    for (StoredObject pod : pods.objects()) {
      podsPerNode.computeIfPresent(textAt(pod.tree(), "spec", "nodeName"), (n, c) -> c + 1);
    }
    for (StoredObject pod : pods.objects()) {
      if (textAt(pod.tree(), "spec", "nodeName").isEmpty()) {
        schedule(pod.tree(), podsPerNode);
      } else if (simulatedNodes.contains(textAt(pod.tree(), "spec", "nodeName"))) {
        runPod(pod.tree());
      }
    }
    driver.runPass();
    reportVolumes(pods);
  }

  private static boolean isReady(JsonObject node) {
    if (valueAt(node, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        if (textAt(condition.getAsJsonObject(), "type").equals("Ready")
            && textAt(condition.getAsJsonObject(), "status").equals("True")) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> getClaimNames(JsonObject pod) {
    List<String> names = new ArrayList<>();
    if (valueAt(pod, "spec", "volumes") instanceof JsonArray volumes) {
      for (JsonElement element : volumes) {
        JsonObject volume = element.getAsJsonObject();
        String claim = textAt(volume, "persistentVolumeClaim", "claimName");
        if (!claim.isEmpty()) {
          names.add(claim);
        } else if (volume.has("ephemeral")) {
          names.add(textAt(pod, "metadata", "name") + "-" + textAt(volume, "name"));
        }
      }
    }
    return names;
  }

  private void schedule(JsonObject pod, Map<String, Integer> podsPerNode) {
    boolean isGated =
        valueAt(pod, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty();
    if (isGated
        || podsPerNode.isEmpty()
        || !textAt(pod, "metadata", "deletionTimestamp").isEmpty()) {
      return;
    }
    String namespace = textAt(pod, "metadata", "namespace");
    String leastLoadedNode =
        podsPerNode.entrySet().stream()
            .min(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .orElseThrow()
            .getKey();
    String node = leastLoadedNode;
    boolean areClaimsBound = true;
    for (String name : getClaimNames(pod)) {
      StoredObject claim = handlers.store(KindCatalogue.CLAIMS).get(namespace + "/" + name);
      if (claim == null) {
        return;
      }
      boolean isBound = textAt(claim.tree(), "status", "phase").equals("Bound");
      areClaimsBound &= isBound;
      String selectedNode = textAt(claim.tree(), "metadata", "annotations", SELECTED_NODE);
      if (!isBound && selectedNode.isEmpty() && isDelayed(claim.tree())) {
        selectNode(namespace, name, leastLoadedNode);
      } else if (!selectedNode.isEmpty() && podsPerNode.containsKey(selectedNode)) {
        node = selectedNode;
      }
    }
    if (areClaimsBound) {
      bindPod(pod, node);
      podsPerNode.merge(node, 1, Integer::sum);
    }
  }

  private void selectNode(String namespace, String claim, String node) {
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.CLAIMS,
            namespace,
            claim,
            WriteOptions.PLAIN,
            current -> {
              getOrAddChild(current, "metadata", "annotations").addProperty(SELECTED_NODE, node);
              return current;
            }));
  }

  private boolean isDelayed(JsonObject claim) {
    StoredObject storageClass =
        handlers.store(KindCatalogue.CLASSES).get(textAt(claim, "spec", "storageClassName"));
    return storageClass != null
        && textAt(storageClass.tree(), "volumeBindingMode").equals("WaitForFirstConsumer");
  }

  private void bindPod(JsonObject pod, String node) {
    JsonObject binding = new JsonObject();
    getOrAddChild(binding, "metadata").addProperty("name", textAt(pod, "metadata", "name"));
    getOrAddChild(binding, "target").addProperty("kind", "Node");
    getOrAddChild(binding, "target").addProperty("name", node);
    SimulatedObjects.tryWrite(() ->
        handlers.bind(
            textAt(pod, "metadata", "namespace"),
            textAt(pod, "metadata", "name"),
            binding,
            WriteOptions.PLAIN));
  }

  private void runPod(JsonObject pod) {
    String namespace = textAt(pod, "metadata", "namespace");
    String name = textAt(pod, "metadata", "name");
    if (!textAt(pod, "metadata", "deletionTimestamp").isEmpty()) {
      SimulatedObjects.tryWrite(
          () -> handlers.delete(KindCatalogue.PODS, namespace, name, WriteOptions.NOW));
      return;
    }
    String phase = textAt(pod, "status", "phase");
    if (textAt(pod, "metadata", "annotations", "mooring.dev/hold").equals("true")) {
      return;
    }
    if (phase.equals("Pending") && isAttached(pod)) {
      updateStatus(pod, current -> PodProgress.start(current, handlers.now()));
    } else if (phase.equals("Running") && PodProgress.isOfJob(pod)) {
      updateStatus(pod, current -> PodProgress.end(current, handlers.now()));
    }
  }

  private void updateStatus(JsonObject pod, ObjectHandlers.ObjectEdit edit) {
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.PODS,
            textAt(pod, "metadata", "namespace"),
            textAt(pod, "metadata", "name"),
            WriteOptions.STATUS,
            edit));
  }

  private boolean isAttached(JsonObject pod) {
    if (!MigratedVolumes.areAttached(handlers, pod, getClaimNames(pod))) {
      return false;
    }
    List<String> attachableVolumes = findAttachableVolumes(pod);
    if (attachableVolumes.isEmpty()) {
      return true;
    }
    Set<String> attachedVolumes = new HashSet<>();
    StoredObject node = handlers.store(KindCatalogue.NODES).get(textAt(pod, "spec", "nodeName"));
    if (node != null
        && valueAt(node.tree(), "status", "volumesAttached") instanceof JsonArray list) {
      list.forEach(v -> attachedVolumes.add(textAt(v.getAsJsonObject(), "name")));
    }
    return attachedVolumes.containsAll(attachableVolumes);
  }

  // A kubelet reports an attached volume as in use when a pod of its node uses it.
  private void reportVolumes(Store.ObjectListing pods) {
    for (StoredObject node : handlers.store(KindCatalogue.NODES).list("").objects()) {
      String name = textAt(node.tree(), "metadata", "name");
      if (!simulatedNodes.contains(name)) {
        continue;
      }
      Set<String> attachedVolumes = new HashSet<>();
      if (valueAt(node.tree(), "status", "volumesAttached") instanceof JsonArray list) {
        list.forEach(v -> attachedVolumes.add(textAt(v.getAsJsonObject(), "name")));
      }
      Set<String> usedVolumes = new TreeSet<>();
      for (StoredObject pod : pods.objects()) {
        if (textAt(pod.tree(), "spec", "nodeName").equals(name)) {
          usedVolumes.addAll(findAttachableVolumes(pod.tree()));
        }
      }
      usedVolumes.retainAll(attachedVolumes);
      if (!usedVolumes.equals(new TreeSet<>(stringsAt(node.tree(), "status", "volumesInUse")))) {
        SimulatedObjects.tryWrite(() ->
            handlers.update(
                KindCatalogue.NODES,
                "",
                name,
                WriteOptions.STATUS,
                current -> {
                  JsonArray inUse = new JsonArray();
                  usedVolumes.forEach(inUse::add);
                  getOrAddChild(current, "status").add("volumesInUse", inUse);
                  return current;
                }));
      }
    }
  }

  private List<String> findAttachableVolumes(JsonObject pod) {
    List<String> volumeNames = new ArrayList<>();
    for (String name : getClaimNames(pod)) {
      StoredObject claim =
          handlers
              .store(KindCatalogue.CLAIMS)
              .get(textAt(pod, "metadata", "namespace") + "/" + name);
      StoredObject volume =
          claim == null
              ? null
              : handlers
                  .store(KindCatalogue.VOLUMES)
                  .get(textAt(claim.tree(), "spec", "volumeName"));
      if (volume != null
          && valueAt(volume.tree(), "spec", "csi") instanceof JsonObject csi
          && driver.isAttachRequired(textAt(csi, "driver"))) {
        volumeNames.add(
            "kubernetes.io/csi/" + textAt(csi, "driver") + "^" + textAt(csi, "volumeHandle"));
      }
    }
    return volumeNames;
  }

  /** Stops the simulation and waits for its thread. The nodes stay. */
  @Override
  public void close() {
    thread.ifPresent(PassThread::close);
  }
}
