package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The DaemonSet controller of Kubernetes, without taints, affinity and surge. */
final class DaemonSetSimulator implements ControllerPass {
  private static final ResourceType DAEMON_SETS =
      KindCatalogue.find("apps", "v1", "daemonsets").orElseThrow();
  private static final String REVISION = "controller-revision-hash";

  private final SimulatedObjects objects;

  DaemonSetSimulator(ObjectHandlers handlers, String namespace) {
    this.objects = new SimulatedObjects(handlers, namespace);
  }

  @Override
  public void run() {
    for (JsonObject set : objects.list(DAEMON_SETS)) {
      List<JsonObject> pods = objects.listPods(DAEMON_SETS, set);
      Set<String> nodes = findNodes(set);
      if (!SimulatedObjects.isTerminating(set)) {
        reconcile(set, pods, nodes);
      }
      reportStatus(set, pods, nodes);
    }
  }

  private Set<String> findNodes(JsonObject set) {
    JsonObject selector = new JsonObject();
    JsonObject wanted = getOrAddChild(set.deepCopy(), "spec", "template", "spec", "nodeSelector");
    selector.add("matchLabels", wanted);
    return objects.list(KindCatalogue.NODES).stream()
        .filter(SimulatedObjects::isReady)
        .filter(node -> SimulatedObjects.isSelected(selector, node))
        .map(SimulatedObjects::getName)
        .collect(Collectors.toSet());
  }

  private static String findNode(JsonObject pod) {
    return textAt(pod, "spec", "nodeName");
  }

  private void reconcile(JsonObject set, List<JsonObject> pods, Set<String> nodes) {
    Map<String, List<JsonObject>> podsByNode =
        pods.stream().collect(Collectors.groupingBy(DaemonSetSimulator::findNode));
    for (String node : nodes) {
      if (!podsByNode.containsKey(node)) {
        createPod(set, node);
      }
    }
    for (JsonObject pod : pods) {
      boolean isMisplaced = !nodes.contains(findNode(pod));
      if (isMisplaced || !SimulatedObjects.isActive(pod)) {
        deletePod(pod);
      }
    }
    if (pods.stream().allMatch(SimulatedObjects::isReady)) {
      replaceOutdated(set, pods);
    }
  }

  private void deletePod(JsonObject pod) {
    if (!SimulatedObjects.isTerminating(pod)) {
      objects.delete(KindCatalogue.PODS, pod);
    }
  }

  private void createPod(JsonObject set, String node) {
    JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
    JsonObject pod = SimulatedObjects.makeControlled(template, DAEMON_SETS, set);
    JsonObject metadata = getOrAddChild(pod, "metadata");
    metadata.addProperty("generateName", SimulatedObjects.getName(set) + "-");
    getOrAddChild(metadata, "labels").addProperty(REVISION, SimulatedObjects.hash(template));
    getOrAddChild(pod, "spec").addProperty("nodeName", node);
    objects.create(KindCatalogue.PODS, SimulatedObjects.getNamespace(set), pod);
  }

  private void replaceOutdated(JsonObject set, List<JsonObject> pods) {
    if (textAt(set, "spec", "updateStrategy", "type").equals("RollingUpdate")) {
      pods.stream().filter(pod -> !isUpdated(set, pod)).findFirst().ifPresent(this::deletePod);
    }
  }

  private static boolean isUpdated(JsonObject set, JsonObject pod) {
    JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
    return textAt(pod, "metadata", "labels", REVISION).equals(SimulatedObjects.hash(template));
  }

  private void reportStatus(JsonObject set, List<JsonObject> pods, Set<String> nodes) {
    List<JsonObject> placed =
        pods.stream()
            .filter(SimulatedObjects::isActive)
            .filter(pod -> nodes.contains(findNode(pod)))
            .toList();
    long ready = placed.stream().filter(SimulatedObjects::isReady).count();
    long updated = placed.stream().filter(pod -> isUpdated(set, pod)).count();
    JsonObject status = new JsonObject();
    status.add("observedGeneration", valueAt(set, "metadata", "generation"));
    status.add("desiredNumberScheduled", new JsonPrimitive(nodes.size()));
    status.add("currentNumberScheduled", new JsonPrimitive(placed.size()));
    status.add("numberMisscheduled", new JsonPrimitive(pods.size() - placed.size()));
    status.add("numberReady", new JsonPrimitive(ready));
    SimulatedObjects.addCount(status, "numberAvailable", ready);
    SimulatedObjects.addCount(status, "updatedNumberScheduled", updated);
    SimulatedObjects.addCount(status, "numberUnavailable", nodes.size() - ready);
    objects.setStatus(DAEMON_SETS, set, status);
  }
}
