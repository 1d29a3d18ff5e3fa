package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.junit.EmbeddedKubernetes.ServerLifecycle;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(
    lifecycle = ServerLifecycle.PER_CLASS,
    tls = true,
    controllers = {ClusterController.NAMESPACES, ClusterController.GARBAGE_COLLECTION},
    manifests = "manifests/reader.yaml")
class OwnServerTest {
  private static ConfigMapBuilder configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata();
  }

  @Test
  void client_tls_trustsServer(KubernetesServer server, KubernetesClient client) {
    assertThat(server.url()).startsWith("https://");
    assertThat(client.resource(configMap("secured").build()).create()).isNotNull();
  }

  @Test
  void client_actingAsServiceAccount_hasItsRights(@ActingAs("reader") KubernetesClient reader) {
    assertThat(reader.configMaps().list().getItems()).isNotNull();
    assertThatThrownBy(() -> reader.resource(configMap("c").build()).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(":reader\" cannot create resource \"configmaps\"");
  }

  @Test
  void owner_deleted_dependentIsCollected(KubernetesClient client) {
    ConfigMap owner = client.resource(configMap("owner").build()).create();
    ConfigMap dependent =
        configMap("dependent")
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withName("owner")
            .withUid(owner.getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .build();
    client.resource(dependent).create();

    client.resource(owner).delete();

    client.resource(dependent).waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);
  }

  @Test
  void namespace_deleted_ends(KubernetesClient client) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build())
        .create();
    client.configMaps().inNamespace("shop").resource(configMap("c").build()).create();

    client.namespaces().withName("shop").delete();

    client.namespaces().withName("shop").waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);
  }

  @Test
  void advanceClock_nextObject_isCreatedLater(KubernetesServer server, KubernetesClient client) {
    Instant before = Instant.now();
    server.advanceClock(Duration.ofDays(30));
    ConfigMap created = client.resource(configMap("late").build()).create();
    server.advanceClock(Duration.ofDays(-30));

    assertThat(Instant.parse(created.getMetadata().getCreationTimestamp()))
        .isAfter(before.plus(Duration.ofDays(29)));
  }
}
