package dev.mooring.manager.endpoint;

import dev.mooring.thread.ThreadSource;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/**
 * Accepts connections at the endpoints' address and forwards their bytes, without terminating TLS,
 * to the JDK's HTTP server on a loopback port. That server has a single limit for all clients and
 * no hook for accepted connections, so one client could lock out all others.
 */
final class ConnectionGate implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ConnectionGate.class.getName());
  private static final int MAX_PER_CLIENT = 32;
  private static final int BACKLOG = 512;

  // Accepting must not wait behind the threads of the connections.
  private static final ThreadSource PLATFORM_THREADS =
      (name, body) -> Thread.ofPlatform().daemon().name(name).unstarted(body);

  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

  private record ForwardedConnection(Socket client, Socket server) {
    void close() {
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.close();
        } catch (IOException e) {
          LOG.log(Level.DEBUG, "a connection to the endpoints was already closed", e);
        }
      }
    }
  }

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final Time time;
  private final ConnectionTable<ForwardedConnection> connections;
  private volatile boolean isClosed;

  private ConnectionGate(ServerSocket listener, InetSocketAddress server, Time time) {
    this.listener = listener;
    this.server = server;
    this.time = time;
    this.connections = new ConnectionTable<>(HttpLimits.maxConnections(), MAX_PER_CLIENT, time);
  }

  static ServerSocket bind(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(address, BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static ConnectionGate start(ServerSocket listener, InetSocketAddress server, Time time) {
    ConnectionGate gate = new ConnectionGate(listener, server, time);
    VitalThreads.start(PLATFORM_THREADS, "endpoints", () -> gate.isClosed, gate::acceptAll);
    return gate;
  }

  private void acceptAll() {
    while (!isClosed) {
      try {
        accept(listener.accept());
      } catch (IOException e) {
        if (!isClosed) {
          LOG.log(Level.WARNING, "accepting a connection failed; retrying", e);
          pause();
        }
      }
    }
  }

  // The process may have run out of file descriptors.
  private void pause() {
    try {
      time.sleep(RETRY_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Socket client) {
    InetAddress address = client.getInetAddress();
    apply(address, connections.add(address, new ForwardedConnection(client, new Socket())));
  }

  private void apply(
      InetAddress address, ConnectionTable.Consequences<ForwardedConnection> consequences) {
    consequences.toClose().forEach(ForwardedConnection::close);
    for (ForwardedConnection connection : consequences.toServe()) {
      Thread.ofVirtual().name("endpoints-connection").start(() -> forward(address, connection));
    }
    consequences
        .alarmDelay()
        .ifPresent(
            delay -> time.schedule(delay, () -> apply(address, connections.alarmExpired(address))));
  }

  private void forward(InetAddress address, ForwardedConnection connection) {
    try {
      connection.client.setTcpNoDelay(true);
      connection.server.setTcpNoDelay(true);
      connection.server.connect(server);
      Thread.ofVirtual().name("endpoints-request").start(() -> forwardRequest(connection));
      connection.server.getInputStream().transferTo(connection.client.getOutputStream());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a connection to the endpoints ended", e);
    } finally {
      connection.close();
      apply(address, connections.remove(address, connection));
    }
  }

  private static void forwardRequest(ForwardedConnection connection) {
    try {
      connection.client.getInputStream().transferTo(connection.server.getOutputStream());
      connection.server.shutdownOutput(); // the answer may still be in transit
    } catch (IOException e) {
      connection.close();
    }
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      listener.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the endpoints' socket was already closed", e);
    }
    connections.all().forEach(ForwardedConnection::close);
  }
}
