package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.util.Comparator;
import java.util.List;

/** The ReplicaSet controller of Kubernetes, without minReadySeconds. */
final class ReplicaSetSimulator implements ControllerPass {
  private final SimulatedObjects objects;

  ReplicaSetSimulator(ObjectHandlers handlers, String namespace) {
    this.objects = new SimulatedObjects(handlers, namespace);
  }

  @Override
  public void run() {
    for (JsonObject set : objects.list(KindCatalogue.REPLICA_SETS)) {
      List<JsonObject> pods =
          objects.listPods(KindCatalogue.REPLICA_SETS, set).stream()
              .filter(SimulatedObjects::isActive)
              .toList();
      if (!SimulatedObjects.isTerminating(set)) {
        scale(set, pods);
      }
      reportStatus(set, pods);
    }
  }

  private void scale(JsonObject set, List<JsonObject> pods) {
    long desired = numberAt(set, "spec", "replicas");
    for (long i = pods.size(); i < desired; i++) {
      JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
      JsonObject pod = SimulatedObjects.makeControlled(template, KindCatalogue.REPLICA_SETS, set);
      getOrAddChild(pod, "metadata")
          .addProperty("generateName", SimulatedObjects.getName(set) + "-");
      objects.create(KindCatalogue.PODS, SimulatedObjects.getNamespace(set), pod);
    }
    pods.stream()
        .sorted(Comparator.comparing(SimulatedObjects::isReady).thenComparing(REVERSED_AGE))
        .limit(Math.max(0, pods.size() - desired))
        .forEach(pod -> objects.delete(KindCatalogue.PODS, pod));
  }

  private static final Comparator<JsonObject> REVERSED_AGE =
      Comparator.comparing((JsonObject pod) -> textAt(pod, "metadata", "creationTimestamp"))
          .reversed();

  private void reportStatus(JsonObject set, List<JsonObject> pods) {
    long ready = pods.stream().filter(SimulatedObjects::isReady).count();
    JsonObject status = new JsonObject();
    status.add("replicas", new JsonPrimitive(pods.size()));
    SimulatedObjects.addCount(status, "fullyLabeledReplicas", pods.size());
    SimulatedObjects.addCount(status, "readyReplicas", ready);
    SimulatedObjects.addCount(status, "availableReplicas", ready);
    status.add("observedGeneration", valueAt(set, "metadata", "generation"));
    objects.setStatus(KindCatalogue.REPLICA_SETS, set, status);
  }
}
