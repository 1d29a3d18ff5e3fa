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
 * Carries connections to a server, until they go silent: what is sent on those that there are comes
 * nowhere any more, and nobody is told, as when a machine has vanished. New ones are carried.
 */
final class SilentNetwork implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  /** In front of that port of this machine. */
  SilentNetwork(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("silent-network").start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** How many connections were made so far. */
  int connections() {
    return links.size();
  }

  /** The connections that there are carry nothing from now on. */
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
        // so is the other direction
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
