package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that need a running container. */
@Timeout(20)
class ContainerRequestsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @BeforeEach
  void createPod() throws Exception {
    client.post(PODS, "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, exec?command=ls",
    "GET,  exec?command=ls",
    "POST, attach",
    "POST, portforward",
    "GET,  log?follow=true",
    "PUT,  proxy/index.html",
  })
  void request_needsContainer_isRefusedWithItsSubresource(String method, String action)
      throws Exception {
    Client.Answer answer = client.send(method, PODS + "/p/" + action, "");

    assertThat(answer.code()).isEqualTo(405);
    assertThat(answer.at("kind")).isEqualTo("Status");
    assertThat(answer.at("reason")).isEqualTo("MethodNotAllowed");
    assertThat(answer.at("message"))
        .isEqualTo(
            "pods/%s is not supported: the embedded API server runs no containers"
                .formatted(action.split("[/?]")[0]));
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/default/services/https:s:443/proxy/x, services/proxy is not supported: the embedded API server runs no containers",
    "/apis/metrics.k8s.io/v1beta1/nodes, metrics.k8s.io is not available: the embedded API server runs no containers",
  })
  void request_needsRunningCluster_isRefusedWithReason(String path, String message)
      throws Exception {
    client.post(
        "/api/v1/namespaces/default/services",
        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':443}]}}");
    assertThat(client.get(path).at("message")).isEqualTo(message);
  }

  @Test
  void ephemeralContainer_added_cannotBeRemoved() throws Exception {
    String path = PODS + "/p/ephemeralcontainers";
    Client.Answer debugged =
        client.strategic(
            path,
            "{'metadata':{'labels':{'l':'1'}},'spec':{'ephemeralContainers':[{'name':'debug','image':'i'}]}}");
    assertThat(debugged.at("spec", "ephemeralContainers"))
        .contains("\"terminationMessagePolicy\":\"File\"");
    assertThat(debugged.at("metadata", "generation")).isEqualTo("2");
    assertThat(debugged.at("metadata", "labels")).isEmpty();
    assertThat(client.merge(path, "{'spec':{'ephemeralContainers':null}}").causes())
        .containsExactly("FieldValueForbidden spec.ephemeralContainers");
  }

  @Test
  void resize_pod_changesResourcesOnly() throws Exception {
    client.post(
        PODS,
        "{'metadata':{'name':'r'},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}}}]}}");
    String resources = "'name':'c','image':'other','resources':{'%s':{'cpu':'2','memory':'1'}}";
    String patch = "{'spec':{'containers':[{" + resources + "}]}}";
    Client.Answer resized = client.strategic(PODS + "/r/resize", patch.formatted("requests"));
    assertThat(resized.at("spec", "containers"))
        .contains("\"requests\":{\"cpu\":\"2\",\"memory\":\"1\"}", "\"image\":\"i\"");
    Client.Answer guaranteed =
        client.strategic(
            PODS + "/p/resize",
            "{'spec':{'containers':[{" + resources.formatted("limits") + "}]}}");
    assertThat(guaranteed.causes()).containsExactly("FieldValueInvalid spec");
  }

  @Test
  void exec_podIsMissing_namesThePod() throws Exception {
    Client.Answer answer = client.post(PODS + "/none/exec", "");

    assertThat(answer.code()).isEqualTo(404);
    assertThat(answer.at("message")).isEqualTo("pods \"none\" not found");
  }

  @ParameterizedTest
  @CsvSource({"websocket, GET", "SPDY/3.1, POST"})
  void exec_upgradeRequested_isRefusedWithoutUpgrade(String protocol, String method)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String request =
          """
          %s %s/p/exec?command=ls HTTP/1.1
          Host: localhost
          Authorization: Bearer tok
          Origin: http://localhost
          Connection: Upgrade
          Upgrade: %s
          Sec-WebSocket-Version: 13
          Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
          Content-Length: 0

          """
              .formatted(method, PODS, protocol);
      socket
          .getOutputStream()
          .write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));

      assertThat(in.readLine()).startsWith("HTTP/1.1 405 ");
      assertThat(in.lines().filter(line -> line.startsWith("{")).findFirst())
          .hasValueSatisfying(body -> assertThat(body).contains("pods/exec is not supported"));
    }
  }
}
