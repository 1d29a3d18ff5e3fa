package dev.mooring.manager.lifecycle;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.Controller;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * The plugins that provision by the external-provisioner protocol, as one controller. Each has
 * queues and workers of its own: one that hangs delays its own claims only. A plugin that is taken
 * away keeps them, idle, for the day when it comes back.
 */
public final class PluginProvisioners implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "provisioner";

  private final PluginRegistry plugins;
  private final Function<VolumePlugin, ProvisionController> controllerOf;
  private final Map<String, ProvisionController> running = new ConcurrentSkipListMap<>();

  // guarded by this
  private boolean follows;

  /**
   * For the plugins that are there, and those that come.
   *
   * @param controllerOf makes one plugin's controller
   */
  PluginProvisioners(
      PluginRegistry plugins, Function<VolumePlugin, ProvisionController> controllerOf) {
    this.plugins = plugins;
    this.controllerOf = controllerOf;
    plugins.onChange(this::follow);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public synchronized void start() throws InterruptedException {
    follows = true;
    for (VolumePlugin plugin : plugins.outOfTree()) {
      add(plugin);
    }
  }

  private void add(VolumePlugin plugin) throws InterruptedException {
    if (plugin.provisioner().isEmpty() && plugin.deleter().isEmpty()) {
      return;
    }
    ProvisionController before = running.get(plugin.name());
    if (before != null) {
      before.wake();
      return;
    }
    ProvisionController fresh = controllerOf.apply(plugin);
    running.put(plugin.name(), fresh); // before it starts: a start that is cut short is stopped
    fresh.start();
  }

  private synchronized void follow(Set<String> changed) {
    try {
      for (VolumePlugin plugin : plugins.outOfTree()) {
        if (follows && changed.contains(plugin.name())) {
          add(plugin);
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    synchronized (this) {
      follows = false;
    }
    boolean clean = true;
    for (Controller plugin : running.values()) {
      clean &= plugin.stop(clean ? grace : Duration.ZERO);
    }
    return clean;
  }

  /** How long it took to make and to destroy volumes, by class. */
  public List<OperationStats.Durations> stats() {
    return running.values().stream().flatMap(p -> p.stats().stream()).toList();
  }

  @Override
  public boolean isIdle() {
    return running.values().stream().allMatch(Controller::isIdle);
  }

  @Override
  public List<QueueStats> queueStats() {
    return running.values().stream().flatMap(p -> p.queueStats().stream()).toList();
  }
}
