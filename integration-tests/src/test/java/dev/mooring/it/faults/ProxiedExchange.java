package dev.mooring.it.faults;

import com.google.gson.JsonObject;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A request and its response on their way through the proxy. */
public final class ProxiedExchange {
  private static final int BUFFER = 1 << 16;

  private final ProxiedWatches watches;
  private final Faults faults;
  private final ProxyTokens tokens;
  private final WatchSilence silence;
  private final Consumer<String> diary;
  private final LateRequests late;
  private final ProxiedRequest request;
  private final ProxyLink link;
  private final Socket client;
  private final OutputStream out;
  private final CountDownLatch disconnected = new CountDownLatch(1);
  private volatile boolean ended;

  ProxiedExchange(FaultProxy proxy, ProxiedRequest request, ProxyLink link, Socket client)
      throws IOException {
    this.watches = proxy.watches();
    this.faults = proxy.faults();
    this.tokens = proxy.tokens();
    this.silence = proxy.silence();
    this.diary = proxy::say;
    this.late = proxy::deliver;
    this.request = request;
    this.link = link;
    this.client = client;
    this.out = new BufferedOutputStream(client.getOutputStream(), BUFFER);
  }

  public ProxiedRequest request() {
    return request;
  }

  ProxiedWatches watches() {
    return watches;
  }

  /** Returns whether no further fault may be injected. */
  boolean isFaultFree() {
    return faults.isOver();
  }

  /** Invalidates the token that clients present. */
  void revoke(Duration late) {
    tokens.revoke(late);
  }

  /** Returns whether the response is complete, so that another request may follow. */
  boolean isEnded() {
    return ended;
  }

  /** Forwards the exchange without a fault. */
  void forward() throws IOException, InterruptedException {
    ProxyLink.Answer answer = link.ask(request);
    if (answer.head().status() >= 400) {
      diary.accept("answered " + answer.head().status() + ": " + request);
    }
    begin(answer.head());
    boolean watched = request.isWatch() && answer.head().status() == 200;
    if (watched) {
      watches.opened(request.path());
    }
    try {
      copy(answer);
      end();
    } finally {
      if (watched) {
        watches.closed(request.path());
      }
    }
  }

  private void copy(ProxyLink.Answer answer) throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER];
    int count = answer.body().read(buffer);
    while (count >= 0 && !isMute()) {
      write(buffer, count);
      count = answer.body().read(buffer);
    }
    if (isMute()) {
      abandon();
      disconnected.await(); // or the end of the silence, which cuts the connection
      throw new EOFException("muted watch");
    }
    link.done(answer);
  }

  private boolean isMute() {
    return request.isWatch() && silence.withholds(this);
  }

  /** Sends a request to the server without forwarding the response. */
  ProxyLink.Answer ask(ProxiedRequest changed) throws IOException {
    return link.ask(changed);
  }

  /** Receives requests that arrive late. */
  @FunctionalInterface
  interface LateRequests {
    void deliver(ProxiedRequest request) throws IOException, InterruptedException;
  }

  /** Delivers the request to the server after the delay, even if the client has disconnected. */
  void deliverLate(Duration by) throws IOException, InterruptedException {
    new CountDownLatch(1).await(by.toNanos(), TimeUnit.NANOSECONDS);
    late.deliver(request);
  }

  /** Sends the response head to the client; a chunked body follows. */
  void begin(HttpHead head) throws IOException {
    HttpHead sent = head.endToEnd();
    boolean without = head.status() == 204 || head.status() == 304;
    (without ? sent : sent.with("transfer-encoding", "chunked")).write(out);
    out.flush();
    ended = without;
  }

  void write(byte[] bytes, int count) throws IOException {
    if (count > 0 && !ended) {
      out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(bytes, 0, count);
      out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  void end() throws IOException {
    if (!ended) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      ended = true;
    }
  }

  /** Sends a response of the proxy itself. */
  void answer(int status, JsonObject body, Map<String, String> more) throws IOException {
    HttpHead head =
        new HttpHead(
            "HTTP/1.1 " + status + " Fault",
            List.of(Map.entry("content-type", "application/json")));
    for (Map.Entry<String, String> field : more.entrySet()) {
      head = head.with(field.getKey(), field.getValue());
    }
    begin(head);
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    write(bytes, bytes.length);
    end();
  }

  void disconnected() {
    disconnected.countDown();
    try {
      cut();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Waits until the time is over or the client disconnects. */
  void pause(Duration time) throws IOException, InterruptedException {
    if (disconnected.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new EOFException("the client has gone");
    }
  }

  void done(ProxyLink.Answer answer) throws IOException {
    link.done(answer);
  }

  /** Discards the server's response. */
  void abandon() throws IOException {
    link.close();
  }

  /** Cuts the connections on both sides. */
  void cut() throws IOException {
    client.close();
    link.close();
  }
}
