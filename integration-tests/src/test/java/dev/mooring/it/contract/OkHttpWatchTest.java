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
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private ApiServer server;
  private OkHttpClient http;

  @AfterEach
  void stop() throws IOException {
    http.dispatcher().executorService().shutdownNow();
    http.connectionPool().evictAll();
    server.close();
  }

  private static final class Messages extends WebSocketListener {
    private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    @Override
    public void onOpen(WebSocket socket, Response response) {
      all.add("open " + response.code());
    }

    @Override
    public void onMessage(WebSocket socket, String text) {
      JsonObject event = JsonParser.parseString(text).getAsJsonObject();
      JsonObject object = event.getAsJsonObject("object");
      all.add(
          event.get("type").getAsString()
              + " "
              + object
                  .asMap()
                  .getOrDefault("code", object.getAsJsonObject("metadata").get("name")));
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      socket.close(code, reason);
      all.add("closed " + code);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable failure, @Nullable Response response) {
      all.add("failed " + (response == null ? failure : response.code()));
    }

    String next() throws InterruptedException {
      String next = all.poll(30, TimeUnit.SECONDS);
      assertThat(next).as("next message").isNotNull();
      return next;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
    http = Config.fromConfig(new StringReader(server.kubeconfig())).getHttpClient();
  }

  private Request.Builder request(String path) {
    return new Request.Builder()
        .url(server.url() + path)
        .header("Authorization", "Bearer tok")
        .header("Origin", server.url());
  }

  private Messages watch(String query) {
    Messages messages = new Messages();
    http.newWebSocket(request(MAPS + "?watch=true&" + query).build(), messages);
    return messages;
  }

  private void create(String name) throws IOException {
    RequestBody body =
        RequestBody.create(
            "{\"metadata\":{\"name\":\"" + name + "\"}}", MediaType.get("application/json"));
    try (Response made = http.newCall(request(MAPS).post(body).build()).execute()) {
      assertThat(made.code()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"resourceVersion=0", "allowWatchBookmarks=true&resourceVersion=0"})
  void watch_overTls_deliversEachEvent(String query) throws Exception {
    create("before");
    Messages messages = watch(query);
    assertThat(messages.next()).isEqualTo("open 101");
    List<String> events = new ArrayList<>();
    while (!events.contains("ADDED \"before\"")) {
      events.add(messages.next());
    }
    create("after");
    while (!events.contains("ADDED \"after\"")) {
      events.add(messages.next());
    }
    assertThat(events).noneMatch(e -> e.startsWith("failed"));
  }

  @Test
  void watch_versionTooOld_deliversErrorAndCloses() throws Exception {
    Messages messages = watch("resourceVersion=1");
    assertThat(messages.next()).isEqualTo("open 101");
    assertThat(messages.next()).isEqualTo("ERROR 410");
    assertThat(messages.next()).isEqualTo("closed 1000");
  }

  @Test
  void watch_wrongSelector_isRejectedWithCode() throws Exception {
    assertThat(watch("labelSelector=a%20b%20c").next()).isEqualTo("failed 400");
  }
}
