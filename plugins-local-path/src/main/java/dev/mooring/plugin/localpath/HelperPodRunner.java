package dev.mooring.plugin.localpath;

import dev.mooring.model.Uid;
import dev.mooring.plugin.localpath.DirectoryJob.Completed;
import dev.mooring.plugin.localpath.HelperPod.PodTemplate;
import dev.mooring.plugin.localpath.HelperPod.State;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Runs jobs in pods on their nodes. A job is done only after its pod has been deleted. A retry
 * finds the pod of an interrupted call or a dead process by its name. Thread-safe.
 */
final class HelperPodRunner {
  private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(100);
  private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(2);

  private final PluginCluster cluster;
  private final PodTemplate template;

  HelperPodRunner(PluginCluster cluster, PodTemplate template) {
    this.cluster = cluster;
    this.template = template;
  }

  Attempt<Completed> run(DirectoryJob job, Duration timeout) throws InterruptedException {
    if (template.image().isEmpty()) {
      return Attempt.rejected(
          "nothing of %s on node %s is not accessible from this process, and no image for a helper pod is set: set Mooring's own image with --plugin-setting local-path-helper-image=IMAGE"
              .formatted(job.directory().base(), job.node().isEmpty() ? "(any)" : job.node()));
    }
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    Attempt<String> podNameAnswer = choosePodName(job);
    if (!(podNameAnswer instanceof Attempt.Done<String>(String podName))) {
      return new Attempt.Failed<>(((Attempt.Failed<String>) podNameAnswer).failure());
    }
    String lastProgress = "";
    Duration pollInterval = MIN_POLL_INTERVAL;
    while (true) {
      Step step = runStep(job, podName, timeout, lastProgress.isEmpty());
      switch (step) {
        case Step.Finished(Attempt<Completed> result) -> {
          return result;
        }
        case Step.Wait(String progress) -> lastProgress = progress;
      }
      if (System.nanoTime() - deadlineNanos > 0) {
        return handleTimeout(job, podName, timeout, lastProgress);
      }
      Thread.sleep(pollInterval);
      pollInterval =
          pollInterval.compareTo(MAX_POLL_INTERVAL) < 0
              ? pollInterval.multipliedBy(2)
              : MAX_POLL_INTERVAL;
    }
  }

  private Attempt<String> choosePodName(DirectoryJob job) throws InterruptedException {
    String usualName = HelperPod.podName(job.volume());
    if (job.node().isEmpty()) {
      return Attempt.done(usualName);
    }
    String nameOnNode = HelperPod.podName(job.volume(), job.node());
    return switch (cluster.pod(nameOnNode)) {
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure failure) ->
          new Attempt.Failed<>(failure);
      case Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod) ->
          pod.isPresent()
              ? Attempt.done(nameOnNode)
              : replacePodElsewhere(job, usualName, nameOnNode);
    };
  }

  // A pod on a dead node keeps its name until the node returns or is deleted.
  private Attempt<String> replacePodElsewhere(DirectoryJob job, String usualName, String nameOnNode)
      throws InterruptedException {
    return switch (cluster.pod(usualName)) {
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure failure) ->
          new Attempt.Failed<>(failure);
      case Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod) -> {
        String node = pod.map(HelperPod::nodeOf).orElse("");
        if (node.isEmpty() || node.equals(job.node())) {
          yield Attempt.done(usualName);
        }
        cluster.delete(usualName, readUid(pod.orElseThrow()));
        yield Attempt.done(nameOnNode);
      }
    };
  }

  private sealed interface Step {
    record Finished(Attempt<Completed> result) implements Step {}

    record Wait(String progress) implements Step {}
  }

  private Step runStep(DirectoryJob job, String podName, Duration timeout, boolean isFirst)
      throws InterruptedException {
    return switch (cluster.pod(podName)) {
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure.Rejected failure) ->
          new Step.Finished(new Attempt.Failed<>(failure));
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure failure) ->
          isFirst
              ? new Step.Finished(new Attempt.Failed<>(failure)) // nothing has started
              : new Step.Wait(failure.message());
      case Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod) ->
          pod.isEmpty() ? createPod(job, podName, timeout) : handlePod(pod.get(), job, podName);
    };
  }

  private Step createPod(DirectoryJob job, String podName, Duration timeout)
      throws InterruptedException {
    return switch (cluster.create(podName, HelperPod.build(job, template.withDeadline(timeout)))) {
      case Attempt.Done<PluginCluster.Creation> _ -> new Step.Wait("the pod was just created");
      case Attempt.Failed<PluginCluster.Creation>(Failure.Uncertain failure) ->
          new Step.Wait(failure.message()); // the pod may exist
      case Attempt.Failed<PluginCluster.Creation>(Failure failure) ->
          new Step.Finished(new Attempt.Failed<>(failure));
    };
  }

  private Step handlePod(Map<String, Object> pod, DirectoryJob job, String podName)
      throws InterruptedException {
    return switch (HelperPod.judge(pod, job)) {
      case State.Running(String progress) -> new Step.Wait(progress);
      case State.Terminating _ ->
          new Step.Wait("an earlier pod" + describeNode(pod) + " is being deleted");
      case State.Busy(String arguments) ->
          new Step.Finished(
              new Attempt.Failed<>(
                  new Failure.InUse(
                      "pod %s%s still runs another job: %s"
                          .formatted(podName, describeNode(pod), arguments))));
      case State.Stale(Uid uid) -> {
        cluster.delete(podName, uid);
        yield new Step.Wait("an earlier pod is being deleted");
      }
      case State.Succeeded(Uid uid) ->
          new Step.Finished(deletePod(podName, uid).orElseGet(() -> Attempt.done(new Completed())));
      case State.Failed(Uid uid, boolean isPermanent, String reason) -> {
        String message = "pod " + podName + " failed: " + reason;
        yield new Step.Finished(
            deletePod(podName, uid)
                .orElseGet(
                    () -> isPermanent ? Attempt.rejected(message) : DirectoryJob.retry(message)));
      }
    };
  }

  private Optional<Attempt<Completed>> deletePod(String podName, Uid uid)
      throws InterruptedException {
    return cluster.delete(podName, uid)
            instanceof Attempt.Failed<PluginCluster.Deletion>(Failure failure)
        ? Optional.of(
            DirectoryJob.retry(
                "pod " + podName + " has finished and is not deleted yet: " + failure.message()))
        : Optional.empty();
  }

  private Attempt<Completed> handleTimeout(
      DirectoryJob job, String podName, Duration timeout, String lastProgress)
      throws InterruptedException {
    if (cluster.pod(podName)
            instanceof
            Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod)
        && pod.isPresent()
        && HelperPod.judge(pod.get(), job) instanceof State.Running) {
      cluster.delete(podName, readUid(pod.get()));
    }
    return DirectoryJob.retry(
        "pod " + podName + " did not end within " + timeout.toSeconds() + " s: " + lastProgress);
  }

  private static String describeNode(Map<String, Object> pod) {
    String node = HelperPod.nodeOf(pod);
    return node.isEmpty()
        ? ""
        : " on node %s (if the node never returns, delete the Node object)".formatted(node);
  }

  private static Uid readUid(Map<String, Object> pod) {
    return pod.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("uid") instanceof String uid
        ? Uid.of(uid)
        : Uid.NONE;
  }
}
