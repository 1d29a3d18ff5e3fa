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
  private static final long FRESH = Duration.ofSeconds(4).toNanos();

  record Answer(HttpHead head, InputStream body) {}

  private final ServerEndpoint server;
  private @Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();
  private long used;

  ProxyLink(ServerEndpoint server) {
    this.server = server;
  }

  /** Sends a request and waits for the response head. */
  Answer ask(ProxiedRequest request) throws IOException {
    Socket open = socket;
    if (open != null && System.nanoTime() - used > FRESH) {
      close();
      open = null;
    }
    if (open == null) {
      open = server.connect();
      open.setTcpNoDelay(true);
      socket = open;
      in = new BufferedInputStream(open.getInputStream(), 1 << 16);
    }
    OutputStream out = new BufferedOutputStream(open.getOutputStream(), 1 << 16);
    HttpHead head =
        request
            .head()
            .endToEnd()
            .with("host", server.url().getAuthority())
            .with("authorization", server.token().isEmpty() ? "" : "Bearer " + server.token());
    if (request.body().length > 0 || request.isWrite()) {
      head = head.with("content-length", Integer.toString(request.body().length));
    }
    head.write(out);
    out.write(request.body());
    out.flush();
    HttpHead answer =
        HttpHead.read(in).orElseThrow(() -> new EOFException("the server closed the connection"));
    return new Answer(answer, answer.body(in, true));
  }

  /** Marks the response as read to the end. */
  void done(Answer answer) throws IOException {
    used = System.nanoTime();
    if (answer.body() == in || answer.head().value("connection").equalsIgnoreCase("close")) {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}
