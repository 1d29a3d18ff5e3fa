package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.ExpanderContract;
import dev.mooring.testkit.FixedContext;
import dev.mooring.testkit.ProvisionerContract;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumePluginContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPluginTest implements VolumePluginContract, ProvisionerContract, ExpanderContract {
  @TempDir private Path folder;

  private static VolumePlugin started(Map<String, String> settings) {
    LocalPlugin plugin = new LocalPlugin();
    plugin.start(new FixedContext(settings));
    return plugin;
  }

  @Override
  public VolumePlugin plugin() {
    return started(Map.of("local-folder", folder.toString(), "local-node", "node-1"));
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return request(volumeName, VolumeMode.FILESYSTEM, null);
  }

  private static Provisioner.Request request(
      String volumeName, VolumeMode mode, @Nullable String node) {
    return TestObjects.provisionRequest(volumeName).volumeMode(mode).selectedNode(node).build();
  }

  @Override
  public boolean exists(VolumeSource source) {
    return Files.isDirectory(Path.of(source.attribute("path")));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    try {
      Path volumeDirectory = Files.createDirectories(folder.resolve("mine"));
      return Optional.of(VolumeSource.local(volumeDirectory.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public VolumeSource expandable() {
    return provisioned(provision(null)).source();
  }

  private static Provisioned provisioned(Attempt<Provisioned> attempt) {
    return ((Attempt.Done<Provisioned>) attempt).value();
  }

  private Attempt<Provisioned> provision(@Nullable String node) {
    return plugin()
        .provisioner()
        .orElseThrow()
        .provision(request("pvc-1", VolumeMode.FILESYSTEM, node));
  }

  @Test
  void provision_volume_isBoundToThisNode() {
    assertThat(provisioned(provision(null)).topology())
        .containsExactly(Map.of("kubernetes.io/hostname", "node-1"));
    assertThat(provisioned(provision("node-1")).source())
        .isEqualTo(VolumeSource.local(folder.resolve("pvc-1").toString()));
  }

  @Test
  void provision_otherNodeSelected_isExhausted() {
    assertThat(((Attempt.Failed<Provisioned>) provision("node-2")).failure())
        .isInstanceOf(Failure.Exhausted.class)
        .extracting(Failure::message)
        .asString()
        .contains("on node node-1, not on node-2");
    assertThat(folder.resolve("pvc-1")).doesNotExist();
  }

  @Test
  void start_invalidSetting_namesRemedy() {
    assertThat(
            started(Map.of()).provisioner().orElseThrow().refuses(request("pvc-1")).orElseThrow())
        .contains("--plugin-setting local-folder=DIR");
    assertThat(
            plugin().provisioner().orElseThrow().refuses(request("pvc-1", VolumeMode.BLOCK, null)))
        .isPresent();
    assertThatThrownBy(() -> started(Map.of("local-folder", "relative")))
        .hasMessageContaining("local-folder relative is not a directory of this machine");
  }

  @Test
  void provision_hostileName_isRejected() {
    for (String name : new String[] {"..", ".", "../x", "a/b", "/etc", ".mooring"}) {
      assertThat(plugin().provisioner().orElseThrow().provision(request(name)))
          .as(name)
          .isInstanceOf(Attempt.Failed.class);
    }
  }

  private Attempt<Deleted> delete(VolumePlugin plugin) {
    return delete(plugin, folder.resolve("pvc-1").toString());
  }

  private static Attempt<Deleted> delete(VolumePlugin plugin, String path) {
    return plugin
        .deleter()
        .orElseThrow()
        .delete(
            new Deleter.Request("pvc-1", VolumeSource.local(path), Quantity.of("1Gi"), Map.of()));
  }

  /** Volumes of other plugins have all kinds of paths. */
  @Test
  void supports_impossiblePath_isFalse() {
    String path = folder + "/a\0b";
    assertThat(plugin().supports(VolumeSource.local(path))).isFalse();
    assertThat(delete(plugin(), path))
        .isInstanceOfSatisfying(
            Attempt.Failed.class,
            f -> assertThat(f.failure()).isInstanceOf(Failure.Rejected.class));
  }

  /**
   * An unmounted directory is not an absent volume: deleting the PV would leave the data behind.
   */
  @Test
  void delete_folderNotMounted_isRejected() throws IOException {
    VolumePlugin plugin = plugin();
    Path movedFolder = folder.resolveSibling(folder.getFileName() + "-away");
    provisioned(provision(null));
    Files.move(folder, movedFolder);
    try {
      assertThat(delete(plugin))
          .isInstanceOfSatisfying(
              Attempt.Failed.class,
              f -> assertThat(f.failure()).isInstanceOf(Failure.Uncertain.class));
      Files.createDirectory(folder); // the mount point
      assertThat(delete(plugin))
          .isInstanceOfSatisfying(
              Attempt.Failed.class,
              f -> assertThat(f.failure()).isInstanceOf(Failure.Uncertain.class));
    } finally {
      Files.deleteIfExists(folder);
      Files.move(movedFolder, folder);
    }
    assertThat(delete(plugin)).isInstanceOf(Attempt.Done.class);
    assertThat(delete(plugin)).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void expand_directoryOfAnotherVolume_isRejected() {
    Expander.Request request =
        new Expander.Request(
            "pvc-2", expandable(), VolumeMode.FILESYSTEM, Quantity.of("1Gi"), Quantity.of("2Gi"));
    assertThat(plugin().expander().orElseThrow().expand(request))
        .isInstanceOf(Attempt.Failed.class);
  }
}
