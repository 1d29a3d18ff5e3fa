package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories of any shape that a tenant may create in a volume. {@code
 * -Dmooring.files.nested=70000} nests deeper.
 */
class HostileTreesTest {
  private static final int NESTED = Integer.getInteger("mooring.files.nested", 3_000);

  @TempDir private Path folder;

  /** Measures a directory and prints its usage. */
  static final class Measurement {
    private Measurement() {}

    static void main(String[] args) throws Exception {
      System.out.println(DirectoryTree.at(Path.of(args[0])).measure(RelativePath.of("v")));
    }
  }

  /** JUnit's extension for temporary directories takes hours for deep trees. */
  @AfterEach
  void removeDirectories() throws Exception {
    DirectoryTree.at(folder).remove(RelativePath.of("v"));
  }

  /** Nests directories, innermost first, to keep all paths short. */
  private void nest(int depth, int siblings) throws IOException {
    Path inner = Files.createDirectory(folder.resolve("v"));
    for (int level = 1; level < depth; level++) {
      Path outer = Files.createDirectory(folder.resolve("outer"));
      Files.move(inner, outer.resolve("d"));
      for (int i = 1; i < siblings; i++) {
        Files.createDirectory(outer.resolve("s" + i));
      }
      Files.move(outer, inner);
    }
  }

  private String measureInSmallHeap() throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n 256 && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx20m",
                "-cp",
                String.join(":", classPath(DirectoryTree.class), classPath(HostileTreesTest.class)),
                Measurement.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip();
  }

  private static String classPath(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  @Test
  void measure_deepAndWideDirectories_needsLittleMemory() throws Exception {
    nest(1500, 8);
    assertThat(measureInSmallHeap()).isEqualTo(new Usage(0, 1499 * 8).toString());
  }

  @Test
  void measure_manyDirectoriesInOne_needsLittleMemory() throws Exception {
    Path wide = Files.createDirectories(folder.resolve("v/wide"));
    for (int i = 0; i < 5_000; i++) {
      Files.createDirectory(wide.resolve("a-name-of-a-directory-that-takes-some-room-" + i));
    }
    assertThat(measureInSmallHeap()).isEqualTo(new Usage(0, 5_001).toString());
  }

  @Test
  void tree_deeperThanAnyPath_isRemovedButNotMeasured() throws Exception {
    nest(NESTED, 2);
    DirectoryTree tree = DirectoryTree.at(folder);
    assertThatThrownBy(() -> tree.measure(RelativePath.of("v")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("more than 2048 directories deep");
    removeDirectories();
    assertThat(folder.resolve("v")).doesNotExist();
  }

  @Test
  void measure_deepDirectoriesWithManySiblings_fails() throws Exception {
    nest(70, 1);
    Path deep = folder.resolve("v");
    for (int i = 1; i < 64; i++) {
      deep = deep.resolve("d");
    }
    for (int i = 0; i <= 10_000; i++) {
      Files.createDirectory(deep.resolve("w" + i));
    }
    assertThatThrownBy(() -> DirectoryTree.at(folder).measure(RelativePath.of("v")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("10000 directories");
  }

  @Test
  void measure_filesAtEveryDepth_countsAll() throws Exception {
    nest(200, 1);
    Path directory = folder.resolve("v");
    for (int i = 1; i < 200; i++) {
      Files.write(directory.resolve("f"), new byte[10]);
      directory = directory.resolve("d");
    }
    Files.createSymbolicLink(directory.resolve("up"), Path.of(".."));
    assertThat(DirectoryTree.at(folder).measure(RelativePath.of("v")))
        .isEqualTo(new Usage(199 * 10 + 2, 199 + 199 + 1));
  }
}
