package dev.mooring.plugin.localpath;

import dev.mooring.model.Uid;
import dev.mooring.plugin.localpath.DirectoryJob.Ended;
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
  private static final Duration FIRST_LOOK = Duration.ofMillis(100);
  private static final Duration LAST_LOOK = Duration.ofSeconds(2);

  private final PluginCluster cluster;
  private final PodTemplate template;

  HelperPodRunner(PluginCluster cluster, PodTemplate template) {
    this.cluster = cluster;
    this.template = template;
  }

  Attempt<Ended> run(DirectoryJob job, Duration timeout) throws InterruptedException {
    if (template.image().isEmpty()) {
      return Attempt.rejected(
          "nothing of %s on node %s is not accessible from this process, and no image for a helper pod is set: set Mooring's own image with --plugin-setting local-path-helper-image=IMAGE"
              .formatted(job.directory().base(), job.node().isEmpty() ? "(any)" : job.node()));
    }
    long end = System.nanoTime() + timeout.toNanos();
    String name = HelperPod.name(job.volume());
    String last = "";
    Duration pause = FIRST_LOOK;
    while (true) {
      Step step = step(job, name, timeout, last.isEmpty());
      switch (step) {
        case Step.Over(Attempt<Ended> how) -> {
          return how;
        }
        case Step.Wait(String why) -> last = why;
      }
      if (System.nanoTime() - end > 0) {
        return outOfTime(job, name, timeout, last);
      }
      Thread.sleep(pause);
      pause = pause.compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
    }
  }

  private sealed interface Step {
    record Over(Attempt<Ended> how) implements Step {}

    record Wait(String why) implements Step {}
  }

  private Step step(DirectoryJob job, String name, Duration timeout, boolean isFirst)
      throws InterruptedException {
    return switch (cluster.pod(name)) {
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure.Rejected why) ->
          new Step.Over(new Attempt.Failed<>(why));
      case Attempt.Failed<Optional<Map<String, Object>>>(Failure why) ->
          isFirst
              ? new Step.Over(new Attempt.Failed<>(why)) // nothing has started
              : new Step.Wait(why.message());
      case Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod) ->
          pod.isEmpty() ? made(job, name, timeout) : looked(pod.get(), job, name);
    };
  }

  private Step made(DirectoryJob job, String name, Duration timeout) throws InterruptedException {
    return switch (cluster.create(name, HelperPod.of(job, template.within(timeout)))) {
      case Attempt.Done<PluginCluster.Creation> _ -> new Step.Wait("the pod was just created");
      case Attempt.Failed<PluginCluster.Creation>(Failure.Uncertain why) ->
          new Step.Wait(why.message()); // the pod may exist
      case Attempt.Failed<PluginCluster.Creation>(Failure why) ->
          new Step.Over(new Attempt.Failed<>(why));
    };
  }

  private Step looked(Map<String, Object> pod, DirectoryJob job, String name)
      throws InterruptedException {
    return switch (HelperPod.judge(pod, job)) {
      case State.Running(String what) -> new Step.Wait(what);
      case State.Going _ -> new Step.Wait("an earlier pod is being deleted");
      case State.Busy(String with) ->
          new Step.Over(
              new Attempt.Failed<>(
                  new Failure.InUse("pod " + name + " still runs another job: " + with)));
      case State.Stale(Uid uid) -> {
        cluster.delete(name, uid);
        yield new Step.Wait("an earlier pod is being deleted");
      }
      case State.Succeeded(Uid uid) ->
          new Step.Over(cleaned(name, uid).orElseGet(() -> Attempt.done(new Ended())));
      case State.Failed(Uid uid, boolean forGood, String why) -> {
        String message = "pod " + name + " failed: " + why;
        yield new Step.Over(
            cleaned(name, uid)
                .orElseGet(
                    () -> forGood ? Attempt.rejected(message) : DirectoryJob.again(message)));
      }
    };
  }

  private Optional<Attempt<Ended>> cleaned(String name, Uid uid) throws InterruptedException {
    return cluster.delete(name, uid) instanceof Attempt.Failed<PluginCluster.Deletion>(Failure why)
        ? Optional.of(
            DirectoryJob.again(
                "pod " + name + " has finished and is not deleted yet: " + why.message()))
        : Optional.empty();
  }

  private Attempt<Ended> outOfTime(DirectoryJob job, String name, Duration timeout, String last)
      throws InterruptedException {
    if (cluster.pod(name)
            instanceof
            Attempt.Done<Optional<Map<String, Object>>>(Optional<Map<String, Object>> pod)
        && pod.isPresent()
        && HelperPod.judge(pod.get(), job) instanceof State.Running) {
      cluster.delete(name, uid(pod.get()));
    }
    return DirectoryJob.again(
        "pod " + name + " did not end within " + timeout.toSeconds() + " s: " + last);
  }

  private static Uid uid(Map<String, Object> pod) {
    return pod.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("uid") instanceof String uid
        ? Uid.of(uid)
        : Uid.NONE;
  }
}
