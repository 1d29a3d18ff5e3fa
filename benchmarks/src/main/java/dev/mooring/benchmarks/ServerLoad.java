package dev.mooring.benchmarks;

import dev.mooring.apiserver.ApiServer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Question: how many creates a second does the embedded server accept, and how many watch events a
 * second does it send, with client and server on the same CPUs? Limits: 8,000 creates/s without a
 * watcher, 30,000 events/s to four watchers. The client is a bare socket, so that its own cost is
 * small.
 */
final class ServerLoad {
  private static final int WRITERS = 8;
  private static final int WATCHERS = 4;
  private static final int WARM_UP = 30_000;
  private static final int MEASURED = 20_000;
  private static final PollingWait EVENTS = PollingWait.of(1, 60);
  private static final String PATH = "/api/v1/persistentvolumes";

  private final URI server;
  private final AtomicLong next = new AtomicLong();

  private ServerLoad(URI server) {
    this.server = server;
  }

  /** Returns the figures by the names that {@link BenchMain} uses. */
  static Map<String, Double> measure() throws IOException, InterruptedException {
    Map<String, Double> figures = new LinkedHashMap<>();
    try (ApiServer embedded = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ServerLoad load = new ServerLoad(URI.create(embedded.url()));
      load.create(threads, WARM_UP);
      load.fanOut(threads);
      figures.put("ServerLoad.creates", MEASURED / load.create(threads, MEASURED));
      figures.put("ServerLoad.events", load.fanOut(threads));
    } catch (ExecutionException e) {
      throw new IOException("load test of the embedded server failed: " + e.getCause(), e);
    }
    return figures;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    socket.setTcpNoDelay(true);
    return socket;
  }

  // Returns the seconds that the creates take.
  private double create(ExecutorService threads, int count)
      throws InterruptedException, ExecutionException {
    List<Callable<Void>> writers = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      writers.add(() -> {
        write(count / WRITERS);
        return null;
      });
    }
    long start = System.nanoTime();
    for (Future<Void> writer : threads.invokeAll(writers)) {
      writer.get();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private void write(int count) throws IOException {
    try (Socket socket = connect();
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream()) {
      for (int i = 0; i < count; i++) {
        out.write(request(next.incrementAndGet()));
        String head = readHead(in);
        if (!head.startsWith("HTTP/1.1 201")) {
          throw new IOException("not created: " + head.lines().findFirst().orElse(""));
        }
        in.skipNBytes(contentLength(head));
      }
    }
  }

  private static byte[] request(long i) {
    String body =
        """
        {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v-%d","labels":{"a":"b"}},"spec":{"capacity":{"storage":"%dMi"},"accessModes":["ReadWriteOnce"],"storageClassName":"s","nfs":{"server":"n","path":"/"}}}\
        """
            .formatted(i, 1 + i);
    return ("POST "
            + PATH
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder(256);
    while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
      int c = in.read();
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private static long contentLength(String head) {
    return head.lines()
        .filter(l -> l.regionMatches(true, 0, "content-length:", 0, 15))
        .mapToLong(l -> Long.parseLong(l.substring(15).strip()))
        .findFirst()
        .orElse(0);
  }

  private double fanOut(ExecutorService threads)
      throws IOException, InterruptedException, ExecutionException {
    AtomicLong received = new AtomicLong();
    List<Socket> watchers = new ArrayList<>();
    try {
      for (int w = 0; w < WATCHERS; w++) {
        Socket socket = connect();
        watchers.add(socket);
        socket
            .getOutputStream()
            .write(
                ("GET "
                        + PATH
                        + "?watch=true&resourceVersion="
                        + readVersion()
                        + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        readHead(socket.getInputStream());
        threads.submit(() -> count(socket.getInputStream(), received));
      }
      long start = System.nanoTime();
      create(threads, MEASURED);
      long expected = (long) WATCHERS * MEASURED;
      EVENTS.until(
          () -> "only %d of %d events have arrived".formatted(received.get(), expected),
          () -> received.get() >= expected);
      return expected / ((System.nanoTime() - start) / 1e9);
    } finally {
      for (Socket watcher : watchers) {
        watcher.close();
      }
    }
  }

  private long readVersion() throws IOException {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              ("GET " + PATH + "?limit=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int start = answer.indexOf("\"resourceVersion\":\"") + 19;
      return Long.parseLong(answer.substring(start, answer.indexOf('"', start)));
    }
  }

  /**
   * Counts line feeds that follow no carriage return: each ends an event. The others end HTTP
   * chunks.
   */
  private static long count(InputStream in, AtomicLong received) throws IOException {
    byte[] buffer = new byte[1 << 16];
    byte previous = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      long events = 0;
      for (int i = 0; i < n; i++) {
        if (buffer[i] == '\n' && previous != '\r') {
          events++;
        }
        previous = buffer[i];
      }
      received.addAndGet(events);
    }
    return received.get();
  }
}
