package dev.mooring.populator;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.PopulatorContract;
import dev.mooring.testkit.TestPlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract of populators against the two that the tests use. */
class ExamplePopulatorsTest {
  private static Populator.Request request(
      Populator.SourceKind kind, String field, String value, Path volume) {
    return new Populator.Request(
        new Provisioner.ClaimInfo(ObjectKey.of("default", "data"), Uid.of("u"), Map.of(), Map.of()),
        new Populator.DataSource(
            kind, ObjectKey.of("default", "source"), Map.of("spec", Map.of(field, value))),
        ObjectKey.of("populators", "prime-u"),
        "pv",
        VolumeSource.hostPath(volume.toString()),
        VolumeMode.FILESYSTEM,
        Quantity.of("1Gi"),
        "fast");
  }

  @Nested
  class Http implements PopulatorContract {
    @Override
    public VolumePlugin plugin() {
      return new TestPlugin("example.com/pages").withPopulator(new HttpPopulator());
    }

    @Override
    public Populator.Request fillable() {
      return request(HttpPopulator.PAGE, "url", "http://127.0.0.1/", Path.of("/unused"));
    }
  }

  @Nested
  class ClaimCopy implements PopulatorContract {
    @TempDir private Path root;

    @Override
    public VolumePlugin plugin() {
      return new TestPlugin("example.com/copies")
          .withPopulator(new ClaimCopyPopulator(claim -> Optional.of(root.resolve("from"))));
    }

    @Override
    public Populator.Request fillable() {
      try {
        Files.createDirectories(root.resolve("to"));
        Files.writeString(Files.createDirectories(root.resolve("from")).resolve("a"), "b");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return request(ClaimCopyPopulator.CLAIM_COPY, "claim", "original", root.resolve("to"));
    }
  }
}
