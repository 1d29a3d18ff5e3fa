package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NfsUsageTest {
  @TempDir private Path folder;
  private Path mount;
  private Path directory;
  private StartedNfsPlugin nfs;

  @BeforeEach
  void aVolume() throws IOException {
    mount = Files.createDirectory(folder.resolve("mount"));
    nfs = new StartedNfsPlugin(mount, "/export");
    nfs.provision(
        "pvc-u", StartedNfsPlugin.claim("c", Map.of()), Map.of("pathPattern", "${.PVC.name}"));
    directory = mount.resolve("c");
  }

  private Attempt<Usage> measure(String volume, String path) {
    VolumeSource source =
        new VolumeSource("nfs", Map.of("server", StartedNfsPlugin.SERVER, "path", path));
    return nfs.plugin().usage().orElseThrow().measure(new UsageMeter.Request(volume, source));
  }

  private static Failure failure(Attempt<Usage> attempt) {
    return ((Attempt.Failed<Usage>) attempt).failure();
  }

  @Test
  void measure_filesAndLinks_addsUpFilesOnly() throws IOException {
    assertThat(measure("pvc-u", "/export/c")).isEqualTo(Attempt.done(new Usage(0, 0)));
    Files.createDirectories(directory.resolve("a/b"));
    Files.write(directory.resolve("a/b/f"), new byte[1000]);
    Files.write(directory.resolve("g"), new byte[24]);
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.write(outerDirectory.resolve("large"), new byte[1 << 20]);
    Files.createSymbolicLink(directory.resolve("link"), outerDirectory);
    Usage usage = ((Attempt.Done<Usage>) measure("pvc-u", "/export/c")).value();
    assertThat(usage.files()).isEqualTo(5);
    assertThat(usage.bytes()).isEqualTo(1024 + outerDirectory.toString().length());
  }

  @Test
  void measure_directoryOfAnotherVolume_isRejected() throws IOException {
    Files.createDirectory(mount.resolve("foreign"));
    assertThat(failure(measure("pvc-u", "/export/foreign"))).isInstanceOf(Failure.Rejected.class);
    assertThat(failure(measure("pvc-2", "/export/c"))).isInstanceOf(Failure.Rejected.class);
    assertThat(failure(measure("pvc-u", "/export/../c"))).isInstanceOf(Failure.Rejected.class);
    assertThat(failure(measure("pvc-u", "/elsewhere"))).isInstanceOf(Failure.Rejected.class);
  }

  @Test
  void measure_absentDirectory_isReported() throws IOException {
    Files.delete(directory);
    assertThat(failure(measure("pvc-u", "/export/c")))
        .isEqualTo(new Failure.Rejected(StartedNfsPlugin.SERVER + ":/export/c does not exist"));
  }

  @Test
  void measure_interrupted_stops() throws IOException {
    Files.write(directory.resolve("f"), new byte[1]);
    Thread.currentThread().interrupt();
    Attempt<Usage> attempt = measure("pvc-u", "/export/c");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure(attempt)).isInstanceOf(Failure.Unreachable.class);
  }
}
