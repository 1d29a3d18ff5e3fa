package dev.mooring.apiserver.wire;

import static java.net.http.HttpClient.Version.HTTP_1_1;
import static java.net.http.HttpClient.Version.HTTP_2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.apiserver.tls.CertificateAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WireListenerTest {
  private static final int CHUNK_BYTES = 10_000;
  private static final int LARGE_BODY_BYTES =
      40_000_000; // more than any window, buffer or socket holds

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicReference<Thread> writer = new AtomicReference<>();
  private final CountDownLatch connectionClosed = new CountDownLatch(1);
  private CertificateAuthority authority;
  private WireListener server;

  @BeforeEach
  void start() throws Exception {
    authority = new CertificateAuthority();
    server = listen(0);
    server.start(this::serve, threads);
  }

  private WireListener listen(int port) throws Exception {
    return new WireListener(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), authority.server());
  }

  @AfterEach
  void stop() {
    server.close();
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    switch (exchange.getRequestURI().getRawPath()) {
      case "/echo" -> {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("Warning", "one");
        exchange.getResponseHeaders().add("Warning", "two");
        exchange.getResponseHeaders().set("X-Asked", exchange.getRequestHeaders().getFirst("X-A"));
        exchange.sendResponseHeaders(201, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
          exchange.getResponseBody().write(body);
        }
      }
      case "/writeLargeBody" -> writeLargeBody(exchange);
      case "/sendManyMessages" -> sendManyMessages(exchange);
      case "/waitForClientToClose" -> waitForClientToClose(exchange);
      default -> {} // the exchange ends without an answer
    }
  }

  private void sendManyMessages(HttpExchange exchange) throws IOException {
    writer.set(Thread.currentThread());
    exchange.sendResponseHeaders(101, 0);
    writeChunks(exchange);
  }

  private void writeLargeBody(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    writeChunks(exchange);
  }

  private void writeChunks(HttpExchange exchange) throws IOException {
    try (OutputStream out = exchange.getResponseBody()) {
      for (long sentBytes = 0; sentBytes < LARGE_BODY_BYTES; sentBytes += CHUNK_BYTES) {
        out.write(new byte[CHUNK_BYTES]);
        writtenBytes.addAndGet(CHUNK_BYTES);
      }
    } catch (IOException closed) {
      connectionClosed.countDown();
      throw closed;
    }
  }

  /** Behaves like a watch without events. */
  private void waitForClientToClose(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(0);
      while (connectionClosed.getCount() > 0) {
        out.flush();
        Thread.onSpinWait();
      }
    } catch (IOException closed) {
      connectionClosed.countDown();
      throw closed;
    }
  }

  private HttpClient client(HttpClient.Version version) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(authority.pem().getBytes(StandardCharsets.US_ASCII))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().version(version).sslContext(context).build();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  private static HttpRequest.BodyPublisher bytes(int number) {
    return HttpRequest.BodyPublishers.ofByteArray(new byte[number]);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void exchange_bodyUpToLimit_arrivesComplete(HttpClient.Version version) throws Exception {
    try (HttpClient client = client(version)) {
      for (int length : new int[] {1, 0, 100_000, WireListener.MAX_BODY, 1}) {
        HttpResponse<byte[]> answer =
            client.send(
                to("/echo?x=%2F").header("X-A", "b").method("PATCH", bytes(length)).build(),
                HttpResponse.BodyHandlers.ofByteArray());

        assertThat(answer.version()).isEqualTo(version);
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).hasSize(length);
        assertThat(answer.headers().allValues("warning")).containsExactly("one", "two");
        assertThat(answer.headers().firstValue("x-asked")).contains("b");
      }
    }
  }

  /**
   * A client that does not read must block neither other requests of its connection nor fill
   * memory.
   */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void largeAnswer_clientDoesNotRead_blocksNoOtherRequest(HttpClient.Version version)
      throws Exception {
    try (HttpClient client = client(version)) {
      HttpResponse<InputStream> largeAnswer =
          client.send(to("/writeLargeBody").build(), HttpResponse.BodyHandlers.ofInputStream());
      // until the buffers are full
      AtomicLong lastWrittenBytes = new AtomicLong();
      await()
          .pollInterval(Duration.ofMillis(500))
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              lastWrittenBytes.getAndSet(writtenBytes.get()) == writtenBytes.get()
                  && writtenBytes.get() > 0);
      assertThat(writtenBytes.get()).isBetween(1L, LARGE_BODY_BYTES - 1L);

      assertThat(
              client
                  .send(
                      to("/echo").header("X-A", "b").POST(bytes(5)).build(),
                      HttpResponse.BodyHandlers.ofByteArray())
                  .body())
          .hasSize(5);
      assertThat(largeAnswer.body().readAllBytes()).hasSize(LARGE_BODY_BYTES);
    }
  }

  /** Reads nothing before it is allowed to. */
  private static final class SlowReader implements WebSocket.Listener {
    private final AtomicLong receivedBytes = new AtomicLong();
    private final CompletableFuture<Integer> closeCode = new CompletableFuture<>();

    @Override
    public void onOpen(WebSocket socket) {}

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      receivedBytes.addAndGet(data.remaining());
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closeCode.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      closeCode.completeExceptionally(error);
    }
  }

  @Test
  void webSocket_clientDoesNotRead_writerWaits() throws Exception {
    try (HttpClient client = client(HTTP_1_1)) {
      SlowReader reader = new SlowReader();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create("wss://127.0.0.1:" + server.port() + "/sendManyMessages"), reader)
              .get(20, TimeUnit.SECONDS);
      // a writer that does not wait ends instead
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> writtenBytes.get() > 0 && writer.get().getState() == Thread.State.WAITING);
      assertThat(writtenBytes.get()).isLessThan(LARGE_BODY_BYTES);

      socket.request(Long.MAX_VALUE);
      assertThat(reader.closeCode.get(20, TimeUnit.SECONDS)).isEqualTo(1000);
      assertThat(reader.receivedBytes).hasValue(LARGE_BODY_BYTES);
    }
  }

  /** The writing thread must not wait forever. */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void write_clientHasClosed_fails(HttpClient.Version version) throws Exception {
    HttpClient client = client(version);
    HttpResponse<InputStream> answer =
        client.send(to("/writeLargeBody").build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.body().read()).isZero();

    answer.body().close();
    client.shutdownNow();

    assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void flush_clientHasClosed_fails() throws Exception {
    HttpClient client = client(HTTP_2);
    HttpResponse<InputStream> answer =
        client.send(to("/waitForClientToClose").build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.body().read()).isZero();

    answer.body().close();
    client.shutdownNow();

    assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void exchange_handlerSendsNoAnswer_failsImmediately(HttpClient.Version version) throws Exception {
    try (HttpClient client = client(version)) {
      HttpRequest request = to("/nothing").POST(bytes(1)).build();
      assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("timed out");
    }
  }

  @Test
  void body_longerThanLimit_isTruncatedOrRefused() throws Exception {
    try (HttpClient client = client(HTTP_2)) {
      HttpResponse<byte[]> answer =
          client.send(
              to("/echo").header("X-A", "b").POST(bytes(2 * WireListener.MAX_BODY)).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.body().length).isGreaterThan(WireListener.MAX_BODY);
      assertThat(answer.body().length).isLessThan(2 * WireListener.MAX_BODY);
    }
    try (HttpClient client = client(HTTP_1_1)) {
      assertThat(
              client
                  .send(
                      to("/echo").POST(bytes(2 * WireListener.MAX_BODY)).build(),
                      HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(413);
    }
  }

  /** Sends the text over TLS and returns everything until the server closes the connection. */
  private String exchangeText(String text) throws Exception {
    try (HttpClient client = client(HTTP_1_1);
        Socket socket =
            client
                .sslContext()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /echo?x=a|b HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
        "POST /echo HTTP/1.1\r\nX-A: a\r\n bad header\u0001: x\r\nContent-Length: 3\r\n\r\nabc",
        "nothing of the kind\r\n\r\n"
      })
  void request_malformed_isRefusedAndConnectionCloses(String request) throws Exception {
    assertThat(exchangeText(request)).startsWith("HTTP/1.1 400 ").contains("connection: close");
  }

  @Test
  void requests_pipelined_areAnsweredInOrder() throws Exception {
    String request = "POST /echo HTTP/1.1\r\nX-A: %s\r\nContent-Length: 1\r\n%s\r\n%s";
    String answers =
        exchangeText(
            request.formatted("a", "", "1")
                + request.formatted("b", "", "2")
                + request.formatted("c", "Connection: close\r\n", "3"));

    assertThat(answers)
        .containsSubsequence("X-asked: a", "\n1", "X-asked: b", "\n2", "X-asked: c", "\n3");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void headers_longWithinLimit_areAccepted(HttpClient.Version version) throws Exception {
    try (HttpClient client = client(version)) {
      assertThat(
              client
                  .send(
                      to("/echo?" + "x".repeat(100_000)).header("X-A", "b".repeat(100_000)).build(),
                      HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void bind_portInUse_fails() {
    assertThatThrownBy(() -> listen(server.port())).isInstanceOf(BindException.class);
  }

  @Test
  void close_listening_freesPort() throws Exception {
    int port = server.port();
    server.close();

    listen(port).close();
  }
}
