package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class WebSocketWatchTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  private static final class Messages implements WebSocket.Listener {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        messages.add("text " + text);
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      messages.add("binary " + new String(bytes, StandardCharsets.ISO_8859_1));
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
      messages.add("pong " + StandardCharsets.US_ASCII.decode(data));
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      messages.add("close " + code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      messages.add("error " + error);
    }

    String takeNext() throws InterruptedException {
      String message = messages.poll(30, TimeUnit.SECONDS);
      assertThat(message).as("next message").isNotNull();
      return message;
    }

    JsonObject takeEvent() throws InterruptedException {
      String message = takeNext();
      assertThat(message).startsWith("text ").endsWith("}\n");
      return JsonParser.parseString(message.substring(5)).getAsJsonObject();
    }

    String takeChange() throws InterruptedException {
      JsonObject event = takeEvent();
      return event.get("type").getAsString()
          + " "
          + event.getAsJsonObject("object").getAsJsonObject("metadata").get("name").getAsString();
    }
  }

  private WebSocket open(String path, Messages messages, String... headers) {
    WebSocket.Builder builder =
        http.newWebSocketBuilder()
            .header("Authorization", "Bearer tok")
            .header("Origin", server.url());
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    return builder
        .buildAsync(URI.create(server.url().replace("http", "ws") + path), messages)
        .join();
  }

  private String version() throws Exception {
    return client.get(MAPS).at("metadata", "resourceVersion");
  }

  @Test
  void watch_changes_areOneTextMessageEach() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(MAPS + "?watch=true&resourceVersion=" + version(), messages);
    for (String name : List.of("a", "b", "c")) {
      client.post(MAPS, "{'metadata':{'name':'" + name + "'}}");
    }
    client.merge(MAPS + "/a", "{'data':{'k':'v'}}");
    client.delete(MAPS + "/a");

    List<String> changes = new ArrayList<>();
    while (changes.size() < 5) {
      changes.add(messages.takeChange());
    }
    assertThat(changes).containsExactly("ADDED a", "ADDED b", "ADDED c", "MODIFIED a", "DELETED a");
    socket.abort();
  }

  @Test
  void watch_manyEvents_arriveInOrder() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(MAPS + "?watch=true&resourceVersion=" + version(), messages);
    String large = "x".repeat(70_000); // longer than a short frame
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      client.post(MAPS, "{'metadata':{'name':'m" + i + "'},'data':{'k':'" + large + "'}}");
      expected.add("ADDED m" + i);
    }
    List<String> changes = new ArrayList<>();
    while (changes.size() < expected.size()) {
      changes.add(messages.takeChange());
    }
    assertThat(changes).isEqualTo(expected);
    socket.abort();
  }

  @Test
  void watch_timeout_closesNormally() throws Exception {
    Messages messages = new Messages();
    open(MAPS + "?watch=true&timeoutSeconds=1", messages);

    String message = messages.takeNext();
    while (message.startsWith("text ")) {
      message = messages.takeNext(); // the initial event
    }
    assertThat(message).isEqualTo("close 1000");
  }

  @Test
  void watch_versionTooOld_sendsAnErrorEvent() throws Exception {
    Messages messages = new Messages();
    open(MAPS + "?watch=true&resourceVersion=1", messages);

    JsonObject event = messages.takeEvent();
    assertThat(event.get("type").getAsString()).isEqualTo("ERROR");
    assertThat(event.getAsJsonObject("object").get("code").getAsInt()).isEqualTo(410);
    assertThat(event.getAsJsonObject("object").get("reason").getAsString()).isEqualTo("Expired");
    assertThat(messages.takeNext()).isEqualTo("close 1000");
  }

  @Test
  void watch_ping_isAnswered() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(MAPS + "?watch=true&resourceVersion=" + version(), messages);
    socket.sendPing(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII))).join();
    assertThat(messages.takeNext()).isEqualTo("pong hello");
    socket.sendText("what a client says is ignored", true).join();
    client.post(MAPS, "{'metadata':{'name':'late'}}");
    assertThat(messages.takeChange()).isEqualTo("ADDED late");
    socket.abort();
  }

  @Test
  void watch_clientCloses_serverClosesToo() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(MAPS + "?watch=true&resourceVersion=" + version(), messages);
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "enough").join();
    assertThat(messages.takeNext()).isEqualTo("close 1000");
  }

  @Test
  void watch_protobuf_isOneBinaryMessageWithoutLength() throws Exception {
    Messages messages = new Messages();
    WebSocket socket =
        open(
            MAPS + "?watch=true&resourceVersion=" + version(),
            messages,
            "Accept",
            "application/vnd.kubernetes.protobuf");
    client.post(MAPS, "{'metadata':{'name':'a'}}");
    assertThat(messages.takeNext()).startsWith("binary \n\u0005ADDED\u0012").contains("k8s\0");
    socket.abort();
  }

  @Test
  void watch_table_hasColumnsInTheFirstMessage() throws Exception {
    client.post(MAPS, "{'metadata':{'name':'a'}}");
    Messages messages = new Messages();
    WebSocket socket =
        open(
            MAPS + "?watch=true&fieldSelector=metadata.name%3Da",
            messages,
            "Accept",
            "application/json;as=Table;v=v1;g=meta.k8s.io");
    JsonObject table = messages.takeEvent().getAsJsonObject("object");
    assertThat(table.get("kind").getAsString()).isEqualTo("Table");
    assertThat(table.getAsJsonArray("columnDefinitions")).isNotEmpty();
    socket.abort();
  }

  @ParameterizedTest
  @CsvSource({
    MAPS + "?watch=true&resourceVersion=x,          500",
    MAPS + "?watch=true&labelSelector=!,            400",
    "/api/v1/namespaces/default/nothings?watch=true, 404",
  })
  void watch_wrongRequest_isRefusedBeforeTheUpgrade(String path, int code) {
    assertThatThrownBy(() -> open(path, new Messages()))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(code));
  }

  @Test
  void watch_noToken_isRefusedBeforeTheUpgrade() throws Exception {
    assertThat(handshakeWithOrigin(""))
        .startsWith("HTTP/1.1 403")
        .contains("\"reason\":\"Forbidden\"");
    assertThat(handshakeWithOrigin("Authorization: Bearer wrong\r\n")).startsWith("HTTP/1.1 401");
  }

  @ParameterizedTest
  @ValueSource(strings = {"base64.binary.k8s.io", "binary.k8s.io", "v4.channel.k8s.io"})
  void watch_oneProtocol_isAccepted(String protocol) throws Exception {
    assertThat(
            handshakeWithOrigin(
                "Authorization: Bearer tok\r\nSec-WebSocket-Protocol: " + protocol + "\r\n"))
        .startsWith("HTTP/1.1 101 Switching Protocols")
        .containsIgnoringCase("sec-websocket-protocol: " + protocol + "\r\n");
  }

  @Test
  void watch_tokenAsProtocol_authenticates() throws Exception {
    String token =
        "base64url.bearer.authorization.k8s.io."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("tok".getBytes(StandardCharsets.UTF_8));
    assertThat(handshakeWithOrigin("Sec-WebSocket-Protocol: " + token + ", binary.k8s.io\r\n"))
        .startsWith("HTTP/1.1 101 Switching Protocols")
        .containsIgnoringCase("sec-websocket-protocol: binary.k8s.io\r\n");
    assertThat(handshakeWithOrigin("Sec-WebSocket-Protocol: " + token + "\r\n"))
        .startsWith("HTTP/1.1 401");
    assertThat(handshakeWithOrigin("Sec-WebSocket-Protocol: " + token + "x, binary.k8s.io\r\n"))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void watch_twoProtocols_areRefused() throws Exception {
    assertThat(handshakeWithOrigin("Authorization: Bearer tok\r\nSec-WebSocket-Protocol: a, b\r\n"))
        .startsWith("HTTP/1.1 400");
  }

  @Test
  void watch_handshake_followsTheStandard() throws Exception {
    assertThat(handshakeWithOrigin("Authorization: Bearer tok\r\n"))
        .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
        .containsIgnoringCase("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
        .containsIgnoringCase("upgrade: websocket\r\n")
        .containsIgnoringCase("connection: upgrade\r\n")
        .doesNotContainIgnoringCase("sec-websocket-protocol");
  }

  @Test
  void watch_noOrigin_isForbiddenLikeInKubernetes() throws Exception {
    assertThat(handshake("Authorization: Bearer tok\r\n", "13", "dGhlIHNhbXBsZSBub25jZQ=="))
        .startsWith("HTTP/1.1 403");
  }

  @Test
  void watch_otherVersion_namesTheSupportedVersion() throws Exception {
    String headers = "Authorization: Bearer tok\r\nOrigin: http://localhost\r\n";
    assertThat(handshake(headers, "8", "dGhlIHNhbXBsZSBub25jZQ=="))
        .startsWith("HTTP/1.1 400")
        .containsIgnoringCase("sec-websocket-version: 13\r\n");
    assertThat(handshake(headers, "13", "")).startsWith("HTTP/1.1 400");
  }

  @Test
  void watch_unmaskedFrame_isAProtocolError() throws Exception {
    assertThat(sendFrame(new byte[] {(byte) 0x81, 1, 'a'})).isEqualTo(1002);
  }

  @Test
  void watch_frameLongerThanLimit_isRefusedByItsHeader() throws Exception {
    byte[] header = {(byte) 0x82, (byte) 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}; // 65,537 bytes
    assertThat(sendFrame(header)).isEqualTo(1009);
  }

  @Test
  void watch_messageInManyFragments_isIgnored() throws Exception {
    Messages messages = new Messages();
    WebSocket socket = open(MAPS + "?watch=true&resourceVersion=" + version(), messages);
    String fragment = "x".repeat(60_000);
    for (int i = 0; i < 20; i++) { // together longer than the limit of a frame
      socket.sendText(fragment, false).join();
    }
    socket.sendText("", true).join();
    client.post(MAPS, "{'metadata':{'name':'late'}}");
    assertThat(messages.takeChange()).isEqualTo("ADDED late");
    socket.abort();
  }

  /** Sends a frame on a new watch and returns the code of the server's close frame. */
  private int sendFrame(byte[] frame) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              request(
                  "Origin: http://localhost\r\nAuthorization: Bearer tok\r\n",
                  "13",
                  "dGhlIHNhbXBsZSBub25jZQ==",
                  MAPS + "?watch=true&resourceVersion=" + version()));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readByte());
      }
      assertThat(head).startsWith("HTTP/1.1 101");
      socket.getOutputStream().write(frame);
      assertThat(in.readUnsignedByte()).isEqualTo(0x88);
      in.readUnsignedByte();
      int code = in.readUnsignedShort();
      in.readAllBytes(); // until the server closes the connection
      return code;
    }
  }

  @Test
  void list_upgradeRequested_isAnsweredWithoutUpgrade() throws Exception {
    assertThat(
            handshake(
                "Authorization: Bearer tok\r\nOrigin: http://localhost\r\n",
                "13",
                "dGhlIHNhbXBsZSBub25jZQ==",
                MAPS))
        .startsWith("HTTP/1.1 200");
  }

  private String handshakeWithOrigin(String headers) throws IOException {
    return handshake("Origin: http://localhost\r\n" + headers, "13", "dGhlIHNhbXBsZSBub25jZQ==");
  }

  private String handshake(String headers, String version, String key) throws IOException {
    return handshake(headers, version, key, MAPS + "?watch=true&timeoutSeconds=60");
  }

  private static byte[] request(String headers, String version, String key, String path) {
    String line = "GET " + path + " HTTP/1.1\r\n";
    String upgrade =
        "Host: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
            + "Sec-WebSocket-Version: "
            + version
            + "\r\n"
            + (key.isEmpty() ? "" : "Sec-WebSocket-Key: " + key + "\r\n");
    return (line + upgrade + headers + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the head of the answer, and the body if its length is known. */
  private String handshake(String headers, String version, String key, String path)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request(headers, version, key, path));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      StringBuilder head = new StringBuilder();
      int length = 0;
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.append(line).append("\r\n");
        if (line.toLowerCase().startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      for (int i = 0; i < length; i++) {
        head.append((char) in.read());
      }
      return head.toString();
    }
  }
}
