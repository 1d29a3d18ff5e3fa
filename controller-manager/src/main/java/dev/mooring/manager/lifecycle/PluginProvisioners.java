package dev.mooring.manager.lifecycle;

import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Kind;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
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

  private record Running(ProvisionController controller, ControllerRuntime runtime) {}

  private final PluginRegistry plugins;
  private final Function<VolumePlugin, ProvisionController> controllerOf;
  private final SharedInformers informers;
  private final Function<ControllerSpec, ControllerRuntime> runtimeOf;
  private final Map<String, Running> running = new ConcurrentSkipListMap<>();

  // guarded by this
  private boolean follows;

  /**
   * For the plugins that are there, and those that come.
   *
   * @param informers what their controllers know the cluster by
   * @param controllerOf makes one plugin's controller
   * @param runtimeOf runs one
   */
  PluginProvisioners(
      PluginRegistry plugins,
      SharedInformers informers,
      Function<VolumePlugin, ProvisionController> controllerOf,
      Function<ControllerSpec, ControllerRuntime> runtimeOf) {
    this.plugins = plugins;
    this.informers = informers;
    this.runtimeOf = runtimeOf;
    this.controllerOf = controllerOf;
    plugins.onChange(this::follow);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Informer<?>> reads() {
    return List.of(
        informers.of(Kind.CLAIM), informers.of(Kind.VOLUME), informers.of(Kind.STORAGE_CLASS));
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
    Running before = running.get(plugin.name());
    if (before != null) {
      before.controller().wake();
      return;
    }
    ProvisionController fresh = controllerOf.apply(plugin);
    ControllerRuntime runtime = runtimeOf.apply(fresh.spec());
    // before it starts: a start that is cut short is stopped
    running.put(plugin.name(), new Running(fresh, runtime));
    runtime.start();
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
    for (Running plugin : running.values()) {
      clean &= plugin.runtime().stop(clean ? grace : Duration.ZERO);
    }
    return clean;
  }

  /** How long it took to make and to destroy volumes, by class. */
  public List<OperationStats.Durations> stats() {
    return running.values().stream().flatMap(p -> p.controller().stats().stream()).toList();
  }

  @Override
  public boolean isIdle() {
    return running.values().stream().allMatch(p -> p.runtime().isIdle());
  }

  @Override
  public List<QueueStats> queueStats() {
    return running.values().stream().flatMap(p -> p.runtime().queueStats().stream()).toList();
  }
}
