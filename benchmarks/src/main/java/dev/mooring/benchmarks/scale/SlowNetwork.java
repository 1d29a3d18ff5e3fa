package dev.mooring.benchmarks.scale;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A TCP proxy on this machine that delays every byte by half a round trip. */
public final class SlowNetwork implements AutoCloseable {
  private record DelayedBytes(byte[] bytes, long due) {}

  private static final DelayedBytes END = new DelayedBytes(new byte[0], 0);

  private final ServerSocket listener;
  private final int target;
  private final long oneWay;
  private final LongAdder bytes = new LongAdder();

  /**
   * Starts the proxy.
   *
   * @param target port of the server on this machine
   * @param roundTripNanos delay of a request and its response together, in nanoseconds
   */
  public SlowNetwork(int target, long roundTripNanos) throws IOException {
    this.target = target;
    this.oneWay = roundTripNanos / 2;
    this.listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Returns the number of bytes received so far from both sides. */
  public long bytes() {
    return bytes.sum();
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        carry(client, server);
        carry(server, client);
      }
    } catch (IOException closed) {
      // the measurement is over
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<DelayedBytes> queue = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(from, queue));
    Thread.ofVirtual().start(() -> write(queue, to));
  }

  private void read(Socket from, BlockingQueue<DelayedBytes> queue) {
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = from.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes.add(n);
        queue.add(new DelayedBytes(Arrays.copyOf(buffer, n), System.nanoTime() + oneWay));
      }
    } catch (IOException closed) {
      // closes the other direction too
    } finally {
      queue.add(END);
    }
  }

  private static void write(BlockingQueue<DelayedBytes> queue, Socket to) {
    try (OutputStream out = to.getOutputStream()) {
      for (DelayedBytes piece = queue.take(); piece != END; piece = queue.take()) {
        long wait = piece.due() - System.nanoTime();
        if (wait > 0) {
          LockSupport.parkNanos(wait);
        }
        out.write(piece.bytes());
      }
    } catch (IOException closed) {
      // the proxy is closing
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
