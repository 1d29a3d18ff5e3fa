package dev.mooring.plugin.nfs;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.ProvisionerContract;
import dev.mooring.testkit.VolumePluginContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/**
 * Runs the contracts over a real NFS mount: {@code -Dmooring.nfs.export=SERVER:/EXPORT=/MOUNT}.
 * {@code build-config/loopback-nfs} creates one where root is available. Each test uses and removes
 * a directory of its own.
 */
class MountedNfsTest implements VolumePluginContract, ProvisionerContract {
  private static final String EXPORT = System.getProperty("mooring.nfs.export", "");
  private final String testDirectory = "mooring-test-" + UUID.randomUUID();
  private Path mount = Path.of("");
  private String share = "";

  @BeforeEach
  void aDirectoryOfItsOwn() throws IOException {
    Assumptions.assumeFalse(
        EXPORT.isEmpty(),
        "skipped: no NFS export is mounted for tests; run build-config/loopback-nfs as root, or name one with -Dmooring.nfs.export=SERVER:/EXPORT=/MOUNT");
    int equals = EXPORT.indexOf("=/");
    share = EXPORT.substring(EXPORT.indexOf(":/") + 1, equals) + "/" + testDirectory;
    mount = Files.createDirectory(Path.of(EXPORT.substring(equals + 1), testDirectory));
    Files.createDirectory(mount.resolve("foreign"));
  }

  @AfterEach
  void removeIt() throws IOException {
    if (share.isEmpty()) {
      return;
    }
    try (Stream<Path> all = Files.walk(mount)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Override
  public VolumePlugin plugin() {
    return new StartedNfsPlugin(
            Map.of(),
            Map.of(
                "nfs-exports",
                StartedNfsPlugin.SERVER + ":" + share + "=" + mount,
                "nfs-require-mount",
                "true"))
        .plugin();
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return StartedNfsPlugin.request(
        volumeName, StartedNfsPlugin.claim("c", Map.of()), Map.of("onDelete", "delete"));
  }

  @Override
  public boolean exists(VolumeSource source) {
    return Files.isDirectory(mount.resolve(source.attribute("path").substring(share.length() + 1)));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    return Optional.of(VolumeSource.nfs(StartedNfsPlugin.SERVER, share + "/foreign"));
  }
}
