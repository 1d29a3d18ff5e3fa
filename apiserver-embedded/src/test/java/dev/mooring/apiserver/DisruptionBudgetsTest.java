package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DisruptionBudgetsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String POLICIES =
      "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";

  private final ApiServer server = NamespacesTest.start();
  private final Client client = new Client(server, "tok");

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void createPod() throws Exception {
    client.post(
        PODS,
        "{'metadata':{'name':'p','labels':{'app':'a'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
    client.merge(
        PODS + "/p/status",
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
    assertThat(
            client
                .post(
                    BUDGETS,
                    "{'metadata':{'name':'b'},'spec':{'maxUnavailable':1,'selector':{'matchLabels':{'app':'a'}}}}")
                .code())
        .isEqualTo(201);
  }

  private Client.Answer evict() throws Exception {
    return client.post(
        PODS + "/p/eviction",
        "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p','namespace':'default'}}");
  }

  private void allow(int disruptions) throws Exception {
    Client.Answer answer =
        client.merge(
            BUDGETS + "/b/status",
            "{'status':{'observedGeneration':1,'disruptionsAllowed':"
                + disruptions
                + ",'currentHealthy':1,'desiredHealthy':1,'expectedPods':1}}");
    assertThat(answer.code()).isEqualTo(200);
  }

  @Test
  void evict_budgetNotYetObserved_isRefused() throws Exception {
    Client.Answer refusal = evict();

    assertThat(refusal.code()).isEqualTo(429);
    assertThat(refusal.at("reason")).isEqualTo("TooManyRequests");
    assertThat(refusal.at("details", "retryAfterSeconds")).isEqualTo("10");
    assertThat(refusal.causes()).containsExactly("DisruptionBudget ");
  }

  @Test
  void evict_budgetAllowsNone_isRefused() throws Exception {
    allow(0);
    assertThat(evict().code()).isEqualTo(429);
    assertThat(client.get(PODS + "/p").at("metadata", "deletionTimestamp")).isEmpty();
  }

  @Test
  void evict_budgetAllowsOne_lowersTheAllowance() throws Exception {
    allow(1);
    assertThat(evict().code()).isEqualTo(201);
    Client.Answer budget = client.get(BUDGETS + "/b");
    assertThat(budget.at("status", "disruptionsAllowed")).isEqualTo("0");
    assertThat(budget.at("status", "disruptedPods", "p")).isNotEmpty();
  }

  @Test
  void evict_budgetSelectsOtherPods_succeeds() throws Exception {
    client.merge(BUDGETS + "/b", "{'spec':{'selector':{'matchLabels':{'app':'z'}}}}");
    assertThat(evict().code()).isEqualTo(201);
  }

  @Test
  void evict_unreadyPodWithAlwaysAllow_succeeds() throws Exception {
    client.merge(BUDGETS + "/b", "{'spec':{'unhealthyPodEvictionPolicy':'AlwaysAllow'}}");
    assertThat(evict().code()).isEqualTo(429);
    client.merge(
        PODS + "/p/status", "{'status':{'conditions':[{'type':'Ready','status':'False'}]}}");
    assertThat(evict().code()).isEqualTo(201);
  }

  @Test
  void service_created_keepsItsClusterIp() throws Exception {
    client.post(
        SERVICES, "{'metadata':{'name':'s'},'spec':{'selector':{'a':'b'},'ports':[{'port':80}]}}");
    Client.Answer service = client.get(SERVICES + "/s");
    assertThat(service.at("spec", "clusterIP")).startsWith("10.96.");
    assertThat(service.at("spec", "clusterIPs")).contains(service.at("spec", "clusterIP"));
    assertThat(service.at("spec", "type")).isEqualTo("ClusterIP");
    assertThat(service.at("spec", "ports")).contains("\"protocol\":\"TCP\"", "\"targetPort\":80");

    client.put(
        SERVICES + "/s",
        "{'metadata':{'name':'s'},'spec':{'selector':{'a':'c'},'ports':[{'port':80}]}}");
    assertThat(client.get(SERVICES + "/s").at("spec", "clusterIP"))
        .isEqualTo(service.at("spec", "clusterIP"));
    assertThat(client.merge(SERVICES + "/s", "{'spec':{'clusterIP':'10.96.0.9'}}").code())
        .isEqualTo(422);
    assertThat(client.delete(SERVICES + "/s").at("metadata", "name")).isEqualTo("s");
  }

  @Test
  void service_withoutPorts_isRefused() throws Exception {
    assertThat(client.post(SERVICES, "{'metadata':{'name':'s'},'spec':{}}").causes())
        .containsExactly("FieldValueRequired spec.ports");
    assertThat(
            client.post(SERVICES, "{'metadata':{'name':'s'},'spec':{'clusterIP':'None'}}").code())
        .isEqualTo(201);
  }

  @Test
  void networkPolicy_created_hasDefaultTypes() throws Exception {
    Client.Answer policy =
        client.post(
            POLICIES,
            "{'metadata':{'name':'n'},'spec':{'podSelector':{},'egress':[{'ports':[{'port':53}]}]}}");
    assertThat(policy.at("spec", "policyTypes")).isEqualTo("[\"Ingress\",\"Egress\"]");
    assertThat(policy.at("spec", "podSelector")).isEqualTo("{}");
    assertThat(policy.at("spec", "egress")).contains("\"protocol\":\"TCP\"");
    assertThat(
            client
                .post(
                    POLICIES,
                    "{'metadata':{'name':'m'},'spec':{'podSelector':{},'ingress':[{'from':[{}]}]}}")
                .causes())
        .containsExactly("FieldValueRequired spec.ingress[0].from[0]");
  }

  @Test
  void budget_bothBounds_areRefused() throws Exception {
    assertThat(
            client
                .post(
                    BUDGETS,
                    "{'metadata':{'name':'c'},'spec':{'maxUnavailable':1,'minAvailable':'50%'}}")
                .causes())
        .containsExactly("FieldValueInvalid spec");
  }
}
