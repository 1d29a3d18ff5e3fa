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
  private static final int MOST_OF_ONE = 32;
  private static final int BACKLOG = 512;

  // Accepting must not wait behind the threads of the connections.
  private static final ThreadSource PLATFORM =
      (name, body) -> Thread.ofPlatform().daemon().name(name).unstarted(body);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private record Pair(Socket client, Socket server) {
    void close() {
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.close();
        } catch (IOException gone) {
          LOG.log(Level.DEBUG, "a connection to the endpoints was already closed", gone);
        }
      }
    }
  }

  private final ServerSocket accepting;
  private final InetSocketAddress server;
  private final Time time;
  private final ConnectionTable<Pair> open;
  private volatile boolean closed;

  private ConnectionGate(ServerSocket accepting, InetSocketAddress server, Time time) {
    this.accepting = accepting;
    this.server = server;
    this.time = time;
    this.open = new ConnectionTable<>(HttpLimits.connections(), MOST_OF_ONE, time);
  }

  static ServerSocket bind(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(address, BACKLOG);
      return socket;
    } catch (IOException taken) {
      socket.close();
      throw taken;
    }
  }

  static ConnectionGate start(ServerSocket accepting, InetSocketAddress server, Time time) {
    ConnectionGate gate = new ConnectionGate(accepting, server, time);
    VitalThreads.start(PLATFORM, "endpoints", () -> gate.closed, gate::acceptAll);
    return gate;
  }

  private void acceptAll() {
    while (!closed) {
      try {
        accept(accepting.accept());
      } catch (IOException failed) {
        if (!closed) {
          LOG.log(Level.WARNING, "accepting a connection failed; retrying", failed);
          pause();
        }
      }
    }
  }

  // The process may have run out of file descriptors.
  private void pause() {
    try {
      time.sleep(AFTER_FAILURE);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Socket client) {
    InetAddress address = client.getInetAddress();
    take(address, open.add(address, new Pair(client, new Socket())));
  }

  private void take(InetAddress address, ConnectionTable.Consequences<Pair> turn) {
    turn.close().forEach(Pair::close);
    for (Pair pair : turn.serve()) {
      Thread.ofVirtual().name("endpoints-connection").start(() -> serve(address, pair));
    }
    turn.alarm().ifPresent(after -> time.schedule(after, () -> take(address, open.alarm(address))));
  }

  private void serve(InetAddress address, Pair pair) {
    try {
      pair.client.setTcpNoDelay(true);
      pair.server.setTcpNoDelay(true);
      pair.server.connect(server);
      Thread.ofVirtual().name("endpoints-request").start(() -> request(pair));
      pair.server.getInputStream().transferTo(pair.client.getOutputStream());
    } catch (IOException ended) {
      LOG.log(Level.DEBUG, "a connection to the endpoints ended", ended);
    } finally {
      pair.close();
      take(address, open.remove(address, pair));
    }
  }

  private static void request(Pair pair) {
    try {
      pair.client.getInputStream().transferTo(pair.server.getOutputStream());
      pair.server.shutdownOutput(); // the answer may still be in transit
    } catch (IOException ended) {
      pair.close();
    }
  }

  InetSocketAddress address() {
    return (InetSocketAddress) accepting.getLocalSocketAddress();
  }

  @Override
  public void close() {
    closed = true;
    try {
      accepting.close();
    } catch (IOException gone) {
      LOG.log(Level.DEBUG, "the endpoints' socket was already closed", gone);
    }
    open.all().forEach(Pair::close);
  }
}
