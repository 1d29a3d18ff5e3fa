package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes
class JavaClientExampleTest {
  @Test
  void configMap_staleVersion_isRefused(ApiClient client, KubernetesServer server)
      throws ApiException {
    CoreV1Api api = new CoreV1Api(client);
    V1ConfigMap config = new V1ConfigMap().metadata(new V1ObjectMeta().name("config"));
    V1ConfigMap stale = api.createNamespacedConfigMap(server.namespace(), config).execute();
    config.putDataItem("color", "blue");
    api.replaceNamespacedConfigMap("config", server.namespace(), config).execute();

    ApiException refusal =
        assertThrows(
            ApiException.class,
            () -> api.replaceNamespacedConfigMap("config", server.namespace(), stale).execute());
    assertThat(refusal.getCode()).isEqualTo(409);
  }
}
