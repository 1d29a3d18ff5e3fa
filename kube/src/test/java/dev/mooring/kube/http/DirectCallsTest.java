package dev.mooring.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.TestWait;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.ConnectionSpec;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectCallsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
  private static final ApiRequest PATCH =
      new ApiRequest(
          "PATCH", "/api/x?a=b", Map.of("Accept", List.of("*/*")), "text/plain", bytes("change"));

  private final AtomicInteger timeouts = new AtomicInteger();
  private @Nullable ScriptedServer server;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private DirectCalls serve(ScriptedServer.Script script) throws IOException {
    server = new ScriptedServer(script);
    return new DirectCalls(new ServerSockets(server.url(), null), timeouts::incrementAndGet);
  }

  private static String call(DirectCalls calls) throws IOException {
    return call(calls, LONG);
  }

  private static String call(DirectCalls calls, Duration limit) throws IOException {
    try (ApiResponse response = calls.execute(PATCH, "Bearer t", limit)) {
      return response.code() + " " + response.readText();
    }
  }

  private static Future<String> callInBackground(DirectCalls calls) {
    return callInBackground(calls, LONG);
  }

  private static Future<String> callInBackground(DirectCalls calls, Duration limit) {
    CompletableFuture<String> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            result.complete(call(calls, limit));
          } catch (IOException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  @AfterEach
  void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void request_withBody_isSentWithItsHeaders() throws IOException {
    DirectCalls calls = serve((connection, request) -> OK);
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(server.requests())
        .containsExactly(
            """
            PATCH /api/x?a=b HTTP/1.1
            Host: 127.0.0.1:%d
            Authorization: Bearer t
            Accept: */*
            Accept-Encoding: gzip
            Content-Type: text/plain
            Content-Length: 6
            change\
            """
                .formatted(server.url().port()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "length               | HTTP/1.1 200 OK~Content-Length: 4~~body                                | 200 body",
        "chunks and trailers  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2;x=y~bo~02~dy~0~T: 1~~      | 200 body",
        "no body of a 204     | HTTP/1.1 204 No Content~~                                              | 204",
        "early informational  | HTTP/1.1 103 Early Hints~Link: x~~HTTP/1.1 200 OK~content-length:4~~body | 200 body",
        "lines without CR     | HTTP/1.1 200 OK\\nContent-Length: 4\\n\\nbody                           | 200 body",
        "no reason            | HTTP/1.1 404~Content-Length: 4~~gone                                    | 404 gone",
      })
  void response_completeBody_connectionIsReused(String id, String answer, String expected)
      throws IOException {
    DirectCalls calls = serve((connection, request) -> unescape(answer));
    assertThat(call(calls).strip()).isEqualTo(expected);
    assertThat(call(calls).strip()).isEqualTo(expected);
    assertThat(server.countConnections()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.0             | HTTP/1.0 200 OK~Content-Length: 4~~body",
        "close                | HTTP/1.1 200 OK~Connection: Close~Content-Length: 4~~body",
        "no length            | HTTP/1.1 200 OK~Connection: close~~bodyend",
        "more than the length | HTTP/1.1 200 OK~Content-Length: 4~~bodyHTTP/1.1 200 OK",
      })
  void response_endsConnection_nextCallOpensAnother(String id, String answer) throws IOException {
    DirectCalls calls = serve((connection, request) -> unescape(answer));
    assertThat(call(calls)).startsWith("200 body");
    assertThat(call(calls)).startsWith("200 body");
    assertThat(server.countConnections()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH~~",
        "HTTP/1.1 2x0 OK~~",
        "HTTP/1.1~~",
        "HTTP/1.1 200 OK~no colon~~",
        "HTTP/1.1 200 OK~: no name~~",
        "HTTP/1.1 200 OK~Content-Length: -1~~",
        "HTTP/1.1 200 OK~Content-Length: 4, 4~~body",
        "HTTP/1.1 200 OK~Transfer-Encoding: br~~",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~zz~",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~body~0~~",
      })
  void response_malformed_failsAndEndsConnection(String answer) throws IOException {
    DirectCalls calls = serve((connection, request) -> connection == 1 ? unescape(answer) : OK);
    assertThatThrownBy(() -> call(calls)).isInstanceOf(ProtocolException.class);
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(server.countConnections()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK~Content-Length: 9~~bodyend",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~9~bodyend",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~4~body~end",
        "HTTP/1.1 200 OK~Content-end",
      })
  void response_truncated_failsWithoutSecondRequest(String answer) throws IOException {
    DirectCalls calls = serve((connection, request) -> unescape(answer));
    assertThatThrownBy(() -> call(calls)).isInstanceOf(IOException.class);
    assertThat(server.requests()).hasSize(1);
  }

  private static String unescape(String answer) {
    return answer.replace("~", "\r\n").replace("\\n", "\n");
  }

  @Test
  void response_compressed_isDecompressed() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes("body"));
    }
    String head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ";
    DirectCalls calls =
        serve((connection, request) ->
            head
                + compressed.size()
                + "\r\n\r\n"
                + compressed.toString(StandardCharsets.ISO_8859_1));
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(server.countConnections()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1000, 1", "200000, 2"})
  void body_closedEarly_shortRestKeepsConnection(int length, int connections) throws IOException {
    String answer =
        "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length);
    DirectCalls calls = serve((connection, request) -> answer);
    for (int i = 0; i < 2; i++) {
      try (ApiResponse response = calls.execute(PATCH, "", LONG)) {
        assertThat(response.body().read()).isEqualTo('x');
      }
    }
    assertThat(server.countConnections()).isEqualTo(connections);
  }

  @Test
  void reusedConnection_closedByServer_requestIsSentOnNewConnection() throws IOException {
    DirectCalls calls =
        serve((connection, request) -> connection == 1 && request == 2 ? ScriptedServer.END : OK);
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(server.requests()).hasSize(3);
    assertThat(server.countConnections()).isEqualTo(2);
  }

  @Test
  void newConnection_closedByServer_callFails() throws IOException {
    DirectCalls calls = serve((connection, request) -> ScriptedServer.END);
    assertThatThrownBy(() -> call(calls)).isInstanceOf(EOFException.class);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void call_unanswered_endsAtLimitAndRetiresConnections() throws Exception {
    DirectCalls calls = serve((connection, request) -> request == 1 ? OK : ScriptedServer.SILENCE);
    assertThat(call(calls)).isEqualTo("200 body");
    assertThatThrownBy(() -> call(calls, Duration.ofMillis(50)))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(timeouts).hasValue(1);
    assertThat(call(calls)).as("on a new connection").isEqualTo("200 body");
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void call_bodyStops_endsAtLimit() throws Exception {
    DirectCalls calls =
        serve((connection, request) -> "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody");
    assertThatThrownBy(() -> call(calls, Duration.ofMillis(50)))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(timeouts).hasValue(1);
  }

  @Test
  void cancelAll_pendingCall_failsWithoutSecondRequest() throws Exception {
    DirectCalls calls = serve((connection, request) -> request == 1 ? OK : ScriptedServer.SILENCE);
    assertThat(call(calls)).isEqualTo("200 body");
    Future<String> pending = callInBackground(calls);
    TestWait.until("a pending request", () -> server.requests().size() == 2);
    calls.cancelAll();
    assertThatThrownBy(pending::get).isInstanceOf(ExecutionException.class);
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void abandonSilentCalls_pendingCall_isSentOnNewConnection() throws Exception {
    DirectCalls calls = serve((connection, request) -> request == 1 ? OK : ScriptedServer.SILENCE);
    assertThat(call(calls)).isEqualTo("200 body");
    Future<String> pending = callInBackground(calls);
    TestWait.until("a pending request", () -> server.requests().size() == 2);
    calls.abandonSilentCalls(Duration.ofHours(1));
    assertThat(pending.isDone()).isFalse();
    calls.abandonSilentCalls(Duration.ZERO);
    assertThat(pending.get()).isEqualTo("200 body");
  }

  @Test
  void pendingCalls_retiredConnections_areNotReused() throws Exception {
    DirectCalls calls = serve((connection, request) -> OK);
    try (ApiResponse response = calls.execute(PATCH, "", LONG)) {
      calls.retireConnections();
      assertThat(response.readText()).isEqualTo("body");
    }
    assertThat(call(calls)).isEqualTo("200 body");
    assertThat(server.countConnections()).isEqualTo(2);
  }

  @Test
  void concurrentCalls_manyUnanswered_eachHasConnection() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    DirectCalls calls = serve((connection, request) -> answer.join());
    List<Future<String>> pending = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pending.add(callInBackground(calls));
    }
    TestWait.until("all requests", () -> server.requests().size() == 20);
    answer.complete(OK);
    for (Future<String> call : pending) {
      assertThat(call.get()).isEqualTo("200 body");
    }
    assertThat(server.countConnections()).isEqualTo(20);
  }

  // Each handshake costs CPU: all waiting calls at once would keep each other waiting.
  @Test
  void concurrentCalls_handshakeHangs_openOneConnectionMorePerSecond() throws Exception {
    DirectCalls calls = serveHangingHandshakes();
    long startNanos = System.nanoTime();
    List<Future<String>> pending = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      pending.add(callInBackground(calls, LONG));
    }
    TestWait.until("a third connection", () -> server.countConnections() >= 3);
    long seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
    assertThat((long) server.countConnections()).isLessThanOrEqualTo(2 + seconds);
    server.close();
    for (Future<String> call : pending) {
      assertThatThrownBy(call::get).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void call_waitedForHalfOfItsLimit_opensConnection() throws Exception {
    DirectCalls calls = serveHangingHandshakes();
    Future<String> first = callInBackground(calls, LONG);
    TestWait.until("the first connection", () -> server.countConnections() == 1);
    Future<String> renewal = callInBackground(calls, Duration.ofMillis(1_500));
    assertThatThrownBy(renewal::get).hasCauseInstanceOf(IOException.class);
    assertThat(server.countConnections()).isEqualTo(2);
    server.close();
    assertThatThrownBy(first::get).hasCauseInstanceOf(IOException.class);
  }

  private DirectCalls serveHangingHandshakes() throws IOException {
    server = new ScriptedServer((connection, request) -> ScriptedServer.SILENCE);
    ServerSockets.TlsSettings tls =
        new ServerSockets.TlsSettings(
            (SSLSocketFactory) SSLSocketFactory.getDefault(),
            (host, session) -> true,
            ConnectionSpec.MODERN_TLS,
            new KeyExchangeGroups());
    return new DirectCalls(
        new ServerSockets(server.url().newBuilder().scheme("https").build(), tls),
        timeouts::incrementAndGet);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nHost: b", "a\nb", "\u0000", "gr\u00fcn"})
  void authorization_forbiddenCharacter_nothingIsSent(String authorization) throws IOException {
    DirectCalls calls = serve((connection, request) -> OK);
    assertThatThrownBy(() -> calls.execute(PATCH, authorization, LONG))
        .hasMessageContaining("the header Authorization has a character that HTTP does not allow")
        .hasMessageNotContaining(authorization);
    assertThat(server.countConnections()).isZero();
  }

  @Test
  void connections_smallRequests_areSentWithoutDelay() throws IOException {
    serve((connection, request) -> OK);
    DirectConnection connection =
        new ServerSockets(server.url(), null).open(System.nanoTime() + LONG.toNanos());
    assertThat(connection.transport().getTcpNoDelay()).isTrue();
    connection.close();
  }

  @Test
  void largeRequest_unreadByServer_endsAtLimit() throws Exception {
    try (ServerSocket unread = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      DirectCalls calls =
          new DirectCalls(
              new ServerSockets(HttpUrl.get("http://127.0.0.1:" + unread.getLocalPort()), null),
              timeouts::incrementAndGet);
      ApiRequest large =
          new ApiRequest("POST", "/", Map.of(), "text/plain", new byte[64 * 1024 * 1024]);
      assertThatThrownBy(() -> calls.execute(large, "", Duration.ofMillis(200)))
          .isInstanceOf(IOException.class);
    }
  }
}
