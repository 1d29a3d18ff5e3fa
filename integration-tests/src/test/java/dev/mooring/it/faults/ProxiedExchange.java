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
  private final Consumer<String> log;
  private final LateRequests lateRequests;
  private final ProxiedRequest request;
  private final ProxyLink link;
  private final Socket client;
  private final OutputStream out;
  private final CountDownLatch clientGone = new CountDownLatch(1);
  private volatile boolean isResponseComplete;

  ProxiedExchange(FaultProxy proxy, ProxiedRequest request, ProxyLink link, Socket client)
      throws IOException {
    this.watches = proxy.watches();
    this.faults = proxy.faults();
    this.tokens = proxy.tokens();
    this.silence = proxy.silence();
    this.log = proxy::addLogLine;
    this.lateRequests = proxy::deliverLate;
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
  void revokeToken(Duration fileDelay) {
    tokens.revokeToken(fileDelay);
  }

  /** Returns whether the response is complete, so that another request may follow. */
  boolean isEnded() {
    return isResponseComplete;
  }

  /** Forwards the exchange without a fault. */
  void forward() throws IOException, InterruptedException {
    ProxyLink.Response response = link.send(request);
    if (response.head().status() >= 400) {
      log.accept("answered " + response.head().status() + ": " + request);
    }
    sendHead(response.head());
    boolean isWatchOpen = request.isWatch() && response.head().status() == 200;
    if (isWatchOpen) {
      watches.countOpened(request.path());
    }
    try {
      copyBody(response);
      endBody();
    } finally {
      if (isWatchOpen) {
        watches.countClosed(request.path());
      }
    }
  }

  private void copyBody(ProxyLink.Response response) throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER];
    int count = response.body().read(buffer);
    while (count >= 0 && !isMute()) {
      write(buffer, count);
      count = response.body().read(buffer);
    }
    if (isMute()) {
      abandon();
      clientGone.await(); // or the end of the silence, which cuts the connection
      throw new EOFException("muted watch");
    }
    link.finish(response);
  }

  private boolean isMute() {
    return request.isWatch() && silence.isSilenced(this);
  }

  /** Sends a request to the server without forwarding the response. */
  ProxyLink.Response send(ProxiedRequest requestToSend) throws IOException {
    return link.send(requestToSend);
  }

  /** Receives requests that arrive late. */
  @FunctionalInterface
  interface LateRequests {
    void deliver(ProxiedRequest request) throws IOException, InterruptedException;
  }

  /** Delivers the request to the server after the delay, even if the client has disconnected. */
  void deliverAfter(Duration delay) throws IOException, InterruptedException {
    new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
    lateRequests.deliver(request);
  }

  /** Sends the response head to the client; a chunked body follows. */
  void sendHead(HttpHead head) throws IOException {
    HttpHead endToEndHead = head.withoutHopByHop();
    boolean isBodiless = head.status() == 204 || head.status() == 304;
    (isBodiless ? endToEndHead : endToEndHead.with("transfer-encoding", "chunked")).write(out);
    out.flush();
    isResponseComplete = isBodiless;
  }

  void write(byte[] bytes, int count) throws IOException {
    if (count > 0 && !isResponseComplete) {
      out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(bytes, 0, count);
      out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  void endBody() throws IOException {
    if (!isResponseComplete) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      isResponseComplete = true;
    }
  }

  /** Sends a response of the proxy itself. */
  void sendResponse(int status, JsonObject body, Map<String, String> headerFields)
      throws IOException {
    HttpHead head =
        new HttpHead(
            "HTTP/1.1 " + status + " Fault",
            List.of(Map.entry("content-type", "application/json")));
    for (Map.Entry<String, String> field : headerFields.entrySet()) {
      head = head.with(field.getKey(), field.getValue());
    }
    sendHead(head);
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    write(bytes, bytes.length);
    endBody();
  }

  void clientDisconnected() {
    clientGone.countDown();
    try {
      cutConnections();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Waits for the duration; throws an exception if the client disconnects. */
  void pause(Duration duration) throws IOException, InterruptedException {
    if (clientGone.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new EOFException("the client has gone");
    }
  }

  void finish(ProxyLink.Response response) throws IOException {
    link.finish(response);
  }

  /** Discards the server's response. */
  void abandon() throws IOException {
    link.close();
  }

  /** Cuts the connections on both sides. */
  void cutConnections() throws IOException {
    client.close();
    link.close();
  }
}
