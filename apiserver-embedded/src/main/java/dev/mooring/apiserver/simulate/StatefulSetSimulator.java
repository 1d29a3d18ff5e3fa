package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The StatefulSet controller of Kubernetes, without minReadySeconds, claim retention policies and
 * ControllerRevision objects.
 */
final class StatefulSetSimulator implements ControllerPass {
  private static final String REVISION = "controller-revision-hash";
  private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
  private static final String POD_INDEX = "apps.kubernetes.io/pod-index";

  private final SimulatedObjects objects;

  StatefulSetSimulator(ObjectHandlers handlers, String namespace) {
    this.objects = new SimulatedObjects(handlers, namespace);
  }

  @Override
  public void run() {
    for (JsonObject set : objects.list(KindCatalogue.STATEFUL_SETS)) {
      List<JsonObject> pods = objects.listPods(KindCatalogue.STATEFUL_SETS, set);
      if (!SimulatedObjects.isTerminating(set)) {
        reconcile(set, pods);
      }
      reportStatus(set, pods);
    }
  }

  private void reconcile(JsonObject set, List<JsonObject> pods) {
    boolean isOrdered = !textAt(set, "spec", "podManagementPolicy").equals("Parallel");
    long first = numberAt(set, "spec", "ordinals", "start");
    long end = first + numberAt(set, "spec", "replicas");
    boolean areAllHealthy = createMissing(set, pods, first, end, isOrdered);
    List<JsonObject> surplus =
        pods.stream()
            .filter(pod -> readOrdinal(pod) < first || readOrdinal(pod) >= end)
            .sorted(BY_ORDINAL.reversed())
            .toList();
    if (surplus.isEmpty()) {
      if (areAllHealthy) {
        replaceOutdated(set, pods);
      }
    } else if (!isOrdered) {
      surplus.forEach(this::deletePod);
    } else if (areAllHealthy && pods.stream().noneMatch(SimulatedObjects::isTerminating)) {
      deletePod(surplus.getFirst());
    }
  }

  // returns whether every member exists and is healthy
  private boolean createMissing(
      JsonObject set, List<JsonObject> pods, long first, long end, boolean isOrdered) {
    boolean areAllHealthy = true;
    for (long ordinal = first; ordinal < end; ordinal++) {
      Optional<JsonObject> pod = findPod(set, pods, ordinal);
      if (pod.isEmpty() && (areAllHealthy || !isOrdered)) {
        createMember(set, ordinal);
      } else if (pod.isPresent() && hasEnded(pod.get())) {
        deletePod(pod.get());
      }
      areAllHealthy &= pod.isPresent() && isHealthy(pod.get());
    }
    return areAllHealthy;
  }

  private void deletePod(JsonObject pod) {
    if (!SimulatedObjects.isTerminating(pod)) {
      objects.delete(KindCatalogue.PODS, pod);
    }
  }

  private static final Comparator<JsonObject> BY_ORDINAL =
      Comparator.comparingLong(StatefulSetSimulator::readOrdinal);

  private static long readOrdinal(JsonObject pod) {
    String name = SimulatedObjects.getName(pod);
    String suffix = name.substring(name.lastIndexOf('-') + 1);
    return suffix.matches("[0-9]{1,9}") ? Long.parseLong(suffix) : -1;
  }

  private static Optional<JsonObject> findPod(JsonObject set, List<JsonObject> pods, long ordinal) {
    String name = SimulatedObjects.getName(set) + "-" + ordinal;
    return pods.stream().filter(pod -> SimulatedObjects.getName(pod).equals(name)).findFirst();
  }

  private static boolean hasEnded(JsonObject pod) {
    return !SimulatedObjects.isTerminating(pod) && !SimulatedObjects.isActive(pod);
  }

  private static boolean isHealthy(JsonObject pod) {
    return SimulatedObjects.isActive(pod) && SimulatedObjects.isReady(pod);
  }

  private static String computeRevision(JsonObject set) {
    JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
    return SimulatedObjects.getName(set) + "-" + SimulatedObjects.hash(template);
  }

  private void createMember(JsonObject set, long ordinal) {
    String name = SimulatedObjects.getName(set) + "-" + ordinal;
    String namespace = SimulatedObjects.getNamespace(set);
    JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
    JsonObject pod = SimulatedObjects.makeControlled(template, KindCatalogue.STATEFUL_SETS, set);
    JsonObject metadata = getOrAddChild(pod, "metadata");
    metadata.addProperty("name", name);
    JsonObject labels = getOrAddChild(metadata, "labels");
    labels.addProperty(POD_NAME, name);
    labels.addProperty(POD_INDEX, Long.toString(ordinal));
    labels.addProperty(REVISION, computeRevision(set));
    JsonObject spec = getOrAddChild(pod, "spec");
    spec.addProperty("hostname", name);
    spec.addProperty("subdomain", textAt(set, "spec", "serviceName"));
    JsonArray volumes = new JsonArray();
    for (JsonObject claim : SimulatedObjects.objectsAt(set, "spec", "volumeClaimTemplates")) {
      String volume = SimulatedObjects.getName(claim);
      createClaim(set, claim, volume + "-" + name);
      JsonObject source = newObject("claimName", volume + "-" + name);
      volumes.add(newObject("name", volume, "persistentVolumeClaim", source));
    }
    SimulatedObjects.objectsAt(pod, "spec", "volumes").forEach(volumes::add);
    spec.add("volumes", volumes);
    objects.create(KindCatalogue.PODS, namespace, pod);
  }

  private void createClaim(JsonObject set, JsonObject template, String name) {
    String namespace = SimulatedObjects.getNamespace(set);
    if (objects.find(KindCatalogue.CLAIMS, namespace, name) != null) {
      return;
    }
    JsonObject metadata = getOrAddChild(template.deepCopy(), "metadata");
    metadata.addProperty("name", name);
    JsonObject labels = getOrAddChild(metadata, "labels");
    getOrAddChild(set.deepCopy(), "spec", "selector", "matchLabels").asMap().forEach(labels::add);
    JsonObject claim = newObject("metadata", metadata);
    claim.add("spec", getOrAddChild(template.deepCopy(), "spec"));
    objects.create(KindCatalogue.CLAIMS, namespace, claim);
  }

  // one pod at a time, the highest ordinal first
  private void replaceOutdated(JsonObject set, List<JsonObject> pods) {
    if (!textAt(set, "spec", "updateStrategy", "type").equals("RollingUpdate")) {
      return;
    }
    long partition = numberAt(set, "spec", "updateStrategy", "rollingUpdate", "partition");
    String revision = computeRevision(set);
    pods.stream()
        .filter(pod -> readOrdinal(pod) >= partition)
        .filter(pod -> !textAt(pod, "metadata", "labels", REVISION).equals(revision))
        .max(BY_ORDINAL)
        .ifPresent(pod -> objects.delete(KindCatalogue.PODS, pod));
  }

  private void reportStatus(JsonObject set, List<JsonObject> pods) {
    String revision = computeRevision(set);
    List<JsonObject> active = pods.stream().filter(SimulatedObjects::isActive).toList();
    long updated =
        active.stream()
            .filter(pod -> textAt(pod, "metadata", "labels", REVISION).equals(revision))
            .count();
    String current = textAt(set, "status", "currentRevision");
    boolean isComplete = updated == active.size() && updated == numberAt(set, "spec", "replicas");
    String reported = isComplete || current.isEmpty() ? revision : current;
    long ready = active.stream().filter(SimulatedObjects::isReady).count();
    JsonObject status = new JsonObject();
    status.add("observedGeneration", valueAt(set, "metadata", "generation"));
    status.add("replicas", new JsonPrimitive(active.size()));
    SimulatedObjects.addCount(status, "readyReplicas", ready);
    status.add("availableReplicas", new JsonPrimitive(ready));
    SimulatedObjects.addCount(status, "updatedReplicas", updated);
    long old =
        active.stream()
            .filter(p -> textAt(p, "metadata", "labels", REVISION).equals(reported))
            .count();
    SimulatedObjects.addCount(status, "currentReplicas", old);
    status.addProperty("currentRevision", reported);
    status.addProperty("updateRevision", revision);
    status.addProperty("collisionCount", 0);
    objects.setStatus(KindCatalogue.STATEFUL_SETS, set, status);
  }
}
