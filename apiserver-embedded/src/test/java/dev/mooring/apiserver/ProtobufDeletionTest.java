package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.ProtobufBodies;
import dev.mooring.apiserver.codec.Schema;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtobufDeletionTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String TYPE = "application/vnd.kubernetes.protobuf";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void createConfigMap() throws Exception {
    assertThat(client.post(MAPS, "{'metadata':{'name':'m'}}").code()).isEqualTo(201);
  }

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  private HttpResponse<byte[]> delete(String path, byte[] body, String accept) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer tok")
            .header("Accept", accept)
            .header("Content-Type", TYPE)
            .method("DELETE", HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] options(String version, String kind, String json) {
    JsonObject options = JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject();
    return ProtobufBodies.makeEnvelope(
        version, kind, ProtobufBodies.encode(options, Schema.getMessage("DeleteOptions")));
  }

  private static JsonObject status(HttpResponse<byte[]> answer) throws Exception {
    assertThat(answer.headers().firstValue("Content-Type")).contains(TYPE);
    JsonObject status =
        ProtobufBodies.decode(answer.body(), (version, kind) -> Schema.getMessage(kind));
    assertThat(JsonBodies.textAt(status, "kind")).isEqualTo("Status");
    return status;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m | v1      | DeleteOptions | {'preconditions':{'uid':'other'}}          | 409 | Conflict",
        "m | apps/v1 | DeleteOptions | {'preconditions':{'resourceVersion':'1'}}  | 409 | Conflict",
        "m | v1      | DeleteOptions | {'propagationPolicy':'Sideways'}           | 422 | Invalid",
        "m | v1      | DeleteOptions | {'dryRun':['Some']}                        | 422 | Invalid",
        "m | v1      | ConfigMap     | {}                                         | 400 | BadRequest",
        "n | v1      | DeleteOptions | {}                                         | 404 | NotFound",
        "m | ''      | ''            | {'preconditions':{'uid':'other'}}          | 409 | Conflict",
      })
  void delete_refused_answersInProtobuf(
      String name, String version, String kind, String options, int code, String reason)
      throws Exception {
    HttpResponse<byte[]> answer =
        delete(MAPS + "/" + name, options(version, kind, options), TYPE + ",application/json");

    assertThat(answer.statusCode()).isEqualTo(code);
    JsonObject status = status(answer);
    assertThat(JsonBodies.textAt(status, "reason")).isEqualTo(reason);
    assertThat(JsonBodies.textAt(status, "code")).isEqualTo(Integer.toString(code));
    assertThat(JsonBodies.textAt(status, "message")).isNotEmpty();
    assertThat(client.get(MAPS + "/m").code()).isEqualTo(200);
  }

  @Test
  void delete_bodyIsNoProtobuf_namesTheExpectedPrefix() throws Exception {
    byte[] garbage = "{\"kind\":\"DeleteOptions\"}".getBytes(StandardCharsets.US_ASCII);
    JsonObject status = status(delete(MAPS + "/m", garbage, TYPE));

    assertThat(JsonBodies.textAt(status, "reason")).isEqualTo("BadRequest");
    assertThat(JsonBodies.textAt(status, "message"))
        .isEqualTo(
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    byte[] cut = {'k', '8', 's', 0};
    assertThat(JsonBodies.textAt(status(delete(MAPS + "/m", cut, TYPE)), "message"))
        .isEqualTo("empty body");
    byte[] broken = {'k', '8', 's', 0, 10, 99};
    assertThat(JsonBodies.textAt(status(delete(MAPS + "/m", broken, TYPE)), "message"))
        .isEqualTo("unexpected EOF");
    assertThat(client.get(MAPS + "/m").code()).isEqualTo(200);
  }

  @Test
  void delete_invalid_namesTheField() throws Exception {
    JsonObject status =
        status(
            delete(
                MAPS + "/m", options("v1", "DeleteOptions", "{'propagationPolicy':'No'}"), TYPE));

    assertThat(JsonBodies.textAt(status, "details", "kind")).isEqualTo("DeleteOptions");
    assertThat(status.toString()).contains("\"field\":\"propagationPolicy\"");
  }

  @Test
  void delete_succeeded_answersInProtobuf() throws Exception {
    JsonObject status =
        status(
            delete(MAPS + "/m", options("v1", "DeleteOptions", "{'gracePeriodSeconds':0}"), TYPE));

    assertThat(JsonBodies.textAt(status, "status")).isEqualTo("Success");
    assertThat(JsonBodies.textAt(status, "details", "name")).isEqualTo("m");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        TYPE + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json | application/json",
        "application/json;q=0.4," + TYPE + ";q=0.9                            | " + TYPE,
        "*/*," + TYPE + "                                                     | " + TYPE,
        "text/html, */*;q=0.2                                                 | application/json",
      })
  void error_anyAccept_hasTheFirstSupportedEncoding(String accept, String type) throws Exception {
    HttpResponse<byte[]> answer =
        delete(MAPS + "/none", options("v1", "DeleteOptions", "{}"), accept);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type")).contains(type);
  }
}
