package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoriesTest {
  @TempDir Path base;
  private Path root;
  private Directories directories;

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(base.resolve("root"));
    Files.createDirectories(base.resolve("outside/precious"));
    directories = new Directories(root);
  }

  private static void assertRefused(Attempt<?> attempt) {
    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Failed.class, f -> assertThat(f.why()).isInstanceOf(Failure.Rejected.class));
  }

  @Test
  void theSameVolumeIsTheSameDirectory() {
    Attempt<String> first = directories.create("pvc-1");
    assertThat(first)
        .isInstanceOf(Attempt.Done.class)
        .isEqualTo(directories.create("pvc-1"))
        .isNotEqualTo(directories.create("pvc-2"));
  }

  @Test
  void deletesATreeAndDeletingAgainIsDone() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createDirectories(Path.of(path, "a/b"));
    Files.writeString(Path.of(path, "a/b/file"), "data");
    assertThat(directories.delete(path)).isInstanceOf(Attempt.Done.class);
    assertThat(Path.of(path)).doesNotExist();
    assertThat(directories.delete(path)).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void aLinkWithinIsRemovedNotFollowed() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createSymbolicLink(Path.of(path, "link"), base.resolve("outside"));
    assertThat(directories.delete(path)).isInstanceOf(Attempt.Done.class);
    assertThat(base.resolve("outside/precious")).exists();
  }

  @Test
  void aLinkOnTheWayIsNotFollowed() throws IOException {
    Files.createSymbolicLink(root.resolve("way"), base.resolve("outside"));
    assertRefused(directories.delete(root + "/way/precious"));
    assertThat(base.resolve("outside/precious")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "relative",
        "%s",
        "%s/",
        "%s/../outside/precious",
        "%s/./x",
        "/data/tmp/x",
        "%s2/x"
      })
  void whatIsNotBelowTheRootIsRefused(String path) {
    assertRefused(directories.delete(path.replace("%s", root.toString())));
    assertThat(base.resolve("outside/precious")).exists();
    assertThat(root).exists();
  }
}
