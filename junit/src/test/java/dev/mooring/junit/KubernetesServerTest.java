package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.intercept.ReceivedRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(crds = "crds/widgets.yaml", manifests = "src/test/resources/manifests/*.yaml")
class KubernetesServerTest {
  private final KubernetesServer server;
  private final KubernetesClient client;

  KubernetesServerTest(KubernetesServer server, KubernetesClient client) {
    this.server = server;
    this.client = client;
  }

  @AfterEach
  void deleteObjects() {
    client.configMaps().delete();
    client.resources(Widget.class).delete();
  }

  private static ConfigMap configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  @Test
  void kubeconfig_parameter_namesServerAndNamespace(@KubeconfigText String kubeconfig) {
    assertThat(kubeconfig).contains(server.url(), "namespace: \"kubernetes-server-test\"");
    assertThat(client.getNamespace()).isEqualTo(server.namespace());
  }

  @Test
  void manifests_clusterScopedAndNamespaced_areCreated() {
    assertThat(client.rbac().roles().withName("reader").get()).isNotNull();
    assertThat(client.storage().v1().storageClasses().withName("fast").get()).isNotNull();
  }

  @Test
  void serviceAccount_boundRole_limitsRights() {
    Config config = Config.fromKubeconfig(server.kubeconfigOf("reader"));
    try (KubernetesClient reader = new KubernetesClientBuilder().withConfig(config).build()) {
      assertThat(reader.configMaps().list().getItems()).isEmpty();
      assertThatThrownBy(() -> reader.resource(configMap("c")).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(
              "User \"system:serviceaccount:kubernetes-server-test:reader\" cannot create resource \"configmaps\"");
    }
  }

  @Test
  void requests_otherNamespace_areLeftOut() {
    client.resource(configMap("here")).create();
    client.configMaps().inNamespace("default").resource(configMap("elsewhere")).create();
    client.storage().v1().storageClasses().list();

    assertThat(server.requests())
        .extracting(request -> request.verb() + " " + request.resource() + " " + request.name())
        .containsExactly("create configmaps ", "list storageclasses ");
    assertThat(server.requests()).extracting(ReceivedRequest::isWrite).containsExactly(true, false);
    client.configMaps().inNamespace("default").withName("elsewhere").delete();
  }

  @Test
  void failNext_matchingRequest_isRefusedOnce() {
    server.failNext("create", "configmaps", 409);
    client.configMaps().list();
    assertThatThrownBy(() -> client.resource(configMap("c")).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> {
              assertThat(refusal.getCode()).isEqualTo(409);
              assertThat(refusal.getStatus().getReason()).isEqualTo("Conflict");
            });
    client.resource(configMap("c")).create();
  }

  @Test
  void failNext_unknownVerbOrCode_isRefused() {
    assertThatThrownBy(() -> server.failNext("post", "pods", 409))
        .hasMessageContaining("unknown verb post; use one of create, delete,");
    assertThatThrownBy(() -> server.failNext("get", "pods", 200))
        .hasMessageContaining("400 to 599");
  }

  @Test
  void advanceClock_sharedServer_isRefused() {
    assertThatThrownBy(() -> server.advanceClock(Duration.ofDays(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("all classes on this server share its clock; use lifecycle = PER_CLASS");
  }

  @Test
  void awaitRest_requestsNeverEnd_failsWithLatest() {
    client.configMaps().withName("c").get();
    assertThatThrownBy(() -> server.awaitRest(Duration.ofDays(1), Duration.ofMillis(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("requests still arrive after PT0.001S; the latest: get configmaps c");
  }

  @Test
  void restore_createdChangedAndDeletedObjects_areAsBefore() {
    client.resource(configMap("changed")).create();
    client.resource(Widget.ofSize("deleted", 2)).create();
    String uid = client.resource(Widget.ofSize("deleted", 2)).get().getMetadata().getUid();
    NamespaceSnapshot snapshot = server.snapshot();
    client
        .configMaps()
        .withName("changed")
        .edit(c -> new ConfigMapBuilder(c).addToData("k", "v").build());
    client.resource(configMap("created")).create();
    client.resources(Widget.class).delete();

    server.restore(snapshot);

    List<ConfigMap> configMaps = client.configMaps().list().getItems();
    assertThat(configMaps).extracting(c -> c.getMetadata().getName()).containsExactly("changed");
    assertThat(configMaps.get(0).getData()).isNullOrEmpty();
    assertThat(client.resource(Widget.ofSize("deleted", 2)).get().getMetadata().getUid())
        .isEqualTo(uid);
  }

  @Test
  void describeObjects_customResource_isYaml() {
    client.resource(Widget.ofSize("w", 3)).create();
    assertThat(server.describeObjects())
        .contains("---\napiVersion: example.com/v1\nkind: Widget\n", "spec:\n  size: 3\n")
        .doesNotContain("managedFields");
  }

  @Nested
  class NestedClass {
    @Test
    void nestedClass_withoutAnnotation_sharesNamespace(KubernetesServer nestedServer) {
      assertThat(nestedServer).isSameAs(server);
    }
  }
}
