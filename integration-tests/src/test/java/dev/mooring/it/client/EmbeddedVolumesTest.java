package dev.mooring.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.junit.ClusterController;
import dev.mooring.junit.EmbeddedKubernetes;
import dev.mooring.junit.EmbeddedKubernetes.ServerLifecycle;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(lifecycle = ServerLifecycle.PER_CLASS, controllers = ClusterController.VOLUMES)
class EmbeddedVolumesTest {
  private static final String VOLUME =
      """
      apiVersion: v1
      kind: PersistentVolume
      metadata: {name: disk}
      spec:
        accessModes: [ReadWriteOnce]
        capacity: {storage: 1Gi}
        hostPath: {path: /srv/disk}
        storageClassName: ""
      """;
  private static final String CLAIM =
      """
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 1Gi}}
        storageClassName: ""
      """;

  @Test
  void claim_matchingVolume_isBoundAndReleased(KubernetesClient client) {
    client.resource(Serialization.unmarshal(VOLUME, PersistentVolume.class)).create();
    PersistentVolumeClaim claim =
        client.resource(Serialization.unmarshal(CLAIM, PersistentVolumeClaim.class)).create();

    client
        .resource(claim)
        .waitUntilCondition(c -> c.getStatus().getPhase().equals("Bound"), 30, TimeUnit.SECONDS);
    client.resource(claim).delete();
    client.resource(claim).waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);

    PersistentVolume released =
        client
            .persistentVolumes()
            .withName("disk")
            .waitUntilCondition(
                v -> v.getStatus().getPhase().equals("Released"), 30, TimeUnit.SECONDS);
    assertThat(released.getSpec().getClaimRef().getName()).isEqualTo("data");
  }
}
