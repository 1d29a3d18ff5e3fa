package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mooring.junit.EmbeddedKubernetes;
import dev.mooring.junit.KubernetesServer;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes
class LabelerTest {
  @Test
  void informer_configMapCreated_receivesIt(ApiClient client, KubernetesServer server)
      throws Exception {
    BlockingQueue<String> names = new LinkedBlockingQueue<>();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    factory
        .sharedIndexInformerFor(
            new GenericKubernetesApi<>(
                V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client),
            V1ConfigMap.class,
            0,
            server.namespace())
        .addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(V1ConfigMap added) {
                names.add(added.getMetadata().getName());
              }

              @Override
              public void onUpdate(V1ConfigMap before, V1ConfigMap after) {}

              @Override
              public void onDelete(V1ConfigMap deleted, boolean isFinalStateUnknown) {}
            });
    factory.startAllRegisteredInformers();
    try {
      V1ConfigMap config = new V1ConfigMap().metadata(new V1ObjectMeta().name("settings"));
      new CoreV1Api(client).createNamespacedConfigMap(server.namespace(), config).execute();

      assertEquals("settings", names.poll(30, TimeUnit.SECONDS));
    } finally {
      factory.stopAllRegisteredInformers();
    }
  }
}
