package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import dev.mooring.apiserver.ApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Installs, upgrades and uninstalls the chart with Helm, with validation of manifests. */
@Timeout(120)
class ChartInstallTest extends ChartFixture {
  private static final Map<String, String> PATHS =
      Map.of(
          "ServiceAccount", "/api/v1/namespaces/storage/serviceaccounts",
          "Service", "/api/v1/namespaces/storage/services",
          "Deployment", "/apis/apps/v1/namespaces/storage/deployments",
          "PodDisruptionBudget", "/apis/policy/v1/namespaces/storage/poddisruptionbudgets",
          "NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/storage/networkpolicies",
          "ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles",
          "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings");

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private ApiServer server;
  private Path kubeconfig;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
  }

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  private JsonObject fetch(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path)).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private static String path(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    String name = metadata.get("name").getAsString();
    String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/";
    return switch (object.get("kind").getAsString()) {
      case "Role" -> rbac + metadata.get("namespace").getAsString() + "/roles/" + name;
      case "RoleBinding" ->
          rbac + metadata.get("namespace").getAsString() + "/rolebindings/" + name;
      case String kind -> PATHS.get(kind) + "/" + name;
    };
  }

  private Release install(String values) throws IOException {
    return new Helm(RenderedChart.CHART)
        .install()
        .withName("mooring")
        .withNamespace(RenderedChart.NAMESPACE)
        .createNamespace()
        .withValuesFile(Files.writeString(folder.resolve("values.yaml"), values))
        .withKubeConfig(kubeconfig)
        .call();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode: beside\n",
        "mode: replace\nmetrics: {enabled: true}\nnetworkPolicy: {enabled: true}\n",
        "mode: console\nconsole: {tlsSecret: certificate}\n",
      })
  void install_anyMode_createsEveryObject(String values) throws Exception {
    Release release = install(values);

    assertThat(release.getStatus()).isEqualTo("deployed");
    List<JsonObject> rendered = RenderedChart.of(values).objects();
    assertThat(rendered).hasSizeGreaterThan(4);
    for (JsonObject object : rendered) {
      JsonObject created = fetch(path(object));
      assertThat(created.get("kind")).as(path(object)).isEqualTo(object.get("kind"));
      assertContains(created, object, path(object));
    }
  }

  /** Asserts that the server's object contains every member of the chart's object. */
  private static void assertContains(JsonElement created, JsonElement rendered, String path) {
    if (rendered.isJsonObject()) {
      assertThat(created).as(path).isInstanceOf(JsonObject.class);
      rendered.getAsJsonObject().entrySet().stream()
          .filter(e -> !isEmptyValue(e.getValue()))
          .forEach(e ->
              assertContains(
                  created.getAsJsonObject().get(e.getKey()),
                  e.getValue(),
                  path + "." + e.getKey()));
    } else if (rendered.isJsonArray()) {
      assertThat(created.getAsJsonArray()).as(path).hasSameSizeAs(rendered.getAsJsonArray());
      for (int i = 0; i < rendered.getAsJsonArray().size(); i++) {
        assertContains(created.getAsJsonArray().get(i), rendered.getAsJsonArray().get(i), path);
      }
    } else if (rendered.getAsJsonPrimitive().isNumber()) {
      assertThat(created.getAsDouble()).as(path).isEqualTo(rendered.getAsDouble());
    } else {
      assertThat(created).as(path).isEqualTo(rendered);
    }
  }

  private static boolean isEmptyValue(JsonElement value) {
    return value.isJsonNull()
        || value.isJsonObject() && value.getAsJsonObject().isEmpty()
        || value.isJsonArray() && value.getAsJsonArray().isEmpty();
  }

  @Test
  void upgrade_moreReplicas_changesDeploymentAndRevision() throws Exception {
    install("mode: beside\n");
    Release upgraded =
        new Helm(RenderedChart.CHART)
            .upgrade()
            .withName("mooring")
            .withNamespace(RenderedChart.NAMESPACE)
            .set("mode", "beside")
            .set("replicaCount", 3)
            .withKubeConfig(kubeconfig)
            .call();

    assertThat(upgraded.getRevision()).isEqualTo("2");
    Release status =
        Helm.status("mooring")
            .withNamespace(RenderedChart.NAMESPACE)
            .withKubeConfig(kubeconfig)
            .call();
    assertThat(status.getStatus()).isEqualTo("deployed");
    assertThat(status.getRevision()).isEqualTo("2");
    JsonObject deployment =
        fetch(PATHS.get("Deployment")).getAsJsonArray("items").get(0).getAsJsonObject();
    assertThat(deployment.getAsJsonObject("spec").get("replicas").getAsInt()).isEqualTo(3);
  }

  @Test
  void uninstall_installedChart_leavesNoObjects() throws Exception {
    install("mode: replace\nmetrics: {enabled: true}\nnetworkPolicy: {enabled: true}\n");
    List<Release> releases =
        Helm.list().withNamespace(RenderedChart.NAMESPACE).withKubeConfig(kubeconfig).call();
    assertThat(releases).extracting(Release::getName).containsExactly("mooring");

    Helm.uninstall("mooring")
        .withNamespace(RenderedChart.NAMESPACE)
        .withKubeConfig(kubeconfig)
        .call();

    List<String> leftOvers = new ArrayList<>();
    for (String path : PATHS.values()) {
      for (JsonElement item : fetch(path).getAsJsonArray("items")) {
        String name = item.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString();
        if (name.contains("mooring")) {
          leftOvers.add(path + "/" + name);
        }
      }
    }
    assertThat(leftOvers).isEmpty();
    assertThat(Helm.list().withNamespace(RenderedChart.NAMESPACE).withKubeConfig(kubeconfig).call())
        .isEmpty();
  }
}
