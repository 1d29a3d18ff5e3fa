package dev.mooring.manager.simulate;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.Store;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An embedded API server in memory. Only this process can connect to it. */
public final class EmbeddedCluster implements AutoCloseable {
  private static final long QUIET_MILLIS = 20; // some events are written without a queue

  private final ApiServer server;

  private EmbeddedCluster(ApiServer server) {
    this.server = server;
  }

  public static EmbeddedCluster start() throws IOException {
    // pods may contain secrets, and other users of the machine reach the port
    return new EmbeddedCluster(
        ApiServer.start(new ApiServer.ServerOptions(0, UUID.randomUUID().toString(), null)));
  }

  public ObjectHandlers handlers() {
    return server.handlers();
  }

  Store store() {
    return handlers().store(KindCatalogue.NODES);
  }

  void advanceClock(Duration duration) {
    server.clock().advance(duration);
  }

  public KubeConnection connect() throws IOException {
    Path kubeconfig = Files.createTempFile("mooring-", ".kubeconfig");
    try {
      Files.writeString(kubeconfig, server.kubeconfig());
      return KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring");
    } catch (KubeConfigException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.delete(kubeconfig);
    }
  }

  /** Returns whether the manager has read all writes and has nothing to do now. */
  public boolean isAtRest(ControllerManager manager) {
    return manager.controllers().informers().stream()
            .allMatch(informer -> informer.watchedVersion() >= lastChange(informer.kind()))
        && manager.isIdle();
  }

  private long lastChange(Kind<?> kind) {
    return handlers()
        .findType(kind.group(), kind.version(), kind.plural())
        .map(type -> handlers().store(type).lastChange())
        .orElse(0L);
  }

  /**
   * Waits until nothing is written and the condition holds.
   *
   * @return false if the limit expired or {@code isCancelled} returned true
   */
  public boolean awaitRest(Duration limit, BooleanSupplier isAtRest, BooleanSupplier isCancelled)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < end && !isCancelled.getAsBoolean()) {
      long version = store().version();
      boolean isQuiet = !store().awaitVersion(version + 1, QUIET_MILLIS, TimeUnit.MILLISECONDS);
      if (isQuiet && isAtRest.getAsBoolean() && store().version() == version) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
