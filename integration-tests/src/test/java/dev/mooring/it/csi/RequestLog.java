package dev.mooring.it.csi;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proxy in front of a server that records the request line of every request. */
final class RequestLog implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:\\s*(\\d+)\\s*$");

  private final URI server;
  private final ServerSocket listener;
  private final Set<Socket> openSockets = ConcurrentHashMap.newKeySet();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  RequestLog(String server) throws IOException {
    this.server = URI.create(server);
    this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  /** Returns the request lines so far. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        openSockets.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket upstream = new Socket(server.getHost(), server.getPort())) {
      openSockets.add(upstream);
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> copyResponses(upstream, client));
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = upstream.getOutputStream();
      for (byte[] head = readHead(in); head.length > 0; head = readHead(in)) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        lines.add(text.substring(0, text.indexOf("\r\n")));
        Matcher length = LENGTH.matcher(text);
        out.write(head);
        out.write(in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0));
        out.flush();
      }
    } catch (IOException closed) {
      // both sides detect the closed socket
    }
  }

  private static void copyResponses(Socket source, Socket target) {
    try (InputStream in = source.getInputStream();
        OutputStream out = target.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException closed) {
      // both sides detect the closed socket
    }
  }

  private static byte[] readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int lineEnds = 0;
    for (int character = in.read(); character >= 0; character = in.read()) {
      head.write(character);
      lineEnds = character == '\n' ? lineEnds + 1 : character == '\r' ? lineEnds : 0;
      if (lineEnds == 2) {
        return head.toByteArray();
      }
    }
    return new byte[0];
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : openSockets) {
      socket.close();
    }
  }
}
