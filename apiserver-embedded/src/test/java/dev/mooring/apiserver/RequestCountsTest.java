package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestCountsTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> readCounters(String resource) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/metrics"))
            .header("Authorization", "Bearer tok")
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"" + resource))
        .toList();
  }

  @Test
  void answers_eachVerbAndCode_areCountedSeparately() throws Exception {
    client.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    client.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    client.post(CONFIG_MAPS, "{'metadata':{'name':'b'}}");
    client.merge(CONFIG_MAPS + "/a", "{'data':{'k':'v'}}");
    client.merge(CONFIG_MAPS + "/a", "{'metadata':{'resourceVersion':'1'}}");
    client.get(CONFIG_MAPS);
    client.get(CONFIG_MAPS + "/none");
    client.get(CONFIG_MAPS + "?watch=1&timeoutSeconds=1");

    String labels = "group=\"\",resource=\"configmaps\",subresource=\"\",verb=";
    assertThat(readCounters("configmaps"))
        .containsExactly(
            "apiserver_request_total{code=\"200\"," + labels + "\"LIST\"} 1",
            "apiserver_request_total{code=\"200\"," + labels + "\"PATCH\"} 1",
            "apiserver_request_total{code=\"200\"," + labels + "\"WATCH\"} 1",
            "apiserver_request_total{code=\"201\"," + labels + "\"POST\"} 2",
            "apiserver_request_total{code=\"404\"," + labels + "\"GET\"} 1",
            "apiserver_request_total{code=\"409\"," + labels + "\"PATCH\"} 1",
            "apiserver_request_total{code=\"409\"," + labels + "\"POST\"} 1");
  }

  @Test
  void statusWrite_ofVolume_isCountedAsSubresource() throws Exception {
    client.post("/api/v1/persistentvolumes", PV);
    client.merge("/api/v1/persistentvolumes/v/status", "{'status':{'phase':'Available'}}");

    assertThat(readCounters("persistentvolumes"))
        .contains(
            "apiserver_request_total{code=\"200\",group=\"\",resource=\"persistentvolumes\",subresource=\"status\",verb=\"PATCH\"} 1");
  }

  /** Arbitrary paths must not fill the memory with counters. */
  @Test
  void request_unknownPath_isNotCounted() throws Exception {
    client.get("/api/v1/namespaces/default/words");
    client.get("/apis/words.example.com/v1/things");
    client.get("/api/v1/nodes/n/words");

    assertThat(readCounters("words")).isEmpty();
    assertThat(readCounters("things")).isEmpty();
    assertThat(readCounters("nodes")).noneMatch(line -> line.contains("words"));
  }

  private static final String PV =
      "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/tmp/v'}}}";
}
