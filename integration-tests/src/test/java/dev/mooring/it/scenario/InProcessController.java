package dev.mooring.it.scenario;

import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.workqueue.KeyOutcome;
import dev.mooring.workqueue.QueueStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the controllers in this process with their command-line flags. No key may loop. */
final class InProcessController implements RunningController {
  private final Path kubeconfig;
  private final Path plugins;
  private final List<String> more;
  private volatile ControllerManager manager;

  InProcessController(Path kubeconfig, Path plugins) {
    this(kubeconfig, plugins, List.of());
  }

  /** Adds {@code more} to the flags of the scenario. */
  InProcessController(Path kubeconfig, Path plugins, List<String> more) {
    this.kubeconfig = kubeconfig;
    this.plugins = plugins;
    this.more = more;
  }

  @Override
  public void start(List<String> flags) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--compat=kcm",
                "--enable-hostpath-provisioner=true",
                "--endpoints=off",
                "--leader-elect=false"));
    all.addAll(more);
    all.addAll(flags);
    ControllerManager fresh =
        RunFlags.manager(
            all, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-test"));
    fresh.start();
    manager = fresh;
  }

  @Override
  public void stop() throws Exception {
    ControllerManager running = manager;
    manager = null;
    if (running != null) {
      running.stop();
      for (QueueStats queue : running.queueStats()) {
        if (queue.outcomes().getOrDefault(KeyOutcome.RESTLESS, 0L) > 0) {
          throw new AssertionError("keys moved although nothing changed for them: " + queue);
        }
      }
    }
  }

  @Override
  public boolean isIdle() {
    ControllerManager running = manager;
    return running == null || running.isIdle();
  }
}
