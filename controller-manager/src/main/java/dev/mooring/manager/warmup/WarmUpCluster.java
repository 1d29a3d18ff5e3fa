package dev.mooring.manager.warmup;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.simulate.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** An in-memory cluster whose claims, volumes and pods exercise the controllers. */
final class WarmUpCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10); // of a step

  private final EmbeddedCluster cluster;
  private final WarmUpObjects objects;
  private final ControllerManager manager;
  private final BooleanSupplier isCancelled;

  private WarmUpCluster(
      EmbeddedCluster cluster, ControllerManager manager, BooleanSupplier isCancelled) {
    this.cluster = cluster;
    this.objects = new WarmUpObjects(cluster.handlers());
    this.manager = manager;
    this.isCancelled = isCancelled;
  }

  static WarmUpCluster start(ManagerConfig config, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    EmbeddedCluster server = EmbeddedCluster.start();
    boolean isStarted = false;
    try {
      new WarmUpObjects(server.handlers()).createShared();
      ControllerManager manager =
          new ControllerManager(
              config.observing(),
              server.connect(),
              PluginRegistry.of(List.copyOf(WarmUpPlugin.ALL)),
              Optional.empty());
      manager.start();
      isStarted = true;
      return new WarmUpCluster(server, manager, isCancelled);
    } finally {
      if (!isStarted) {
        server.close();
      }
    }
  }

  /** Returns false if the round was cancelled or its work did not end in time. */
  boolean playRound(int round) throws InterruptedException {
    objects.createRequests(round);
    if (!settle()) {
      return false;
    }
    objects.confirmAttachments();
    if (!settle()) {
      return false;
    }
    objects.deleteRequests();
    if (!awaitDetached()) {
      return false;
    }
    objects.deleteVolumes();
    return settle();
  }

  private boolean settle() throws InterruptedException {
    return await(() -> true);
  }

  // detaches may wait for a timer
  private boolean awaitDetached() throws InterruptedException {
    return await(() -> objects.list(KindCatalogue.ATTACHMENTS).isEmpty());
  }

  private boolean await(BooleanSupplier condition) throws InterruptedException {
    return cluster.awaitRest(
        LIMIT, () -> condition.getAsBoolean() && cluster.isAtRest(manager), isCancelled);
  }

  WarmUpObjects objects() {
    return objects;
  }

  @Override
  public void close() throws IOException {
    try {
      manager.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cluster.close();
    }
  }
}
