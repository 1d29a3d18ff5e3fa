package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests watches as OkHttp-based clients request them, offering compression. */
@Timeout(60)
class OkHttpWatchTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private ApiServer server;
  private OkHttpClient http;

  @AfterEach
  void stop() throws IOException {
    http.dispatcher().executorService().shutdownNow();
    http.connectionPool().evictAll();
    server.close();
  }

  private static final class Messages extends WebSocketListener {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @Override
    public void onOpen(WebSocket socket, Response response) {
      received.add("open " + response.code());
    }

    @Override
    public void onMessage(WebSocket socket, String text) {
      JsonObject event = JsonParser.parseString(text).getAsJsonObject();
      JsonObject object = event.getAsJsonObject("object");
      received.add(
          event.get("type").getAsString()
              + " "
              + object
                  .asMap()
                  .getOrDefault("code", object.getAsJsonObject("metadata").get("name")));
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      socket.close(code, reason);
      received.add("closed " + code);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable failure, @Nullable Response response) {
      received.add("failed " + (response == null ? failure : response.code()));
    }

    String awaitNext() throws InterruptedException {
      String message = received.poll(30, TimeUnit.SECONDS);
      assertThat(message).as("next message").isNotNull();
      return message;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
    http = Config.fromConfig(new StringReader(server.kubeconfig())).getHttpClient();
  }

  private Request.Builder newRequest(String path) {
    return new Request.Builder()
        .url(server.url() + path)
        .header("Authorization", "Bearer tok")
        .header("Origin", server.url());
  }

  private Messages startWatch(String query) {
    Messages messages = new Messages();
    http.newWebSocket(newRequest(CONFIG_MAPS + "?watch=true&" + query).build(), messages);
    return messages;
  }

  private void createConfigMap(String name) throws IOException {
    RequestBody body =
        RequestBody.create(
            "{\"metadata\":{\"name\":\"" + name + "\"}}", MediaType.get("application/json"));
    try (Response response = http.newCall(newRequest(CONFIG_MAPS).post(body).build()).execute()) {
      assertThat(response.code()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"resourceVersion=0", "allowWatchBookmarks=true&resourceVersion=0"})
  void watch_configMaps_deliversEachEvent(String query) throws Exception {
    createConfigMap("before");
    Messages messages = startWatch(query);
    assertThat(messages.awaitNext()).isEqualTo("open 101");
    List<String> events = new ArrayList<>();
    while (!events.contains("ADDED \"before\"")) {
      events.add(messages.awaitNext());
    }
    createConfigMap("after");
    while (!events.contains("ADDED \"after\"")) {
      events.add(messages.awaitNext());
    }
    assertThat(events).noneMatch(event -> event.startsWith("failed"));
  }

  @Test
  void watch_expiredVersion_deliversErrorAndCloses() throws Exception {
    Messages messages = startWatch("resourceVersion=1");
    assertThat(messages.awaitNext()).isEqualTo("open 101");
    assertThat(messages.awaitNext()).isEqualTo("ERROR 410");
    assertThat(messages.awaitNext()).isEqualTo("closed 1000");
  }

  @Test
  void watch_invalidSelector_isRejected() throws Exception {
    assertThat(startWatch("labelSelector=a%20b%20c").awaitNext()).isEqualTo("failed 400");
  }
}
