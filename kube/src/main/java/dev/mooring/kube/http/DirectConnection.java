package dev.mooring.kube.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP/1.1 connection, which serves one call at a time. One thread uses it at a time; any thread
 * may close it.
 */
final class DirectConnection {
  // An unanswered request of this size fits into the socket's buffer, so that its write never
  // waits.
  private static final int MAX_BUFFERED = 32 * 1024;
  private static final long MAX_SILENCE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int MAX_LINE = 64 * 1024;
  private static final int MAX_HEADERS = 1000;
  private static final int FIRST_FINAL_CODE = 200;

  /**
   * The head of a response.
   *
   * @param headers by name in lower case
   */
  record Head(boolean isHttp11, int code, Map<String, String> headers) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  private final Socket transport;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[8192];
  private int position;
  private int end;
  private long deadline;
  private volatile long lastProgress;
  private volatile boolean isAnswered;
  private volatile boolean isCancelled;

  // The transport below TLS, or the socket itself. Closing TLS would wait for a blocked write.
  DirectConnection(Socket transport, Socket socket) throws IOException {
    this.transport = transport;
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.lastProgress = System.nanoTime();
  }

  // Returns milliseconds for a socket, where 0 would mean no limit.
  static int toMillis(long nanos) {
    return Math.clamp(nanos / 1_000_000 + 1, 1, Integer.MAX_VALUE);
  }

  Head exchange(byte[] request, long callDeadline) throws IOException {
    deadline = callDeadline;
    isAnswered = false;
    lastProgress = System.nanoTime();
    if (request.length > MAX_BUFFERED) {
      writeGuarded(request);
    } else {
      out.write(request);
    }
    Head head = readHead();
    while (head.code() < FIRST_FINAL_CODE) {
      head = readHead();
    }
    return head;
  }

  private void writeGuarded(byte[] request) throws IOException {
    Thread guard = Thread.ofVirtual().name("write-limit").start(this::closeAtDeadline);
    try {
      out.write(request);
    } finally {
      guard.interrupt();
    }
  }

  private void closeAtDeadline() {
    try {
      Thread.sleep(Duration.ofNanos(deadline - System.nanoTime()));
      close();
    } catch (InterruptedException written) {
      Thread.currentThread().interrupt();
    }
  }

  private Head readHead() throws IOException {
    String status = readLine();
    boolean isHttp11 = status.startsWith("HTTP/1.1 ");
    if (!isHttp11 && !status.startsWith("HTTP/1.0 ") || status.length() < 12) {
      throw new ProtocolException("the response is not HTTP/1.1");
    }
    int code;
    try {
      code = Integer.parseInt(status, 9, 12, 10);
    } catch (NumberFormatException e) {
      throw new ProtocolException("the response has no status code");
    }
    Map<String, String> headers = new HashMap<>();
    String line = readLine();
    for (int count = 0; !line.isEmpty(); count++) {
      int colon = line.indexOf(':');
      if (colon <= 0 || count > MAX_HEADERS) {
        throw new ProtocolException("the response has a malformed head");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      line = readLine();
    }
    return new Head(isHttp11, code, headers);
  }

  String readLine() throws IOException {
    StringBuilder line = null;
    while (true) {
      if (position == end && !fill()) {
        throw new EOFException("the server closed the connection");
      }
      int start = position;
      while (position < end && buffer[position] != '\n') {
        position++;
      }
      String part = new String(buffer, start, position - start, StandardCharsets.ISO_8859_1);
      boolean isComplete = position < end;
      if (line != null) {
        part = line.append(part).toString();
      }
      if (isComplete) {
        position++;
        return part.endsWith("\r") ? part.substring(0, part.length() - 1) : part;
      }
      if (part.length() > MAX_LINE) {
        throw new ProtocolException("the response has a line of more than " + MAX_LINE + " bytes");
      }
      line = new StringBuilder(part);
    }
  }

  // Returns -1 at the end of the connection.
  int read(byte[] target, int offset, int length) throws IOException {
    if (position == end && !fill()) {
      return -1;
    }
    int count = Math.min(length, end - position);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    long remaining = deadline - System.nanoTime();
    if (remaining <= 0) {
      throw new SocketTimeoutException("timeout");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted");
    }
    socket.setSoTimeout(toMillis(Math.min(remaining, MAX_SILENCE_NANOS)));
    int count = in.read(buffer);
    lastProgress = System.nanoTime();
    position = 0;
    end = Math.max(count, 0);
    if (count > 0) {
      isAnswered = true;
    }
    return count > 0;
  }

  // Shortens the time for the rest of the response.
  void limitRest(Duration limit) {
    deadline = Math.min(deadline, System.nanoTime() + limit.toNanos());
  }

  Socket transport() {
    return transport;
  }

  boolean isAnswered() {
    return isAnswered;
  }

  boolean hasUnreadBytes() {
    return position < end;
  }

  long silenceNanos() {
    return System.nanoTime() - lastProgress;
  }

  void cancel() {
    isCancelled = true;
    close();
  }

  boolean isCancelled() {
    return isCancelled;
  }

  void close() {
    try {
      transport.close();
    } catch (IOException e) {
      // it is unusable in any case
    }
  }
}
