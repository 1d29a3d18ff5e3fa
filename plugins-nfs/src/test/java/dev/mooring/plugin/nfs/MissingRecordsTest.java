package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumeInventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server exports an empty directory, for example because it started without its data disk. */
class MissingRecordsTest {
  private static final Map<String, String> ARCHIVED = Map.of(OnDelete.ANNOTATION, "archive");

  @TempDir private Path folder;
  private Path mount;
  private String path;

  @BeforeEach
  void aVolumeOnAnotherDisk() throws IOException {
    mount = Files.createDirectory(folder.resolve("mount"));
    path =
        StartedNfsPlugin.path(
            new StartedNfsPlugin(mount, "/export").provision("pvc-1", "c", Map.of()));
    Files.move(mount, folder.resolve("disk"));
    Files.createDirectory(mount);
  }

  private VolumeSource source() {
    return VolumeSource.nfs(StartedNfsPlugin.SERVER, path);
  }

  @Test
  void delete_createdVolume_isUnreachable() throws IOException {
    StartedNfsPlugin nfs = new StartedNfsPlugin(mount, "/export");
    assertThat(StartedNfsPlugin.failure(nfs.delete("pvc-1", path, ARCHIVED)))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("has no directory .mooring", "exports the right directory");
    assertThat(mount).isEmptyDirectory();
    Files.delete(mount);
    Files.move(folder.resolve("disk"), mount);
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, ARCHIVED))).isTrue();
    assertThat(mount.resolve("archived-ns-c-pvc-1")).isDirectory();
  }

  @Test
  void contains_absentDirectory_isUnreachable() {
    VolumeInventory inventory =
        new StartedNfsPlugin(mount, "/export").plugin().inventory().orElseThrow();
    assertThat(
            StartedNfsPlugin.failure(
                inventory.contains(new VolumeInventory.Request("pvc-1", source()))))
        .isInstanceOf(Failure.Unreachable.class);
    assertThat(mount).isEmptyDirectory();
  }

  @Test
  void measure_absentDirectory_createsNothing() {
    UsageMeter usage = new StartedNfsPlugin(mount, "/export").plugin().usage().orElseThrow();
    assertThat(usage.measure(new UsageMeter.Request("pvc-1", source())))
        .isInstanceOf(Attempt.Failed.class);
    assertThat(mount).isEmptyDirectory();
  }

  /** Volumes of nfs-subdir-external-provisioner exist before the first record. */
  @Test
  void delete_absentDirectoryOfEarlierProvisioner_isDone() {
    StartedNfsPlugin nfs = new StartedNfsPlugin(mount, "/export");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-old", "/export/ns-c-pvc-old", Map.of())))
        .isTrue();
    assertThat(mount).isEmptyDirectory();
  }
}
