package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
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
import java.util.function.Predicate;

/**
 * Simulates nodes with a kubelet, and a simple scheduler.
 *
 * <p>The scheduler binds a pod whose claims are bound to the suitable node with the fewest pods. It
 * checks taints, node selectors, and the required node affinity of pods and volumes. For claims
 * that wait for their first consumer it sets the selected-node annotation, or reserves a local
 * volume. A kubelet of a ready node runs the pods of its node once their CSI volumes are attached.
 * It removes deleted pods, and reports attached volumes as in use. Pods of Jobs end at once, with
 * the exit code of the annotation {@value PodProgress#EXIT_CODE}, or 0. Volumes of the driver
 * {@value DriverSimulator#NAME} are attached and detached. One thread does all this after every
 * write.
 */
public final class NodeSimulator implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final String ATTACH_DETACH_ANNOTATION =
      "volumes.kubernetes.io/controller-managed-attach-detach";

  private final ObjectHandlers handlers;
  private final Predicate<String> isSimulated;
  private final PodScheduler scheduler;
  private final DriverSimulator driver;
  private Optional<PassThread> thread = Optional.empty();

  private NodeSimulator(
      ObjectHandlers handlers, Predicate<String> isSimulated, DriverSimulator driver) {
    this.handlers = handlers;
    this.isSimulated = isSimulated;
    this.scheduler = new PodScheduler(handlers);
    this.driver = driver;
  }

  /** Creates the missing nodes {@code node-1} to {@code node-n} and starts the simulation. */
  public static NodeSimulator start(ObjectHandlers handlers, int count) {
    Set<String> nodes = new HashSet<>();
    for (int i = 1; i <= count; i++) {
      nodes.add("node-" + i);
    }
    NodeSimulator simulator =
        new NodeSimulator(
            handlers, nodes::contains, new DriverSimulator(handlers, DriverSimulator.NAME::equals));
    nodes.forEach(simulator::createNode);
    if (count > 0) {
      simulator.startThread();
    }
    return simulator;
  }

  /** Starts the simulation of all existing and later nodes, with the attachers of all drivers. */
  public static NodeSimulator adoptAll(ObjectHandlers handlers) {
    NodeSimulator simulator =
        new NodeSimulator(handlers, node -> true, new DriverSimulator(handlers, driver -> true));
    simulator.startThread();
    return simulator;
  }

  private void startThread() {
    thread = Optional.of(PassThread.start(handlers, "simulated-nodes", PAUSE, this::runPass));
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
    Set<String> readyNodes = new HashSet<>();
    List<JsonObject> nodes = new ArrayList<>();
    for (StoredObject node : handlers.store(KindCatalogue.NODES).list("").objects()) {
      String name = SimulatedObjects.getName(node.tree());
      if (isSimulated.test(name) && SimulatedObjects.isReady(node.tree())) {
        readyNodes.add(name);
        nodes.add(node.tree());
      }
    }
    Store.ObjectListing pods = handlers.store(KindCatalogue.PODS).list("");
    scheduler.run(nodes, pods.objects());
    Map<String, List<JsonObject>> podsByNode = new HashMap<>();
    for (StoredObject pod : pods.objects()) {
      String node = textAt(pod.tree(), "spec", "nodeName");
      if (readyNodes.contains(node)) {
        podsByNode.computeIfAbsent(node, name -> new ArrayList<>()).add(pod.tree());
        runPod(pod.tree());
      }
    }
    driver.runPass();
    reportVolumes(podsByNode, readyNodes);
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
    if (!MigratedVolumes.areAttached(handlers, pod, PodClaims.names(pod))) {
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
  private void reportVolumes(Map<String, List<JsonObject>> podsByNode, Set<String> readyNodes) {
    for (StoredObject node : handlers.store(KindCatalogue.NODES).list("").objects()) {
      String name = textAt(node.tree(), "metadata", "name");
      if (!readyNodes.contains(name)) {
        continue;
      }
      Set<String> attachedVolumes = new HashSet<>();
      if (valueAt(node.tree(), "status", "volumesAttached") instanceof JsonArray list) {
        list.forEach(v -> attachedVolumes.add(textAt(v.getAsJsonObject(), "name")));
      }
      Set<String> usedVolumes = new TreeSet<>();
      if (!attachedVolumes.isEmpty()) {
        podsByNode
            .getOrDefault(name, List.of())
            .forEach(pod -> usedVolumes.addAll(findAttachableVolumes(pod)));
        usedVolumes.retainAll(attachedVolumes);
      }
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
    for (String name : PodClaims.names(pod)) {
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

  /** Returns whether the simulation has seen every write and has nothing to do. */
  public boolean isAtRest() {
    return thread.map(PassThread::isAtRest).orElse(true);
  }

  /** Stops the simulation and waits for its thread. The nodes stay. */
  @Override
  public void close() {
    thread.ifPresent(PassThread::close);
  }
}
