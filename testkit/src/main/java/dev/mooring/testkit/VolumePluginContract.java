package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/**
 * Contract of every plugin. Implement it in a test to inherit its tests. The other contracts cover
 * optional capabilities.
 */
public interface VolumePluginContract {
  /** Returns a started plugin with separate storage for this test. */
  VolumePlugin plugin();

  @Test
  default void name_isPresentAndConstant() {
    VolumePlugin plugin = plugin();
    assertThat(plugin.name()).isNotBlank().isEqualTo(plugin.name());
    assertThat(plugin.name())
        .as("a custom name has a domain, as in example.com/disks")
        .matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?(/[-A-Za-z0-9._]+)?");
  }

  @Test
  default void plugin_isFoundByServiceLoader() {
    assertThat(ServiceLoader.load(VolumePlugin.class))
        .as("META-INF/services/%s names the class", VolumePlugin.class.getName())
        .anyMatch(found -> found.getClass().equals(plugin().getClass()));
  }

  @Test
  default void supports_otherTypes_isFalse() {
    assertThat(plugin().supports(VolumeSource.NONE)).isFalse();
    assertThat(plugin().supports(new VolumeSource("unknownType", Map.of("path", "/")))).isFalse();
  }

  @Test
  default void capabilities_areConstant() {
    VolumePlugin plugin = plugin();
    for (int i = 0; i < 2; i++) {
      assertThat(plugin.provisioner()).isNotNull();
      assertThat(plugin.provisioner().isPresent()).isEqualTo(plugin.provisioner().isPresent());
      assertThat(plugin.deleter()).isNotNull();
      assertThat(plugin.attacher()).isNotNull();
      assertThat(plugin.expander()).isNotNull();
      assertThat(plugin.fencing()).isNotNull();
    }
  }
}
