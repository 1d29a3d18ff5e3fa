package dev.mooring.kube.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.time.Duration;

/** The body of a response. Returns its connection at the end of the body. */
final class ResponseBody extends InputStream {
  /** How the body ends. */
  enum Framing {
    LENGTH,
    CHUNKS,
    CLOSE
  }

  /** Takes back a connection. */
  interface ConnectionOwner {
    void returnConnection(DirectConnection connection, boolean isReusable);

    void handleFailure(DirectConnection connection, IOException failure);
  }

  private static final int MAX_DISCARDED = 64 * 1024;
  private static final Duration DISCARD_LIMIT = Duration.ofMillis(100);

  private final DirectConnection connection;
  private final ConnectionOwner owner;
  private final Framing framing;
  private final boolean isReusable;
  private long remaining; // bytes of the body or of the present chunk
  private boolean isFirstChunk = true;
  private boolean isEnded;

  private ResponseBody(
      DirectConnection connection, ConnectionOwner owner, Framing framing, boolean isReusable) {
    this.connection = connection;
    this.owner = owner;
    this.framing = framing;
    this.isReusable = isReusable;
  }

  static ResponseBody of(
      DirectConnection.Head head, DirectConnection connection, ConnectionOwner owner)
      throws IOException {
    boolean isReusable = head.isHttp11() && !head.header("connection").equalsIgnoreCase("close");
    if (head.code() == 204 || head.code() == 304) {
      return withLength(0, connection, owner, isReusable);
    }
    if (!head.header("transfer-encoding").isEmpty()) {
      if (!head.header("transfer-encoding").equalsIgnoreCase("chunked")) {
        throw new ProtocolException(
            "the response has the transfer encoding " + head.header("transfer-encoding"));
      }
      return new ResponseBody(connection, owner, Framing.CHUNKS, isReusable);
    }
    String length = head.header("content-length");
    return length.isEmpty()
        ? new ResponseBody(connection, owner, Framing.CLOSE, false)
        : withLength(parseSize(length, 10), connection, owner, isReusable);
  }

  private static ResponseBody withLength(
      long length, DirectConnection connection, ConnectionOwner owner, boolean isReusable) {
    ResponseBody body = new ResponseBody(connection, owner, Framing.LENGTH, isReusable);
    body.remaining = length;
    if (length == 0) {
      body.end(isReusable);
    }
    return body;
  }

  private static long parseSize(String text, int radix) throws IOException {
    try {
      long size = Long.parseLong(text, radix);
      if (size >= 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new ProtocolException("the response has the size \"" + text + "\"");
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (isEnded) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    try {
      return readPart(target, offset, length);
    } catch (IOException e) {
      isEnded = true;
      owner.handleFailure(connection, e);
      throw e;
    }
  }

  private int readPart(byte[] target, int offset, int length) throws IOException {
    if (framing == Framing.CHUNKS && remaining == 0 && !startChunk()) {
      return -1;
    }
    int wanted = framing == Framing.CLOSE ? length : (int) Math.min(length, remaining);
    int count = connection.read(target, offset, wanted);
    if (count < 0) {
      if (framing != Framing.CLOSE) {
        throw new EOFException("the server closed the connection within a response");
      }
      end(false);
      return -1;
    }
    remaining -= count;
    if (framing == Framing.LENGTH && remaining == 0) {
      end(isReusable);
    }
    return count;
  }

  // Returns false at the end of the body.
  private boolean startChunk() throws IOException {
    if (!isFirstChunk && !connection.readLine().isEmpty()) {
      throw new ProtocolException("the response has a malformed chunk");
    }
    isFirstChunk = false;
    String line = connection.readLine();
    int extension = line.indexOf(';');
    remaining = parseSize((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
    if (remaining > 0) {
      return true;
    }
    while (!connection.readLine().isEmpty()) {
      // trailers have no meaning here
    }
    end(isReusable);
    return false;
  }

  private void end(boolean mayBeReused) {
    isEnded = true;
    owner.returnConnection(connection, mayBeReused && !connection.hasUnreadBytes());
  }

  // Reads a short rest, so that the connection can serve further calls.
  @Override
  public void close() {
    if (isEnded) {
      return;
    }
    connection.limitRest(DISCARD_LIMIT);
    byte[] rest = new byte[MAX_DISCARDED / 8];
    try {
      for (int total = 0; !isEnded && isReusable && total < MAX_DISCARDED; ) {
        total += readPart(rest, 0, rest.length);
      }
    } catch (IOException e) {
      // the connection ends below
    }
    if (!isEnded) {
      end(false);
    }
  }
}
