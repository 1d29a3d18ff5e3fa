package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A listener without TLS. A thread serves each connection. */
final class PlainListener implements HttpListener {
  private static final System.Logger LOG = System.getLogger(PlainListener.class.getName());

  private static final Duration ACCEPT_RETRY = Duration.ofMillis(100);

  private final ServerSocketChannel serverChannel;
  private final InetSocketAddress address;
  private final Set<PlainConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Thread> acceptor = new AtomicReference<>();

  PlainListener(InetSocketAddress requestedAddress) throws IOException {
    serverChannel = ServerSocketChannel.open();
    try {
      serverChannel.bind(requestedAddress, BACKLOG);
      address = (InetSocketAddress) serverChannel.getLocalAddress();
    } catch (IOException e) {
      serverChannel.close();
      throw e;
    }
  }

  @Override
  public int port() {
    return address.getPort();
  }

  @Override
  public void start(HttpHandler handler, Executor threads) {
    RequestService service = new RequestService(handler, threads);
    acceptor.set(Thread.ofVirtual().name("accept").start(() -> acceptConnections(service)));
  }

  private void acceptConnections(RequestService service) {
    while (serverChannel.isOpen()) {
      try {
        startConnection(serverChannel.accept(), service);
      } catch (IOException e) {
        if (serverChannel.isOpen()) { // for example, too many files are open
          LOG.log(Level.WARNING, "cannot accept a connection; trying again", e);
          LockSupport.parkNanos(ACCEPT_RETRY.toNanos());
        }
      }
    }
  }

  private void startConnection(SocketChannel channel, RequestService service) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    PlainConnection connection = new PlainConnection(channel);
    connections.add(connection);
    try {
      service.threads().execute(() -> serve(connection, service));
    } catch (RejectedExecutionException stopping) {
      closeConnection(connection);
    }
  }

  private void serve(PlainConnection connection, RequestService service) {
    try {
      new Http1Connection(connection, service).run();
    } finally {
      connections.remove(connection);
    }
  }

  private void closeConnection(PlainConnection connection) {
    connections.remove(connection);
    connection.close();
  }

  @Override
  public void disconnect() {
    try {
      serverChannel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the port is not released", e);
    }
    awaitAcceptor();
    connections.forEach(this::closeConnection);
  }

  // the system releases the port when the accepting thread has left the channel
  private void awaitAcceptor() {
    Thread thread = acceptor.get();
    try {
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
