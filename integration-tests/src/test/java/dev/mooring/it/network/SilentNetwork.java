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
 * Forwards connections to a server until {@link #silenceConnections}. From then on, existing
 * connections stay open but drop their data, as after a machine failure. New connections are
 * forwarded.
 */
final class SilentNetwork implements AutoCloseable {
  private final ServerSocket listener;
  private final int targetPort;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  SilentNetwork(int targetPort) throws IOException {
    this.targetPort = targetPort;
    this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("silent-network").start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  int countConnections() {
    return links.size();
  }

  /** Drops the data of all existing connections from now on. */
  void silenceConnections() {
    links.forEach(link -> link.silent = true);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        client.setTcpNoDelay(true);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        server.setTcpNoDelay(true);
        Link link = new Link(client, server);
        links.add(link);
        Thread.ofVirtual().start(() -> link.forward(client, server));
        Thread.ofVirtual().start(() -> link.forward(server, client));
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

    private void forward(Socket source, Socket sink) {
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = source.getInputStream();
          OutputStream out = sink.getOutputStream()) {
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (!silent) {
            out.write(buffer, 0, length);
            out.flush();
          }
        }
      } catch (IOException closed) {
        // the link closes in both directions
      }
    }

    private void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Link link : links) {
      link.close();
    }
  }
}
