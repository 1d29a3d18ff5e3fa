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
  private record DelayedBytes(byte[] bytes, long dueNanos) {}

  private static final DelayedBytes END = new DelayedBytes(new byte[0], 0);

  private final ServerSocket listener;
  private final int target;
  private final long oneWayNanos;
  private final LongAdder bytes = new LongAdder();

  /**
   * Starts the proxy.
   *
   * @param target port of the server on this machine
   * @param roundTripNanos delay of a request and its response together, in nanoseconds
   */
  public SlowNetwork(int target, long roundTripNanos) throws IOException {
    this.target = target;
    this.oneWayNanos = roundTripNanos / 2;
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
        forward(client, server);
        forward(server, client);
      }
    } catch (IOException e) {
      // the measurement is over
    }
  }

  private void forward(Socket source, Socket destination) {
    BlockingQueue<DelayedBytes> queue = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(source, queue));
    Thread.ofVirtual().start(() -> write(queue, destination));
  }

  private void read(Socket source, BlockingQueue<DelayedBytes> queue) {
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = source.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes.add(n);
        queue.add(new DelayedBytes(Arrays.copyOf(buffer, n), System.nanoTime() + oneWayNanos));
      }
    } catch (IOException e) {
      // closes the other direction too
    } finally {
      queue.add(END);
    }
  }

  private static void write(BlockingQueue<DelayedBytes> queue, Socket destination) {
    try (OutputStream out = destination.getOutputStream()) {
      for (DelayedBytes chunk = queue.take(); chunk != END; chunk = queue.take()) {
        long remaining = chunk.dueNanos() - System.nanoTime();
        if (remaining > 0) {
          LockSupport.parkNanos(remaining);
        }
        out.write(chunk.bytes());
      }
    } catch (IOException e) {
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
