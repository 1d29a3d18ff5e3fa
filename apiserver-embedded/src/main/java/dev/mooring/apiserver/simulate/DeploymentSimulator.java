package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.StatusConditions;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The Deployment controller of Kubernetes, without minReadySeconds and progress deadlines. */
final class DeploymentSimulator implements ControllerPass {
  private static final String HASH = "pod-template-hash";
  private static final String REVISION = "deployment.kubernetes.io/revision";

  private final SimulatedObjects objects;
  private final ReplicaSetSimulator replicaSets;

  DeploymentSimulator(ObjectHandlers handlers, String namespace) {
    this.objects = new SimulatedObjects(handlers, namespace);
    this.replicaSets = new ReplicaSetSimulator(handlers, namespace);
  }

  @Override
  public void run() {
    for (JsonObject deployment : objects.list(KindCatalogue.DEPLOYMENTS)) {
      if (!SimulatedObjects.isTerminating(deployment)) {
        reconcile(deployment);
      }
    }
    replicaSets.run();
  }

  private void reconcile(JsonObject deployment) {
    List<JsonObject> owned =
        objects.listControlled(KindCatalogue.REPLICA_SETS, deployment).stream()
            .sorted(Comparator.comparingLong(DeploymentSimulator::readRevision))
            .toList();
    Optional<JsonObject> current =
        owned.stream().filter(set -> hasTemplateOf(set, deployment)).findFirst();
    if (!flagAt(deployment, "spec", "paused")) {
      if (current.isEmpty()) {
        createSet(deployment, owned);
      } else {
        renewRevision(current.get(), owned);
        RolloutStep.plan(deployment, current.get(), owned).forEach(this::scale);
        removeOldSets(deployment, current.get(), owned);
      }
    }
    reportStatus(deployment, current.orElse(null), owned);
  }

  private static long readRevision(JsonObject set) {
    String revision = textAt(set, "metadata", "annotations", REVISION);
    return revision.isEmpty() ? 0 : Long.parseLong(revision);
  }

  private static boolean hasTemplateOf(JsonObject set, JsonObject deployment) {
    JsonObject template = getOrAddChild(set.deepCopy(), "spec", "template");
    getOrAddChild(template, "metadata", "labels").remove(HASH);
    return template.equals(getOrAddChild(deployment.deepCopy(), "spec", "template"));
  }

  private void createSet(JsonObject deployment, List<JsonObject> owned) {
    JsonObject spec = getOrAddChild(deployment.deepCopy(), "spec");
    JsonObject template = getOrAddChild(spec, "template");
    String hash = SimulatedObjects.hash(template);
    getOrAddChild(template, "metadata", "labels").addProperty(HASH, hash);
    JsonObject set =
        SimulatedObjects.makeControlled(template, KindCatalogue.DEPLOYMENTS, deployment);
    JsonObject selector = getOrAddChild(spec, "selector");
    getOrAddChild(selector, "matchLabels").addProperty(HASH, hash);
    set.add("spec", newObject("replicas", 0, "selector", selector, "template", template));
    JsonObject metadata = getOrAddChild(set, "metadata");
    metadata.addProperty("name", SimulatedObjects.getName(deployment) + "-" + hash);
    long newest = owned.isEmpty() ? 0 : readRevision(owned.getLast());
    metadata.add("annotations", newObject(REVISION, Long.toString(newest + 1)));
    objects.create(KindCatalogue.REPLICA_SETS, SimulatedObjects.getNamespace(deployment), set);
  }

  // after a rollback the set with the template has an older revision
  private void renewRevision(JsonObject current, List<JsonObject> owned) {
    long newest = readRevision(owned.getLast());
    if (readRevision(current) < newest) {
      objects.update(
          KindCatalogue.REPLICA_SETS,
          current,
          WriteOptions.PLAIN,
          set -> {
            getOrAddChild(set, "metadata", "annotations")
                .addProperty(REVISION, Long.toString(newest + 1));
            return set;
          });
    }
  }

  private void scale(RolloutStep step) {
    objects.update(
        KindCatalogue.REPLICA_SETS,
        step.replicaSet(),
        WriteOptions.PLAIN,
        set -> {
          getOrAddChild(set, "spec").addProperty("replicas", step.replicas());
          return set;
        });
  }

  private void removeOldSets(JsonObject deployment, JsonObject current, List<JsonObject> owned) {
    List<JsonObject> unused =
        owned.stream()
            .filter(set -> set != current)
            .filter(set -> numberAt(set, "spec", "replicas") == 0)
            .filter(set -> numberAt(set, "status", "replicas") == 0)
            .toList();
    long surplus = unused.size() - numberAt(deployment, "spec", "revisionHistoryLimit");
    unused.stream()
        .limit(Math.max(0, surplus))
        .forEach(set -> objects.delete(KindCatalogue.REPLICA_SETS, set));
  }

  private void reportStatus(
      JsonObject deployment, @Nullable JsonObject current, List<JsonObject> owned) {
    long desired = numberAt(deployment, "spec", "replicas");
    long total = sum(owned, "replicas");
    long available = sum(owned, "availableReplicas");
    long updated = current == null ? 0 : numberAt(current, "status", "replicas");
    boolean isComplete = updated == desired && total == desired && available == desired;
    JsonObject status = new JsonObject();
    status.add("observedGeneration", JsonBodies.valueAt(deployment, "metadata", "generation"));
    SimulatedObjects.addCount(status, "replicas", total);
    SimulatedObjects.addCount(status, "updatedReplicas", updated);
    SimulatedObjects.addCount(status, "readyReplicas", sum(owned, "readyReplicas"));
    SimulatedObjects.addCount(status, "availableReplicas", available);
    SimulatedObjects.addCount(
        status, "unavailableReplicas", Math.max(0, Math.max(total, desired) - available));
    JsonObject reported = deployment.deepCopy();
    long needed = desired - RolloutStep.countUnavailable(deployment);
    String reason = available >= needed ? "Available" : "Unavailable";
    StatusConditions.setCondition(
        reported,
        "Available",
        available >= needed ? "True" : "False",
        "MinimumReplicas" + reason,
        "Deployment "
            + (available >= needed
                ? "has minimum availability."
                : "does not have minimum availability."));
    String progress = isComplete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated";
    StatusConditions.setCondition(
        reported,
        "Progressing",
        "True",
        progress,
        "ReplicaSet \"%s\" %s."
            .formatted(
                current == null ? "" : SimulatedObjects.getName(current),
                isComplete ? "has successfully progressed" : "is progressing"));
    status.add("conditions", getOrAddChild(reported, "status").get("conditions"));
    objects.setStatus(KindCatalogue.DEPLOYMENTS, deployment, status);
  }

  private static long sum(List<JsonObject> sets, String count) {
    return sets.stream().mapToLong(set -> numberAt(set, "status", count)).sum();
  }
}
