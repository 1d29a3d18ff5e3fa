package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodingsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SETS = "/apis/apps/v1/namespaces/default/deployments";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @BeforeEach
  void createObjects() throws Exception {
    assertThat(client.post(MAPS, "{'metadata':{'name':'m'}}").code()).isEqualTo(201);
    assertThat(
            client
                .post(
                    SETS,
                    "{'metadata':{'name':'d'},'spec':{'replicas':3,'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},"
                        + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}")
                .code())
        .isEqualTo(201);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, " + MAPS + "/m,                                    200, Status",
    "GET,    " + MAPS + "/none,                                 404, Status",
    "GET,    " + SETS + "/d/scale,                              200, Scale",
    "PATCH,  " + SETS + "/d/scale,                              200, Scale",
    "POST,   /apis/authentication.k8s.io/v1/selfsubjectreviews, 201, SelfSubjectReview",
  })
  void answer_anyEndpoint_supportsEveryEncoding(String method, String path, int code, String kind)
      throws Exception {
    String dry = path + (method.equals("GET") ? "" : "?dryRun=All");
    assertThat(answer(method, dry, "application/json", code))
        .startsWith("{\"")
        .contains("\"kind\":\"" + kind + "\"")
        .endsWith("}\n");
    assertThat(answer(method, dry, "application/yaml", code))
        .doesNotStartWith("{")
        .containsPattern("(?m)^kind: " + kind + "$");
    assertThat(answer(method, dry, "application/vnd.kubernetes.protobuf", code))
        .startsWith("k8s\0")
        .contains(kind);
  }

  private String answer(String method, String path, String accept, int code) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer tok")
            .header("Accept", accept)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(
                method,
                HttpRequest.BodyPublishers.ofString(
                    switch (method) {
                      case "POST" ->
                          "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}";
                      case "PATCH" -> "{\"spec\":{\"replicas\":4}}";
                      default -> "";
                    }))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
      assertThat(answer.statusCode()).isEqualTo(code);
      assertThat(answer.headers().firstValue("Content-Type")).contains(accept);
      return answer.body();
    }
  }
}
