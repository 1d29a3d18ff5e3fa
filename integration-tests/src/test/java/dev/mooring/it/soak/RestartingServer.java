package dev.mooring.it.soak;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.simulate.NodeSimulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * An API server that keeps its objects in files, with nodes; it can be away for a while, and comes
 * again where it was. Who asks it past the network waits until it is there.
 */
final class RestartingServer implements AutoCloseable {
  /** Something that is asked of it. */
  @FunctionalInterface
  interface Question<T extends @Nullable Object, E extends Exception> {
    T of(Handlers handlers) throws E;
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);
  private final ApiServer.Config config;
  private final int nodeCount;
  private ApiServer server;
  private NodeSimulator nodes;

  /** One with its files there and so many nodes. */
  RestartingServer(Path files, int nodeCount) throws IOException {
    this.config = new ApiServer.Config(Ports.free(), "", files);
    this.nodeCount = nodeCount;
    this.server = ApiServer.start(config);
    this.nodes = NodeSimulator.start(server.handlers(), nodeCount);
  }

  /** Where it is, whenever it is there. */
  String url() {
    return "http://127.0.0.1:" + config.port();
  }

  /** Asks it. */
  <T extends @Nullable Object, E extends Exception> T ask(Question<T, E> question) throws E {
    lock.readLock().lock();
    try {
      return question.of(server.handlers());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** It ends in the midst of what it does, is away for so long, and begins again. */
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
