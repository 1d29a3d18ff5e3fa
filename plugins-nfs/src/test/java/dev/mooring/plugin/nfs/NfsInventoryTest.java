package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.VolumeInventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NfsInventoryTest {
  @TempDir private Path folder;
  private Path mount;
  private StartedNfsPlugin nfs;

  @BeforeEach
  void aVolume() throws IOException {
    mount = Files.createDirectory(folder.resolve("mount"));
    nfs = new StartedNfsPlugin(mount, "/export");
  }

  private void provision(String onDelete) {
    nfs.provision(
        "pvc-u",
        StartedNfsPlugin.claim("c", Map.of()),
        Map.of("pathPattern", "${.PVC.name}", "onDelete", onDelete));
  }

  private Attempt<Boolean> contains(String volume, String path) {
    VolumeSource source =
        new VolumeSource("nfs", Map.of("server", StartedNfsPlugin.SERVER, "path", path));
    return nfs.plugin()
        .inventory()
        .orElseThrow()
        .contains(new VolumeInventory.Request(volume, source));
  }

  @Test
  void contains_volumeBeforeAndAfterDeletion_findsItBefore() {
    provision("delete");
    assertThat(contains("pvc-u", "/export/c")).isEqualTo(Attempt.done(true));
    nfs.delete("pvc-u", "/export/c", Map.of());
    assertThat(contains("pvc-u", "/export/c")).isEqualTo(Attempt.done(false));
  }

  @Test
  void contains_retainedDirectory_doesNotCount() {
    provision("retain");
    nfs.delete("pvc-u", "/export/c", Map.of());
    assertThat(mount.resolve("c")).exists();
    assertThat(contains("pvc-u", "/export/c")).isEqualTo(Attempt.done(false));
  }

  @Test
  void contains_directoryOfLaterVolume_doesNotCount() {
    provision("delete");
    assertThat(contains("pvc-earlier", "/export/c")).isEqualTo(Attempt.done(false));
  }

  @Test
  void contains_pathOutsideTheExports_isRejected() {
    assertThat(StartedNfsPlugin.refusal(contains("pvc-u", "/elsewhere/c"))).contains("exports");
  }
}
