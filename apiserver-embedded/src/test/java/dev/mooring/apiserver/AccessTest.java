package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.access.RequestUser;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccessTest {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

  private final ApiServer server = NamespacesTest.start();
  private final Client admin = new Client(server, "tok");
  private final Client jane = new Client(server, "jane");

  @BeforeEach
  void acceptToken() {
    server.tokens().accept("jane", RequestUser.of("jane", "", List.of()));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void allow(String rules) throws Exception {
    admin.post(RBAC + "/clusterroles", "{'metadata':{'name':'r'},'rules':[" + rules + "]}");
    admin.post(
        RBAC + "/clusterrolebindings",
        "{'metadata':{'name':'b'},'roleRef':{'kind':'ClusterRole','name':'r'},'subjects':[{'kind':'User','name':'jane'}]}");
  }

  @Test
  void request_noRoleAllowsIt_isForbidden() throws Exception {
    assertThat(jane.get("/api/v1/nodes").code()).isEqualTo(403);
    assertThat(jane.get("/metrics").code()).isEqualTo(403);
    assertThat(jane.get("/api").code()).isEqualTo(200);

    allow("{'apiGroups':[''],'resources':['nodes'],'verbs':['list']}");

    assertThat(jane.get("/api/v1/nodes").code()).isEqualTo(200);
    assertThat(jane.get("/api/v1/nodes?watch=1&timeoutSeconds=1").code()).isEqualTo(403);
  }

  @Test
  void editRole_inNamespace_coversAggregatedKinds() throws Exception {
    admin.post(
        RBAC + "/namespaces/default/rolebindings",
        "{'metadata':{'name':'b'},'roleRef':{'kind':'ClusterRole','name':'edit'},'subjects':[{'kind':'User','name':'jane'}]}");
    String networking = "/apis/networking.k8s.io/v1/namespaces/default/";
    assertThat(jane.get("/apis/batch/v1/namespaces/default/jobs").code()).isEqualTo(200);
    assertThat(jane.delete(networking + "ingresses/none").code()).isEqualTo(404);
    assertThat(jane.get("/apis/batch/v1/namespaces/kube-system/jobs").code()).isEqualTo(403);
    assertThat(jane.get(RBAC + "/namespaces/default/roles").code()).isEqualTo(403);
  }

  @Test
  void role_grantsMoreThanTheUserHas_isForbidden() throws Exception {
    allow(
        "{'apiGroups':['rbac.authorization.k8s.io'],'resources':['clusterroles'],'verbs':['create']},"
            + "{'apiGroups':[''],'resources':['pods'],'verbs':['get']}");
    String role =
        "{'metadata':{'name':'%s'},'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['%s']}]}";

    assertThat(jane.post(RBAC + "/clusterroles", role.formatted("own", "get")).code())
        .isEqualTo(201);
    assertThat(jane.post(RBAC + "/clusterroles", role.formatted("more", "delete")).code())
        .isEqualTo(403);
  }

  @Test
  void accountToken_accountDeleted_isRefused() throws Exception {
    String accounts = "/api/v1/namespaces/default/serviceaccounts";
    admin.post(accounts, "{'metadata':{'name':'sa'}}");
    String token =
        admin
            .post(
                accounts + "/sa/token",
                "{'kind':'TokenRequest','apiVersion':'authentication.k8s.io/v1','spec':{}}")
            .at("status", "token");

    assertThat(admin.with(token).get("/api").code()).isEqualTo(200);
    admin.delete(accounts + "/sa");
    assertThat(admin.with(token).get("/api").code()).isEqualTo(401);
  }

  @Test
  void impersonation_allowed_actsAsTheOtherUser() throws Exception {
    assertThat(admin.get("/api/v1/nodes", "Impersonate-User", "jane").code()).isEqualTo(403);
    assertThat(jane.get("/api", "Impersonate-User", "admin").code()).isEqualTo(403);
  }
}
