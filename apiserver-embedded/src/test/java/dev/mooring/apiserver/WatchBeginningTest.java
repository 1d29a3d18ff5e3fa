package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchBeginningTest {
  private static final int ROUNDS = 300;

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"resourceVersion=0", "sendInitialEvents=false&resourceVersionMatch=NotOlderThan"})
  void watch_changeAfterHeaders_isSent(String startQuery) throws Exception {
    String maps = "/api/v1/namespaces/default/configmaps";
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (int round = 0; round < ROUNDS; round++) {
        String name = "m-" + round;
        client.post(maps, "{'metadata':{'name':'" + name + "'}}");
        HttpResponse<InputStream> head =
            http.send(
                HttpRequest.newBuilder(
                        URI.create(
                            server.url()
                                + maps
                                + "?watch=true&fieldSelector=metadata.name%3D"
                                + name
                                + "&"
                                + startQuery))
                    .header("Authorization", "Bearer tok")
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        client.delete(maps + "/" + name);
        assertThat(readEvents(head, "DELETED")).contains("DELETED");
      }
    }
  }

  private static List<String> readEvents(HttpResponse<InputStream> head, String last)
      throws IOException {
    List<String> types = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(head.body(), StandardCharsets.UTF_8))) {
      while (types.isEmpty() || !types.getLast().equals(last)) {
        JsonObject event = JsonParser.parseString(lines.readLine()).getAsJsonObject();
        types.add(event.get("type").getAsString());
      }
    }
    return types;
  }
}
