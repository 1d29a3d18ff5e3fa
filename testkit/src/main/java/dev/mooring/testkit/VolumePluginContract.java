package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/**
 * What every plugin keeps. Implement it in a test of yours: JUnit finds the tests in here. The
 * other contracts are for what the plugin can do.
 */
public interface VolumePluginContract {
  /** The plugin, started, over storage of its own for this test. */
  VolumePlugin plugin();

  @Test
  default void itsNameIsThereAndNeverChanges() {
    VolumePlugin plugin = plugin();
    assertThat(plugin.name()).isNotBlank().isEqualTo(plugin.name());
    assertThat(plugin.name())
        .as("a name of one's own has a domain, as in example.com/disks")
        .matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?(/[-A-Za-z0-9._]+)?");
  }

  @Test
  default void itIsFoundByTheServiceLoader() {
    assertThat(ServiceLoader.load(VolumePlugin.class))
        .as("META-INF/services/%s names the class", VolumePlugin.class.getName())
        .anyMatch(found -> found.getClass().equals(plugin().getClass()));
  }

  @Test
  default void volumesOfOtherKindsAreNotItsOwn() {
    assertThat(plugin().supports(VolumeSource.NONE)).isFalse();
    assertThat(plugin().supports(new VolumeSource("nobodyKnowsThis", Map.of("path", "/"))))
        .isFalse();
  }

  @Test
  default void whatItCanDoStaysWhatItCanDo() {
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
