package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedRequestsTest {
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String JSON_PATCH = "application/json-patch+json";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @BeforeEach
  void createObjects() throws Exception {
    client.post(
        CLAIMS,
        "{'metadata':{'name':'c','finalizers':['a/b']},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    client.post(
        DEPLOYMENTS,
        "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[{'op':'replace','path':'/metadata/finalizers/5','value':'x/y'}] | 422",
        "[{'op':'replace','path':'/metadata/finalizers/-','value':'x/y'}] | 422",
        "[{'op':'replace','path':'/metadata/name/x','value':'x'}]         | 422",
        "[{'op':'remove','path':''}]                                      | 422",
        "[{'op':'move','from':'','path':'/metadata/labels'}]              | 422",
        "[{'op':'replace','path':'/kind','value':{}}]                     | 422",
      })
  void jsonPatch_malformedOperation_isRefused(String patch, int code) throws Exception {
    assertThat(client.send("PATCH", CLAIMS + "/c", patch, "Content-Type", JSON_PATCH).code())
        .isEqualTo(code);
  }

  @Test
  void jsonPatch_objectForScale_isRefused() throws Exception {
    assertThat(
            client.send("PATCH", DEPLOYMENTS + "/d/scale", "{}", "Content-Type", JSON_PATCH).code())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'spec':{'template':{'spec':{'containers':[{'$patch':'replace'},'x']}}}}",
        "{'spec':{'strategy':{'$retainKeys':[{}],'type':'Recreate'}}}",
        "{'apiVersion':{}}"
      })
  void patch_malformed_isNoBug(String patch) throws Exception {
    assertThat(client.strategic(DEPLOYMENTS + "/d", patch).code()).isLessThan(500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'v':'meta.k8s.io/v1'}",
        "{'v':'meta.k8s.io/v1','rv':'x','start':'a'}",
        "{'v':'meta.k8s.io/v1','rv':5}",
        "[]"
      })
  void list_malformedContinueToken_isRefused(String token) throws Exception {
    String encoded =
        Base64.getUrlEncoder()
            .encodeToString(token.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    Client.Answer answer =
        client.get(CLAIMS + "?continue=" + URLEncoder.encode(encoded, StandardCharsets.UTF_8));
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.at("message"))
        .startsWith("invalid continue token: continue key is not valid");
  }

  @Test
  void list_labelComparedWithLargeNumber_isRefused() throws Exception {
    assertThat(client.get(CLAIMS + "?labelSelector=a%3E99999999999999999999").code())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "{}", "1e99999", "[1]"})
  void create_portOfOtherType_isRefused(String port) throws Exception {
    Client.Answer answer =
        client.post(
            SERVICES,
            "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1,'targetPort':" + port + "}]}}");
    assertThat(answer.code()).isEqualTo(400);
  }

  @Test
  void create_numberWithLargeExponent_isRefused() throws Exception {
    Client.Answer answer =
        client.post(SERVICES, "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1e99999}]}}");
    assertThat(answer.code()).isEqualTo(400);
  }

  @Test
  void delete_longestGracePeriod_marksPod() throws Exception {
    client.post(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'nodeName':'n','terminationGracePeriodSeconds':9223372036854775807,'containers':[{'name':'c','image':'i'}]}}");
    Client.Answer answer = client.delete(PODS + "/p");
    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.at("metadata", "deletionTimestamp")).isNotEmpty();
  }
}
