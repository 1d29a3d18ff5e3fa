package dev.mooring.it.faults;

import dev.mooring.it.ServerEndpoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection to the API server; each client connection has one. */
final class ProxyLink implements AutoCloseable {
  /** A server may have closed a connection that was idle for longer. */
  private static final long MAX_IDLE = Duration.ofSeconds(4).toNanos();

  record Response(HttpHead head, InputStream body) {}

  private final ServerEndpoint server;
  private @Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();
  private long lastUse;

  ProxyLink(ServerEndpoint server) {
    this.server = server;
  }

  /** Sends a request and waits for the response head. */
  Response send(ProxiedRequest request) throws IOException {
    Socket openSocket = socket;
    if (openSocket != null && System.nanoTime() - lastUse > MAX_IDLE) {
      close();
      openSocket = null;
    }
    if (openSocket == null) {
      openSocket = server.connect();
      openSocket.setTcpNoDelay(true);
      socket = openSocket;
      in = new BufferedInputStream(openSocket.getInputStream(), 1 << 16);
    }
    OutputStream out = new BufferedOutputStream(openSocket.getOutputStream(), 1 << 16);
    HttpHead head =
        request
            .head()
            .withoutHopByHop()
            .with("host", server.url().getAuthority())
            .with("authorization", server.token().isEmpty() ? "" : "Bearer " + server.token());
    if (request.body().length > 0 || request.isWrite()) {
      head = head.with("content-length", Integer.toString(request.body().length));
    }
    head.write(out);
    out.write(request.body());
    out.flush();
    HttpHead responseHead =
        HttpHead.read(in).orElseThrow(() -> new EOFException("the server closed the connection"));
    return new Response(responseHead, responseHead.body(in, true));
  }

  /** Marks the response as read to the end. */
  void finish(Response response) throws IOException {
    lastUse = System.nanoTime();
    if (response.body() == in || response.head().value("connection").equalsIgnoreCase("close")) {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    Socket openSocket = socket;
    socket = null;
    if (openSocket != null) {
      openSocket.close();
    }
  }
}
