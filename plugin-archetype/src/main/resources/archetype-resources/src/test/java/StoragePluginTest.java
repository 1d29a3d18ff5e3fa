package ${package};

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.ProvisionerContract;
import dev.mooring.testkit.VolumePluginContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the published contract tests for plugins, and a test of this plugin. */
class StoragePluginTest implements VolumePluginContract, ProvisionerContract {
  @TempDir private Path folder;

  @Override
  public VolumePlugin plugin() {
    StoragePlugin plugin = new StoragePlugin();
    plugin.start(
        new PluginContext() {
          @Override
          public String setting(String name, String fallback) {
            return folder.toString();
          }

          @Override
          public System.Logger logger() {
            return System.getLogger("test");
          }
        });
    return plugin;
  }

  @Override
  public Provisioner.Request request(String volumeName) {
    return new Provisioner.Request(
        volumeName,
        new Provisioner.ClaimInfo(ObjectKey.of("ns", "claim"), Uid.of("uid"), Map.of(), Map.of()),
        Quantity.of("1Gi"),
        AccessModes.of("ReadWriteOnce"),
        VolumeMode.FILESYSTEM,
        "class",
        Map.of(),
        List.of(),
        null);
  }

  @Override
  public boolean exists(VolumeSource source) {
    return Files.isDirectory(Path.of(source.attribute("path")));
  }

  @Override
  public Optional<VolumeSource> foreign() {
    return Optional.of(VolumeSource.hostPath(folder.toString()));
  }

  @Test
  void provision_pathIsAFile_isRejected() throws Exception {
    Files.writeString(folder.resolve("pvc-1"), "not a directory");
    String path = folder + "/pvc-1";
    Attempt.Failed<?> provisioned =
        assertInstanceOf(
            Attempt.Failed.class, plugin().provisioner().orElseThrow().provision(request("pvc-1")));
    assertInstanceOf(Failure.Rejected.class, provisioned.failure());
    Attempt<Deleter.Deleted> deleted =
        plugin()
            .deleter()
            .orElseThrow()
            .delete(new Deleter.Request("pvc-1", VolumeSource.hostPath(path), Quantity.of("1Gi"), Map.of()));
    Attempt.Failed<?> failed = assertInstanceOf(Attempt.Failed.class, deleted);
    assertInstanceOf(Failure.Rejected.class, failed.failure());
  }
}
