package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager in this process whose account may not list a kind. */
class MissingRightsTest {
  private static final List<String> FLAGS =
      List.of("--mode=replace", "--endpoints=127.0.0.1:0", "--leader-elect=true");

  private static final String BINDER = "persistentvolume-binder-controller";
  private static final String CLAIM_PROTECTION = "persistentvolumeclaim-protection-controller";
  private static final String ATTACH_DETACH = "persistentvolume-attach-detach-controller";

  @TempDir private Path folder;

  @Test
  void start_noRightToListNodes_onlyControllersOfNodesWaitForIt() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig =
          server.kubeconfig(folder, FLAGS, right -> right.target().resource().equals("nodes"));
      ControllerManager manager =
          RunFlags.manager(
              FLAGS,
              Files.createDirectory(folder.resolve("plugins")),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-test"));
      try {
        manager.start();
        assertThat(manager.controllers().runningNames())
            .contains(CLAIM_PROTECTION)
            .doesNotContain(BINDER, ATTACH_DETACH);
        assertThat(readiness(manager))
            .isEqualTo(
                List.of(
                    "ok",
                    ATTACH_DETACH + " does not run: no right to list and watch nodes",
                    BINDER + " does not run: no right to list and watch nodes"));
        grantNodes(server.admin());
        TestWait.until(
            "both controllers start",
            () -> manager.controllers().runningNames().containsAll(List.of(BINDER, ATTACH_DETACH)));
        assertThat(readiness(manager)).containsExactly("ok");
      } finally {
        manager.stop();
      }
    }
  }

  private static void grantNodes(RestApi admin) throws Exception {
    post(
        admin,
        "clusterroles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "nodes"},
         "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["list", "watch"]}]}
        """);
    post(
        admin,
        "clusterrolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "nodes"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "nodes"},
         "subjects": [{"kind": "ServiceAccount", "namespace": "kube-system", "name": "mooring"}]}
        """);
  }

  private static void post(RestApi admin, String plural, String json) throws Exception {
    admin.post(
        "/apis/rbac.authorization.k8s.io/v1/" + plural,
        JsonParser.parseString(json).getAsJsonObject());
  }

  private static List<String> readiness(ControllerManager manager) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + manager.port() + "/readyz"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      return response
          .body()
          .lines()
          .sorted((a, b) -> a.equals("ok") ? -1 : a.compareTo(b))
          .toList();
    }
  }
}
