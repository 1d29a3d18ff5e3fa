package dev.mooring.it.credentials;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP proxy that opens tunnels and records their targets. */
final class ConnectProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  ConnectProxy() throws IOException {
    listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> tunnel(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void tunnel(Socket client) {
    try {
      String head = head(client.getInputStream());
      asked.add(head);
      String[] target = head.split(" ")[1].split(":");
      Socket server = new Socket(target[0], Integer.parseInt(target[1]));
      open.add(server);
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException broken) {
      // the waiting client sees the closed socket
    }
  }

  private static void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException closed) {
      // the other side is closed with it
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no request");
      }
      head.append((char) b);
    }
    return head.toString();
  }

  int port() {
    return listening.getLocalPort();
  }

  List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
