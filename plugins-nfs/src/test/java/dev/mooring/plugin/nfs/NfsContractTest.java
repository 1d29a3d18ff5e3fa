package dev.mooring.plugin.nfs;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.ProvisionerContract;
import dev.mooring.testkit.VolumePluginContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class NfsContractTest implements VolumePluginContract, ProvisionerContract {
  @TempDir private Path mount;

  @BeforeEach
  void foreignDirectory() throws IOException {
    Files.createDirectory(mount.resolve("foreign"));
  }

  @Override
  public VolumePlugin plugin() {
    return new StartedNfsPlugin(mount, "/export").plugin();
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return StartedNfsPlugin.request(
        volumeName, StartedNfsPlugin.claim("c", Map.of()), Map.of("onDelete", "delete"));
  }

  @Override
  public boolean exists(VolumeSource source) {
    String path = source.attribute("path");
    return Files.isDirectory(mount.resolve(path.substring("/export/".length())));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    return Optional.of(VolumeSource.nfs(StartedNfsPlugin.SERVER, "/export/foreign"));
  }
}
