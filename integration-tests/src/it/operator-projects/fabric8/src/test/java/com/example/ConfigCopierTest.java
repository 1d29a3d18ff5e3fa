package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mooring.junit.ClusterController;
import dev.mooring.junit.EmbeddedKubernetes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(controllers = ClusterController.GARBAGE_COLLECTION)
class ConfigCopierTest {
  /** Copies each ConfigMap with the label copy=yes; the copy belongs to its original. */
  private record ConfigCopier(KubernetesClient client) implements ResourceEventHandler<ConfigMap> {
    @Override
    public void onAdd(ConfigMap original) {
      ConfigMap copy =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName(original.getMetadata().getName() + "-copy")
              .withOwnerReferences(
                  new OwnerReferenceBuilder()
                      .withApiVersion("v1")
                      .withKind("ConfigMap")
                      .withName(original.getMetadata().getName())
                      .withUid(original.getMetadata().getUid())
                      .build())
              .endMetadata()
              .withData(original.getData())
              .build();
      client.resource(copy).create();
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap after) {}

    @Override
    public void onDelete(ConfigMap original, boolean isFinalStateUnknown) {}
  }

  @Test
  void original_createdAndDeleted_copyFollows(KubernetesClient client) {
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().withLabel("copy", "yes").inform(new ConfigCopier(client))) {
      ConfigMap original =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName("settings")
              .withLabels(Map.of("copy", "yes"))
              .endMetadata()
              .withData(Map.of("color", "blue"))
              .build();
      client.resource(original).create();
      ConfigMap copy =
          client
              .configMaps()
              .withName("settings-copy")
              .waitUntilCondition(Objects::nonNull, 30, TimeUnit.SECONDS);
      assertEquals(Map.of("color", "blue"), copy.getData());

      client.resource(original).delete();

      client.resource(copy).waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);
    }
  }
}
