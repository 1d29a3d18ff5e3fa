package dev.mooring.manager.lifecycle;

import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.Controller;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;

/**
 * The plugins that provision by the external-provisioner protocol, as one controller. Each has
 * queues and workers of its own: one that hangs delays its own claims only.
 */
public final class PluginProvisioners implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "provisioner";

  private final List<ProvisionController> plugins;

  PluginProvisioners(List<ProvisionController> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start() throws InterruptedException {
    for (Controller plugin : plugins) {
      plugin.start();
    }
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    boolean clean = true;
    for (Controller plugin : plugins) {
      clean &= plugin.stop(clean ? grace : Duration.ZERO);
    }
    return clean;
  }

  /** How long it took to make and to destroy volumes, by class. */
  public List<OperationStats.Durations> figures() {
    return plugins.stream().flatMap(p -> p.figures().stream()).toList();
  }

  @Override
  public boolean isIdle() {
    return plugins.stream().allMatch(Controller::isIdle);
  }

  @Override
  public List<QueueStats> queueStats() {
    return plugins.stream().flatMap(p -> p.queueStats().stream()).toList();
  }
}
