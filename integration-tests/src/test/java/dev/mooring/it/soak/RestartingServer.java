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
 * A persistent API server with nodes that restarts on its port after a downtime. In-process calls
 * wait until it is back.
 */
final class RestartingServer implements AutoCloseable {
  @FunctionalInterface
  interface Question<T extends @Nullable Object, E extends Exception> {
    T of(ObjectHandlers handlers) throws E;
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);
  private final ApiServer.ServerOptions config;
  private final int nodeCount;
  private ApiServer server;
  private NodeSimulator nodes;

  RestartingServer(Path files, int nodeCount) throws IOException {
    this.config = new ApiServer.ServerOptions(FixedPorts.free(), "", files);
    this.nodeCount = nodeCount;
    this.server = ApiServer.start(config);
    this.nodes = NodeSimulator.start(server.handlers(), nodeCount);
  }

  String url() {
    return "http://127.0.0.1:" + config.port();
  }

  <T extends @Nullable Object, E extends Exception> T ask(Question<T, E> question) throws E {
    lock.readLock().lock();
    try {
      return question.of(server.handlers());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Interrupts the server, waits for {@code away}, and starts it again. */
  void restart(Duration away) throws IOException {
    lock.writeLock().lock();
    try {
      close();
      LockSupport.parkNanos(away.toNanos());
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
