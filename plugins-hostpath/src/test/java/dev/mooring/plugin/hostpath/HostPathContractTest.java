package dev.mooring.plugin.hostpath;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.ProvisionerContract;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumePluginContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class HostPathContractTest implements VolumePluginContract, ProvisionerContract {
  @TempDir private Path folder;

  @Override
  public VolumePlugin plugin() {
    return new HostPathPlugin(folder.resolve("root"), true);
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return TestObjects.provisionRequest(volumeName).build();
  }

  @Override
  public boolean exists(VolumeSource source) {
    return Files.isDirectory(Path.of(source.attribute("path")));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    return Optional.of(VolumeSource.hostPath(folder.toString()));
  }
}
