package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.faults.WatchFault.StreamPoint;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A watch whose events a separate thread forwards one by one. */
final class WatchStream implements AutoCloseable {
  /** The encoding in which the proxy can insert events. */
  static final String JSON = "application/json";

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private interface EventForwarder {
    void forward(byte[] event) throws IOException, InterruptedException;
  }

  private final ProxiedExchange exchange;
  private final ProxyLink.Response response;
  private final boolean isJson;
  private final CountDownLatch streamEnd = new CountDownLatch(1);
  private boolean isForwarding = true;
  private int remainingEvents;
  private String firstVersion = "";

  private WatchStream(ProxiedExchange exchange, ProxyLink.Response response) {
    this.exchange = exchange;
    this.response = response;
    this.isJson = !response.head().value("content-type").contains("protobuf");
  }

  /** Opens the requested stream in the encoding {@code type}; "" keeps the requested encoding. */
  static WatchStream of(ProxiedExchange exchange, String type) throws IOException {
    ProxiedRequest request = exchange.request();
    ProxyLink.Response response =
        exchange.send(type.isEmpty() ? request : request.withMediaType(type));
    exchange.sendHead(response.head());
    return new WatchStream(exchange, response);
  }

  /** Forwards events until the point and withholds the others. */
  void forwardUntil(StreamPoint point) throws IOException, InterruptedException {
    runAsOpenWatch(() ->
        forwardEvents(
            point.events(), point.latest(), event -> exchange.write(event, event.length)));
  }

  /** Delays each event by {@code lag}. */
  void delayEvents(Duration lag, Duration length) throws IOException, InterruptedException {
    forwardEvents(
        NO_LIMIT,
        length,
        event -> {
          exchange.pause(lag);
          exchange.write(event, event.length);
        });
  }

  /** Sends each event twice, followed by a stale bookmark. */
  void repeatEvents(Duration length) throws IOException, InterruptedException {
    runAsOpenWatch(() -> forwardEvents(NO_LIMIT, length, this::writeTwice));
  }

  private void writeTwice(byte[] event) throws IOException {
    JsonObject parsed = JsonParser.parseString(decode(event)).getAsJsonObject();
    exchange.write(event, event.length);
    exchange.write(event, event.length);
    String version = JsonBodies.textAt(parsed, "object", "metadata", "resourceVersion");
    boolean isBookmark = JsonBodies.textAt(parsed, "type").equals("BOOKMARK");
    if (firstVersion.isEmpty()) {
      firstVersion = version;
    } else if (isBookmark || !exchange.request().isStreamingList()) {
      insert(ProxyStatuses.encodeEvent("BOOKMARK", staleBookmark(parsed, firstVersion)));
    }
  }

  private static String decode(byte[] event) {
    return new String(event, StandardCharsets.UTF_8);
  }

  private static JsonObject staleBookmark(JsonObject event, String version) {
    JsonObject metadata = new JsonObject();
    metadata.addProperty("resourceVersion", version);
    JsonObject object = new JsonObject();
    object.add("kind", event.getAsJsonObject("object").get("kind"));
    object.add("apiVersion", event.getAsJsonObject("object").get("apiVersion"));
    object.add("metadata", metadata);
    return object;
  }

  /** Inserts an event of the proxy. */
  void insert(byte[] event) throws IOException {
    exchange.write(event, event.length);
  }

  /** A stage of a fault. */
  private interface StreamTask {
    void run() throws IOException, InterruptedException;
  }

  /** Counts the watch as open while the task runs. */
  private void runAsOpenWatch(StreamTask task) throws IOException, InterruptedException {
    String path = exchange.request().path();
    exchange.watches().countOpened(path);
    try {
      task.run();
    } finally {
      exchange.watches().countClosed(path);
    }
  }

  private void forwardEvents(int events, Duration latest, EventForwarder forwarder)
      throws IOException, InterruptedException {
    remainingEvents = events;
    if (events > 0) {
      Thread.ofVirtual().start(() -> readEvents(forwarder));
      streamEnd.await(latest.toNanos(), TimeUnit.NANOSECONDS);
    }
    if (exchange.isFaultFree()) {
      streamEnd.await();
      exchange.endBody();
      throw new EOFException("faults have ended");
    }
    synchronized (this) {
      isForwarding = false;
    }
  }

  private void readEvents(EventForwarder forwarder) {
    try {
      for (byte[] event = readEvent(); event.length > 0; event = readEvent()) {
        synchronized (this) {
          if (!isForwarding) {
            continue;
          }
          forwarder.forward(event);
          remainingEvents--;
          if (remainingEvents == 0 && !exchange.isFaultFree()) {
            isForwarding = false;
            streamEnd.countDown();
          }
        }
      }
    } catch (IOException broken) {
      // interrupted by the fault or by one of the two sides
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      streamEnd.countDown();
    }
  }

  /** Returns the next event with its framing; empty at the end. */
  private byte[] readEvent() throws IOException {
    InputStream in = response.body();
    if (isJson) {
      ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
      for (int character = in.read(); character >= 0; character = in.read()) {
        line.write(character);
        if (character == '\n') {
          break;
        }
      }
      return line.toByteArray();
    }
    byte[] length = in.readNBytes(4);
    if (length.length < 4) {
      return length;
    }
    byte[] event = in.readNBytes(ByteBuffer.wrap(length).getInt());
    return ByteBuffer.allocate(4 + event.length).put(length).put(event).array();
  }

  @Override
  public void close() throws IOException {
    exchange.abandon();
  }
}
