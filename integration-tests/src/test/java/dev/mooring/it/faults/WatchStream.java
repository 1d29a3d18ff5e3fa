package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.faults.WatchFault.When;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A watch that a thread of its own forwards event by event. */
final class WatchStream implements AutoCloseable {
  /** The encoding in which the proxy can insert events. */
  static final String JSON = "application/json";

  private static final int WHOLE = Integer.MAX_VALUE;

  private interface EventForwarder {
    void pass(byte[] event) throws IOException, InterruptedException;
  }

  private final ProxiedExchange exchange;
  private final ProxyLink.Answer answer;
  private final boolean json;
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean passing = true;
  private int left;
  private String firstVersion = "";

  private WatchStream(ProxiedExchange exchange, ProxyLink.Answer answer) {
    this.exchange = exchange;
    this.answer = answer;
    this.json = !answer.head().value("content-type").contains("protobuf");
  }

  /** Opens the requested stream, in encoding {@code type} unless that is "". */
  static WatchStream of(ProxiedExchange exchange, String type) throws IOException {
    ProxiedRequest request = exchange.request();
    ProxyLink.Answer answer = exchange.ask(type.isEmpty() ? request : request.accepting(type));
    exchange.begin(answer.head());
    return new WatchStream(exchange, answer);
  }

  /** Forwards events until {@code when} is reached, then nothing. */
  void pass(When when) throws IOException, InterruptedException {
    well(() -> pump(when.events(), when.latest(), event -> exchange.write(event, event.length)));
  }

  /** Delays each event by {@code lag}. */
  void lag(Duration lag, Duration length) throws IOException, InterruptedException {
    pump(
        WHOLE,
        length,
        event -> {
          exchange.pause(lag);
          exchange.write(event, event.length);
        });
  }

  /** Sends each event twice, followed by a stale bookmark. */
  void repeat(Duration length) throws IOException, InterruptedException {
    well(() -> pump(WHOLE, length, this::twice));
  }

  private void twice(byte[] event) throws IOException {
    JsonObject parsed = JsonParser.parseString(text(event)).getAsJsonObject();
    exchange.write(event, event.length);
    exchange.write(event, event.length);
    String version = JsonBodies.textAt(parsed, "object", "metadata", "resourceVersion");
    boolean bookmark = JsonBodies.textAt(parsed, "type").equals("BOOKMARK");
    if (firstVersion.isEmpty()) {
      firstVersion = version;
    } else if (bookmark || !exchange.request().isStreamingList()) {
      insert(ProxyStatuses.event("BOOKMARK", bookmark(parsed, firstVersion)));
    }
  }

  private static String text(byte[] event) {
    return new String(event, StandardCharsets.UTF_8);
  }

  private static JsonObject bookmark(JsonObject like, String version) {
    JsonObject metadata = new JsonObject();
    metadata.addProperty("resourceVersion", version);
    JsonObject object = new JsonObject();
    object.add("kind", like.getAsJsonObject("object").get("kind"));
    object.add("apiVersion", like.getAsJsonObject("object").get("apiVersion"));
    object.add("metadata", metadata);
    return object;
  }

  /** Inserts an event of the proxy. */
  void insert(byte[] event) throws IOException {
    exchange.write(event, event.length);
  }

  /** A stage of a fault. */
  private interface Stage {
    void play() throws IOException, InterruptedException;
  }

  /** Forwards the watch unchanged while the part runs. */
  private void well(Stage part) throws IOException, InterruptedException {
    String path = exchange.request().path();
    exchange.watches().opened(path);
    try {
      part.play();
    } finally {
      exchange.watches().closed(path);
    }
  }

  private void pump(int events, Duration latest, EventForwarder way)
      throws IOException, InterruptedException {
    left = events;
    if (events > 0) {
      Thread.ofVirtual().start(() -> read(way));
      over.await(latest.toNanos(), TimeUnit.NANOSECONDS);
    }
    if (exchange.isFaultFree()) {
      over.await();
      exchange.end();
      throw new EOFException("faults have ended");
    }
    synchronized (this) {
      passing = false;
    }
  }

  private void read(EventForwarder way) {
    try {
      for (byte[] event = next(); event.length > 0; event = next()) {
        synchronized (this) {
          if (!passing) {
            continue;
          }
          way.pass(event);
          left--;
          if (left == 0 && !exchange.isFaultFree()) {
            passing = false;
            over.countDown();
          }
        }
      }
    } catch (IOException broken) {
      // interrupted by the fault or by one of the two sides
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      over.countDown();
    }
  }

  /** Returns the next event with its framing; empty at the end. */
  private byte[] next() throws IOException {
    InputStream in = answer.body();
    if (json) {
      ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
      for (int c = in.read(); c >= 0; c = in.read()) {
        line.write(c);
        if (c == '\n') {
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
