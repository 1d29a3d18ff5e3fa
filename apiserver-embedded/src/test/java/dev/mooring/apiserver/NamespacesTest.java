package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespacesTest {
  private final ApiServer server = start();
  private final Client client = new Client(server, "tok");

  static ApiServer start() {
    try {
      return ApiServer.start(new ApiServer.ServerOptions(0, "tok", null));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void deleteCollection_namespaces_isNotAllowed() throws Exception {
    assertThat(client.delete("/api/v1/namespaces").code()).isEqualTo(405);
    assertThat(client.delete("/api/v1/namespaces?labelSelector=a%3Db").code()).isEqualTo(405);
    assertThat(client.get("/api/v1/namespaces/default").code()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void delete_systemNamespace_isForbidden(String name) throws Exception {
    Client.Answer answer = client.delete("/api/v1/namespaces/" + name);

    assertThat(answer.code()).isEqualTo(403);
    assertThat(answer.at("message"))
        .isEqualTo("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
    assertThat(client.delete("/api/v1/namespaces/" + name + "?dryRun=All").code()).isEqualTo(403);
    assertThat(client.get("/api/v1/namespaces/" + name).at("status", "phase")).isEqualTo("Active");
  }

  @Test
  void delete_otherNamespace_becomesTerminating() throws Exception {
    client.post("/api/v1/namespaces", "{'metadata':{'name':'n'}}");

    assertThat(client.delete("/api/v1/namespaces/n").at("status", "phase"))
        .isEqualTo("Terminating");
    assertThat(
            client.post("/api/v1/namespaces/n/configmaps", "{'metadata':{'name':'late'}}").causes())
        .containsExactly("NamespaceTerminating metadata.namespace");
  }
}
