package dev.mooring.it.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards connections to a server until {@link #silence}. From then on existing connections drop
 * their data without being closed, as after a machine failure; new ones are forwarded.
 */
final class SilentNetwork implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  SilentNetwork(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("silent-network").start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  int connections() {
    return links.size();
  }

  /** Drops the data of all existing connections from now on. */
  void silence() {
    links.forEach(link -> link.silent = true);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        client.setTcpNoDelay(true);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        server.setTcpNoDelay(true);
        Link link = new Link(client, server);
        links.add(link);
        Thread.ofVirtual().start(() -> link.carry(client, server));
        Thread.ofVirtual().start(() -> link.carry(server, client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean silent;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    private void carry(Socket from, Socket to) {
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (!silent) {
            out.write(buffer, 0, n);
            out.flush();
          }
        }
      } catch (IOException closed) {
        // the other direction is closed too
      }
    }

    private void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Link link : links) {
      link.close();
    }
  }
}
