package dev.mooring.plugin.localpath;

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

class LocalPathContractTest implements VolumePluginContract, ProvisionerContract {
  @TempDir private Path folder;
  private Path base;

  @BeforeEach
  void foreignDirectory() throws IOException {
    base = Files.createDirectory(folder.resolve("base"));
    Files.createDirectory(base.resolve("foreign"));
  }

  @Override
  public VolumePlugin plugin() {
    return LocalPathFixtures.plugin(
        folder,
        LocalPathFixtures.config(base),
        FakeCluster.of(LocalPathFixtures.node("node-1")),
        Map.of());
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return LocalPathFixtures.request(volumeName, "c", Map.of(), Map.of(), "node-1");
  }

  @Override
  public boolean exists(VolumeSource source) {
    return Files.isDirectory(Path.of(source.attribute("path")));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    return Optional.of(VolumeSource.hostPath(base.resolve("foreign").toString()));
  }
}
