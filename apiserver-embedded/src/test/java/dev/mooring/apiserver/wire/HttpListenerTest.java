package dev.mooring.apiserver.wire;

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
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpListenerTest {
  /** Without the second JIT compiler, AES-GCM takes three times as long. */
  private static final String FASTEST_CIPHER = "TLS_CHACHA20_POLY1305_SHA256";

  private static final int CHUNK_BYTES = 10_000;
  private static final int LARGE_BODY_BYTES =
      24_000_000; // more than any window, buffer or socket can contain

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicReference<Thread> writer = new AtomicReference<>();
  private final CountDownLatch connectionClosed = new CountDownLatch(1);
  private static CertificateAuthority authority;
  private static SSLContext serverContext;
  private HttpListener plainServer;
  private HttpListener tlsServer;

  private enum Protocol {
    HTTP_1_1(false, HttpClient.Version.HTTP_1_1),
    HTTPS_1_1(true, HttpClient.Version.HTTP_1_1),
    HTTPS_2(true, HttpClient.Version.HTTP_2);

    private final boolean isTls;
    private final HttpClient.Version version;

    Protocol(boolean isTls, HttpClient.Version version) {
      this.isTls = isTls;
      this.version = version;
    }
  }

  @BeforeAll
  static void createAuthority() throws Exception {
    authority = new CertificateAuthority();
    serverContext = authority.server();
  }

  @BeforeEach
  void start() throws Exception {
    plainServer = listen(false, 0);
    tlsServer = listen(true, 0);
    plainServer.start(this::serve, threads);
    tlsServer.start(this::serve, threads);
  }

  private HttpListener listen(boolean isTls, int port) throws Exception {
    return HttpListener.bind(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        isTls ? serverContext : null);
  }

  private HttpListener server(boolean isTls) {
    return isTls ? tlsServer : plainServer;
  }

  @AfterEach
  void stop() {
    plainServer.close();
    tlsServer.close();
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
      case "/stream" -> {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("one".getBytes(StandardCharsets.US_ASCII));
        exchange.getResponseBody().write("two".getBytes(StandardCharsets.US_ASCII));
      }
      case "/waitForWebSocketToClose" -> {
        exchange.sendResponseHeaders(101, 0);
        awaitClose(exchange.getResponseBody());
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
    exchange.getResponseBody().write(0);
    awaitClose(exchange.getResponseBody());
  }

  private void awaitClose(OutputStream body) throws IOException {
    try (OutputStream out = body) {
      while (connectionClosed.getCount() > 0) {
        out.flush();
        Thread.onSpinWait();
      }
    } catch (IOException closed) {
      connectionClosed.countDown();
      throw closed;
    }
  }

  private HttpClient client(Protocol protocol) throws Exception {
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
    SSLParameters parameters =
        new SSLParameters(new String[] {FASTEST_CIPHER}, new String[] {"TLSv1.3"});
    return HttpClient.newBuilder()
        .version(protocol.version)
        .sslContext(context)
        .sslParameters(parameters)
        .build();
  }

  private URI makeUri(String scheme, boolean isTls, String path) {
    return URI.create(scheme + (isTls ? "s" : "") + "://127.0.0.1:" + server(isTls).port() + path);
  }

  private HttpRequest.Builder to(Protocol protocol, String path) {
    return HttpRequest.newBuilder(makeUri("http", protocol.isTls, path))
        .timeout(Duration.ofSeconds(20));
  }

  private static HttpRequest.BodyPublisher bytes(int number) {
    return HttpRequest.BodyPublishers.ofByteArray(new byte[number]);
  }

  @ParameterizedTest
  @EnumSource
  void exchange_bodyUpToLimit_arrivesComplete(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      for (int length : new int[] {1, 0, 100_000, HttpListener.MAX_BODY, 1}) {
        HttpResponse<byte[]> answer =
            client.send(
                to(protocol, "/echo?x=%2F")
                    .header("X-A", "b")
                    .method("PATCH", bytes(length))
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());

        assertThat(answer.version()).isEqualTo(protocol.version);
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
  @EnumSource
  void largeAnswer_clientDoesNotRead_blocksNoOtherRequest(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      HttpResponse<InputStream> largeAnswer =
          client.send(
              to(protocol, "/writeLargeBody").build(), HttpResponse.BodyHandlers.ofInputStream());
      // until the buffers are full
      AtomicLong lastWrittenBytes = new AtomicLong();
      await()
          .pollInterval(Duration.ofMillis(200))
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              lastWrittenBytes.getAndSet(writtenBytes.get()) == writtenBytes.get()
                  && writtenBytes.get() > 0);
      assertThat(writtenBytes.get()).isBetween(1L, LARGE_BODY_BYTES - 1L);

      assertThat(
              client
                  .send(
                      to(protocol, "/echo").header("X-A", "b").POST(bytes(5)).build(),
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

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTPS_1_1"})
  void webSocket_clientDoesNotRead_writerWaits(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      SlowReader reader = new SlowReader();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(makeUri("ws", protocol.isTls, "/sendManyMessages"), reader)
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
  @EnumSource
  void write_clientHasClosed_fails(Protocol protocol) throws Exception {
    HttpClient client = client(protocol);
    HttpResponse<InputStream> answer =
        client.send(
            to(protocol, "/writeLargeBody").build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.body().read()).isZero();

    answer.body().close();
    client.shutdownNow();

    assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void flush_clientHasClosed_fails(Protocol protocol) throws Exception {
    HttpClient client = client(protocol);
    HttpResponse<InputStream> answer =
        client.send(
            to(protocol, "/waitForClientToClose").build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.body().read()).isZero();

    answer.body().close();
    client.shutdownNow();

    assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void exchange_handlerSendsNoAnswer_failsImmediately(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      HttpRequest request = to(protocol, "/nothing").POST(bytes(1)).build();
      assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("timed out");
    }
  }

  @Test
  void body_longerThanLimitOverHttp2_isTruncated() throws Exception {
    try (HttpClient client = client(Protocol.HTTPS_2)) {
      HttpResponse<byte[]> answer =
          client.send(
              to(Protocol.HTTPS_2, "/echo")
                  .header("X-A", "b")
                  .POST(bytes(2 * HttpListener.MAX_BODY))
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.body().length).isGreaterThan(HttpListener.MAX_BODY);
      assertThat(answer.body().length).isLessThan(2 * HttpListener.MAX_BODY);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, false, false",
    "HTTP_1_1, true, false",
    "HTTP_1_1, false, true",
    "HTTPS_1_1, false, false",
  })
  void body_longerThanLimitOverHttp1_isRefused(
      Protocol protocol, boolean isConfirmationExpected, boolean isChunked) throws Exception {
    HttpRequest.BodyPublisher body = bytes(2 * HttpListener.MAX_BODY);
    try (HttpClient client = client(protocol)) {
      HttpRequest request =
          to(protocol, "/echo")
              .expectContinue(isConfirmationExpected)
              .POST(isChunked ? HttpRequest.BodyPublishers.fromPublisher(body) : body)
              .build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(413);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTPS_1_1"})
  void body_chunkedAfterConfirmation_arrivesComplete(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      HttpRequest request =
          to(protocol, "/echo")
              .header("X-A", "b")
              .expectContinue(true)
              .POST(HttpRequest.BodyPublishers.fromPublisher(bytes(100_000)))
              .build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body())
          .hasSize(100_000);
    }
  }

  /** Sends the text and returns everything until the server closes the connection. */
  private String exchangeText(Protocol protocol, String text) throws Exception {
    try (HttpClient client = client(protocol);
        Socket socket =
            (protocol.isTls ? client.sslContext().getSocketFactory() : SocketFactory.getDefault())
                .createSocket(InetAddress.getLoopbackAddress(), server(protocol.isTls).port())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /echo?x=a|b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /echo HTTP/2.0\r\nHost: x\r\n\r\n",
        "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
        "POST /echo HTTP/1.1\r\nX-A: a\r\n bad header\u0001: x\r\nContent-Length: 3\r\n\r\nabc",
        "GET /echo HTTP/1.1\r\nX-A: a\rb\r\n\r\n",
        "POST /echo HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
        "POST /echo HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "POST /echo HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
        "nothing of the kind\r\n\r\n"
      })
  void request_malformed_isRefusedAndConnectionCloses(String request) throws Exception {
    assertThat(exchangeText(Protocol.HTTP_1_1, request))
        .startsWith("HTTP/1.1 400 ")
        .contains("connection: close");
    assertThat(exchangeText(Protocol.HTTPS_1_1, request))
        .startsWith("HTTP/1.1 400 ")
        .contains("connection: close");
  }

  @Test
  void answer_ofUnknownLengthToHttp10_endsWithConnection() throws Exception {
    assertThat(exchangeText(Protocol.HTTP_1_1, "GET /stream HTTP/1.0\r\n\r\n"))
        .doesNotContain("chunked")
        .endsWith("\r\n\r\nonetwo");
  }

  /**
   * Sends frames of the given bytes, with the mask 0, and returns what the server sends after the
   * handshake until it closes the connection.
   */
  private byte[] exchangeFrames(byte[] frames) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), plainServer.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /waitForWebSocketToClose HTTP/1.1\r\nSec-WebSocket-Key: x\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(frames);
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return answer.substring(answer.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private enum ClientFrames {
    CLOSE(
        "88 80 00000000", // the client closes
        "88 02 03e8"),
    PING_AND_CLOSE(
        "89 82 01020304 6163 88 80 00000000", // the mask changes ac to 0x60, 0x61
        "8a 02 6061 88 02 03e8"),
    MESSAGE_AND_CLOSE("81 82 00000000 6163 88 80 00000000", "88 02 03e8"),
    LONG_MESSAGE_AND_CLOSE(
        "82 fe 0080 00000000" + "00".repeat(128) + "88 80 00000000", "88 02 03e8"),
    UNMASKED("81 01 61", "88 02 03ea"),
    LONG_CONTROL("89 fe 0080", "88 02 03ea"),
    TOO_BIG("82 ff 0000000000010001", "88 02 03f1"),
    NEGATIVE_LENGTH("82 ff ffffffffffffffff", "88 02 03f1");

    private final byte[] sent;
    private final byte[] received;

    ClientFrames(String sent, String received) {
      this.sent = HexFormat.of().parseHex(sent.replace(" ", ""));
      this.received = HexFormat.of().parseHex(received.replace(" ", ""));
    }
  }

  @ParameterizedTest
  @EnumSource
  void webSocket_clientSendsFrames_serverAnswersAndCloses(ClientFrames frames) throws Exception {
    assertThat(exchangeFrames(frames.sent)).isEqualTo(frames.received);
    assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTPS_1_1"})
  void requests_pipelined_areAnsweredInOrder(Protocol protocol) throws Exception {
    String request = "POST /echo HTTP/1.1\r\nX-A: %s\r\nContent-Length: 1\r\n%s\r\n%s";
    String answers =
        exchangeText(
            protocol,
            request.formatted("a", "", "1")
                + request.formatted("b", "", "2")
                + request.formatted("c", "Connection: close\r\n", "3"));

    assertThat(answers)
        .containsSubsequence("X-asked: a", "\n1", "X-asked: b", "\n2", "X-asked: c", "\n3");
  }

  @ParameterizedTest
  @EnumSource
  void headers_longWithinLimit_areAccepted(Protocol protocol) throws Exception {
    try (HttpClient client = client(protocol)) {
      assertThat(
              client
                  .send(
                      to(protocol, "/echo?" + "x".repeat(100_000))
                          .header("X-A", "b".repeat(100_000))
                          .build(),
                      HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bind_portInUse_fails(boolean isTls) {
    assertThatThrownBy(() -> listen(isTls, server(isTls).port())).isInstanceOf(BindException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_listening_freesPort(boolean isTls) throws Exception {
    int port = server(isTls).port();
    server(isTls).close();

    listen(isTls, port).close();
  }
}
