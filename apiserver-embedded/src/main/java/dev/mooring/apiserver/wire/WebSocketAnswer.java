package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 connection that was upgraded to a WebSocket (RFC 6455) on which only the server sends
 * messages. One thread sends them, and another reads the client's control frames.
 */
final class WebSocketAnswer {
  private static final System.Logger LOG = System.getLogger(WebSocketAnswer.class.getName());
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3
  private static final String JSON = "application/json";
  private static final long MAX_CLIENT_FRAME = 1 << 16; // the server ignores messages of clients
  private static final int MAX_CONTROL_FRAME = 125;
  private static final int LENGTH_16_BITS = 126;
  private static final int LENGTH_64_BITS = 127;
  private static final int FINAL_FRAME = 0x80;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int NORMAL_CLOSURE = 1000;
  private static final int PROTOCOL_ERROR = 1002;
  private static final int TOO_BIG = 1009;
  private static final long CLOSE_SECONDS = 1;

  private final ByteConnection connection;
  private final Http1Reader reader;
  private final boolean isText;
  private final ReentrantLock writing = new ReentrantLock();
  private final CountDownLatch clientClosed = new CountDownLatch(1);
  private boolean isCloseSent;

  private WebSocketAnswer(ByteConnection connection, Http1Reader reader, boolean isText) {
    this.connection = connection;
    this.reader = reader;
    this.isText = isText;
  }

  static WebSocketAnswer start(
      ByteConnection connection, Http1Reader reader, Headers requestHeaders, Headers headers)
      throws IOException {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n")
            .append("upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ")
            .append(computeAcceptKey(requestHeaders.getFirst("Sec-WebSocket-Key")))
            .append("\r\n");
    String protocol = headers.getFirst("Sec-WebSocket-Protocol");
    if (protocol != null) {
      head.append("sec-websocket-protocol: ").append(protocol).append("\r\n");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    connection.write(bytes, 0, bytes.length);
    return new WebSocketAnswer(connection, reader, JSON.equals(headers.getFirst("Content-Type")));
  }

  private static String computeAcceptKey(@Nullable String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-1", e);
    }
  }

  void sendMessage(byte[] bytes, int offset, int length) throws IOException {
    sendFrame(isText ? TEXT : BINARY, bytes, offset, length);
  }

  private void sendFrame(int opcode, byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(10 + length).put((byte) (FINAL_FRAME | opcode));
    if (length <= MAX_CONTROL_FRAME) {
      frame.put((byte) length);
    } else if (length < 1 << 16) {
      frame.put((byte) LENGTH_16_BITS).putShort((short) length);
    } else {
      frame.put((byte) LENGTH_64_BITS).putLong(length);
    }
    frame.put(bytes, offset, length);
    writing.lock();
    try {
      if (isCloseSent) {
        throw new IOException("the WebSocket is closed");
      }
      isCloseSent = opcode == CLOSE;
      connection.write(frame.array(), 0, frame.position());
    } finally {
      writing.unlock();
    }
  }

  private void sendClose(int code) throws IOException {
    sendFrame(CLOSE, new byte[] {(byte) (code >> 8), (byte) code}, 0, 2);
  }

  void readFrames() {
    try {
      int refusal = 0;
      while (refusal == 0) {
        refusal = readFrame();
      }
      sendClose(refusal);
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, () -> "closed: " + connection.ends().client(), closed);
    } finally {
      clientClosed.countDown();
      connection.close();
    }
  }

  private int readFrame() throws IOException {
    byte[] head = read(2);
    int opcode = head[0] & 0x0f;
    boolean isMasked = head[1] < 0;
    long length = head[1] & 0x7f;
    boolean isLongControl = opcode >= CLOSE && length > MAX_CONTROL_FRAME;
    if (length == LENGTH_16_BITS) {
      length = Short.toUnsignedLong(ByteBuffer.wrap(read(2)).getShort());
    } else if (length == LENGTH_64_BITS) {
      length = ByteBuffer.wrap(read(8)).getLong();
    }
    if (!isMasked || isLongControl) { // RFC 6455, 5.1 and 5.5
      return PROTOCOL_ERROR;
    }
    if (length < 0 || length > MAX_CLIENT_FRAME) {
      return TOO_BIG;
    }
    byte[] mask = read(4);
    byte[] payload = read((int) length);
    if (opcode == PING) {
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % mask.length];
      }
      sendFrame(PONG, payload, 0, payload.length);
    }
    return opcode == CLOSE ? NORMAL_CLOSURE : 0;
  }

  private byte[] read(int length) throws IOException {
    byte[] bytes = new byte[length];
    reader.readFully(bytes);
    return bytes;
  }

  boolean isClosed() {
    return clientClosed.getCount() == 0;
  }

  /** Closes the WebSocket; gives the client a moment to read the last messages. */
  void close() throws IOException {
    try {
      sendClose(NORMAL_CLOSURE);
      clientClosed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
    }
  }
}
