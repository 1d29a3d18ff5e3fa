package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.StatusConditions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;

/** The Job controller of Kubernetes, without indexes, deadlines and pod failure policies. */
final class JobSimulator implements ControllerPass {
  private static final ResourceType JOBS = KindCatalogue.find("batch", "v1", "jobs").orElseThrow();
  private final ObjectHandlers handlers;
  private final SimulatedObjects objects;

  JobSimulator(ObjectHandlers handlers, String namespace) {
    this.handlers = handlers;
    this.objects = new SimulatedObjects(handlers, namespace);
  }

  @Override
  public void run() {
    for (JsonObject job : objects.list(JOBS)) {
      if (!SimulatedObjects.isTerminating(job) && !isFinished(job)) {
        reconcile(job, objects.listPods(JOBS, job));
      }
    }
  }

  private static boolean isFinished(JsonObject job) {
    return SimulatedObjects.objectsAt(job, "status", "conditions").stream()
        .anyMatch(c ->
            List.of("Complete", "Failed").contains(textAt(c, "type"))
                && textAt(c, "status").equals("True"));
  }

  private static long count(List<JsonObject> pods, String phase) {
    return pods.stream().filter(pod -> textAt(pod, "status", "phase").equals(phase)).count();
  }

  private void reconcile(JsonObject job, List<JsonObject> pods) {
    List<JsonObject> active = pods.stream().filter(SimulatedObjects::isActive).toList();
    long succeeded = count(pods, "Succeeded");
    boolean hasFailed = count(pods, "Failed") > numberAt(job, "spec", "backoffLimit");
    boolean isComplete =
        valueAt(job, "spec", "completions") == null
            ? succeeded > 0 && active.isEmpty()
            : succeeded >= numberAt(job, "spec", "completions");
    JsonObject reported = job.deepCopy();
    if (hasFailed) {
      finish(
          reported,
          "FailureTarget",
          "Failed",
          "BackoffLimitExceeded",
          "Job has reached the specified backoff limit");
    } else if (isComplete) {
      finish(
          reported,
          "SuccessCriteriaMet",
          "Complete",
          "CompletionsReached",
          "Reached expected number of succeeded pods");
    }
    if (hasFailed || isComplete || flagAt(job, "spec", "suspend")) {
      active.forEach(pod -> objects.delete(KindCatalogue.PODS, pod));
      active = List.of();
    } else {
      createPods(job, active.size(), succeeded);
    }
    reportStatus(job, getOrAddChild(reported, "status"), pods, active);
  }

  private void reportStatus(
      JsonObject job, JsonObject status, List<JsonObject> pods, List<JsonObject> active) {
    if (!flagAt(job, "spec", "suspend") && !status.has("startTime")) {
      status.addProperty("startTime", CanonicalValues.formatSeconds(handlers.now()));
    }
    SimulatedObjects.addCount(status, "active", active.size());
    SimulatedObjects.addCount(status, "succeeded", count(pods, "Succeeded"));
    SimulatedObjects.addCount(status, "failed", count(pods, "Failed"));
    status.addProperty("ready", active.stream().filter(SimulatedObjects::isReady).count());
    objects.setStatus(JOBS, job, status);
  }

  private void finish(
      JsonObject job, String target, String condition, String reason, String message) {
    StatusConditions.setCondition(job, target, "True", reason, message);
    StatusConditions.setCondition(job, condition, "True", reason, message);
    if (condition.equals("Complete")) {
      getOrAddChild(job, "status")
          .addProperty("completionTime", CanonicalValues.formatSeconds(handlers.now()));
    }
  }

  private void createPods(JsonObject job, long active, long succeeded) {
    long wanted = numberAt(job, "spec", "parallelism");
    if (valueAt(job, "spec", "completions") != null) {
      wanted = Math.min(wanted, numberAt(job, "spec", "completions") - succeeded);
    } else if (succeeded > 0) {
      wanted = active;
    }
    String name = SimulatedObjects.getName(job);
    for (long i = active; i < wanted; i++) {
      JsonObject template = getOrAddChild(job.deepCopy(), "spec", "template");
      JsonObject pod = SimulatedObjects.makeControlled(template, JOBS, job);
      JsonObject metadata = getOrAddChild(pod, "metadata");
      metadata.addProperty("generateName", name + "-");
      JsonObject labels = getOrAddChild(metadata, "labels");
      String uid = textAt(job, "metadata", "uid");
      labels.addProperty("batch.kubernetes.io/controller-uid", uid);
      labels.addProperty("batch.kubernetes.io/job-name", name);
      objects.create(KindCatalogue.PODS, SimulatedObjects.getNamespace(job), pod);
    }
  }
}
