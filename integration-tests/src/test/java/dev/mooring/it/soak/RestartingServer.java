package dev.mooring.it.soak;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.simulate.NodeSimulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A persistent API server with nodes. After a downtime it restarts on the same port. In-process
 * calls wait until it runs again.
 */
final class RestartingServer implements AutoCloseable {
  @FunctionalInterface
  interface ServerCall<T extends @Nullable Object, E extends Exception> {
    T apply(ObjectHandlers handlers) throws E;
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);
  private final ApiServer.ServerOptions config;
  private final int nodeCount;
  private ApiServer server;
  private NodeSimulator nodes;

  RestartingServer(Path files, int nodeCount) throws IOException {
    this.config = new ApiServer.ServerOptions(FixedPorts.findFree(), "", files);
    this.nodeCount = nodeCount;
    this.server = ApiServer.start(config);
    this.nodes = NodeSimulator.start(server.handlers(), nodeCount);
  }

  String url() {
    return "http://127.0.0.1:" + config.port();
  }

  <T extends @Nullable Object, E extends Exception> T call(ServerCall<T, E> call) throws E {
    lock.readLock().lock();
    try {
      return call.apply(server.handlers());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Stops the server, waits for the downtime, and starts the server again. */
  void restart(Duration downtime) throws IOException {
    lock.writeLock().lock();
    try {
      close();
      LockSupport.parkNanos(downtime.toNanos());
      server = ApiServer.start(config);
      nodes = NodeSimulator.start(server.handlers(), nodeCount);
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void close() throws IOException {
    nodes.close();
    server.close();
  }
}
