package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.intercept.ReceivedRequest;
import dev.mooring.apiserver.intercept.RequestInterceptor;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestInterceptorTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void request_ofResource_isPassedOn() throws Exception {
    List<ReceivedRequest> received = new ArrayList<>();
    server.intercept(received::add);
    client.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}", "User-Agent", "test");
    client.get("/apis/apps/v1/namespaces/n/deployments/d/status", "User-Agent", "test");
    client.get("/version");
    server.intercept(RequestInterceptor.NONE);
    client.get(CONFIG_MAPS);

    assertThat(received)
        .containsExactly(
            new ReceivedRequest("create", "", "configmaps", "default", "", "test"),
            new ReceivedRequest("get", "apps", "deployments/status", "n", "d", "test"));
    assertThat(received).extracting(ReceivedRequest::isWrite).containsExactly(true, false);
  }

  @Test
  void request_refusedByInterceptor_isNotProcessed() throws Exception {
    server.intercept(request -> {
      throw StatusException.injected(429, "TooManyRequests", "slow down");
    });
    Client.Answer answer = client.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    assertThat(answer.code()).isEqualTo(429);
    assertThat(answer.at("reason")).isEqualTo("TooManyRequests");
    assertThat(answer.at("message")).isEqualTo("slow down");

    server.intercept(RequestInterceptor.NONE);
    assertThat(client.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
  }
}
