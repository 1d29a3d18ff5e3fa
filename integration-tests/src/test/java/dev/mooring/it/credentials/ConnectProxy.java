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
  private final ServerSocket listener;
  private final List<String> requestHeads = new CopyOnWriteArrayList<>();
  private final List<Socket> openSockets = new CopyOnWriteArrayList<>();

  ConnectProxy() throws IOException {
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        openSockets.add(client);
        Thread.ofVirtual().start(() -> tunnel(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void tunnel(Socket client) {
    try {
      String requestHead = readHead(client.getInputStream());
      requestHeads.add(requestHead);
      String[] target = requestHead.split(" ")[1].split(":");
      Socket server = new Socket(target[0], Integer.parseInt(target[1]));
      openSockets.add(server);
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException broken) {
      // the client detects the closed socket
    }
  }

  private static void copy(Socket source, Socket target) {
    try (InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException closed) {
      // close() closes both sockets
    }
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int character = in.read();
      if (character < 0) {
        throw new IOException("no request");
      }
      head.append((char) character);
    }
    return head.toString();
  }

  int port() {
    return listener.getLocalPort();
  }

  List<String> requestHeads() {
    return List.copyOf(requestHeads);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : openSockets) {
      socket.close();
    }
  }
}
