package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

@EmbeddedKubernetes(crds = "crds/*.yaml")
class Fabric8ExampleTest {
  @Test
  void widget_sizeZero_isRefused(KubernetesClient client) {
    assertThatThrownBy(() -> client.resource(Widget.ofSize("w", 0)).create())
        .hasMessageContaining("spec.size in body should be greater than or equal to 1");
    assertThat(client.resources(Widget.class).list().getItems()).isEmpty();
  }
}
