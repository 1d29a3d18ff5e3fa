package dev.mooring.it.scenario;

import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.workqueue.KeyOutcome;
import dev.mooring.workqueue.QueueStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the controllers in this process with their command-line flags. Fails on a hot loop. */
final class InProcessController implements RunningController {
  private final Path kubeconfig;
  private final Path plugins;
  private final List<String> extraFlags;
  private volatile ControllerManager manager;

  InProcessController(Path kubeconfig, Path plugins) {
    this(kubeconfig, plugins, List.of());
  }

  /** Adds {@code extraFlags} to the flags of the scenario. */
  InProcessController(Path kubeconfig, Path plugins, List<String> extraFlags) {
    this.kubeconfig = kubeconfig;
    this.plugins = plugins;
    this.extraFlags = extraFlags;
  }

  @Override
  public void start(List<String> flags) throws Exception {
    List<String> allFlags =
        new ArrayList<>(
            List.of(
                "--compat=kcm",
                "--enable-hostpath-provisioner=true",
                "--endpoints=off",
                "--leader-elect=false"));
    allFlags.addAll(extraFlags);
    allFlags.addAll(flags);
    ControllerManager newManager =
        RunFlags.manager(
            allFlags, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-test"));
    newManager.start();
    manager = newManager;
  }

  @Override
  public void stop() throws Exception {
    ControllerManager runningManager = manager;
    manager = null;
    if (runningManager != null) {
      runningManager.stop();
      for (QueueStats queue : runningManager.queueStats()) {
        if (queue.outcomes().getOrDefault(KeyOutcome.RESTLESS, 0L) > 0) {
          throw new AssertionError("keys moved although nothing changed for them: " + queue);
        }
      }
    }
  }

  @Override
  public boolean isIdle() {
    ControllerManager runningManager = manager;
    return runningManager == null || runningManager.isIdle();
  }

  @Override
  public String describeActivity() {
    ControllerManager runningManager = manager;
    if (runningManager == null) {
      return "stopped";
    }
    List<String> busyQueues =
        runningManager.queueStats().stream()
            .filter(queue -> queue.depth() > 0 || queue.unfinishedSeconds() > 0)
            .map(QueueStats::toString)
            .toList();
    return "idle: " + runningManager.isIdle() + ", busy queues: " + busyQueues;
  }
}
