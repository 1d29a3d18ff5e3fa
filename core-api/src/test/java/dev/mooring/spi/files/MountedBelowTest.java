package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pod may mount a file system below its volume and propagate it to the node. Its contents must
 * survive the removal of the volume. Runs in a separate mount namespace.
 */
class MountedBelowTest {
  @TempDir private Path folder;

  /** Removes a directory in a separate process. */
  static final class Removal {
    private Removal() {}

    static void main(String[] args) throws Exception {
      DirectoryTree.at(Path.of(args[0])).remove(RelativePath.of("v"));
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  private static String classPath(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static boolean canMount() throws InterruptedException {
    try {
      return run("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").startsWith("0 ");
    } catch (IOException none) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v", "v/m", "v/a/m", "v/a/b/m"})
  void remove_fileSystemMountedBelow_keepsItsContents(String mountPath) throws Exception {
    assumeTrue(canMount(), "skipped: no private mount namespace (unshare -rm)");
    Path mountPoint = Files.createDirectories(folder.resolve(mountPath));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // the removal may have moved the parent up: search everywhere for the mounted files
    String script =
        "mount -t tmpfs none \"$1\" && mkdir \"$1/d\" && touch \"$1/f\" \"$1/d/f\" || exit 9\n"
            + "\"$2\" -cp \"$3\" \"$4\" \"$5\" 2>&1; echo \"ended with $?\"\n"
            + "find \"$5\" -name f\n";
    String output =
        run(
            "unshare",
            "-rm",
            "sh",
            "-c",
            script,
            "sh",
            mountPoint.toString(),
            java,
            String.join(
                ":", List.of(classPath(DirectoryTree.class), classPath(MountedBelowTest.class))),
            Removal.class.getName(),
            folder.toString());
    assertThat(output).contains("ended with 1").contains("Device or resource busy");
    assertThat(output.lines().filter(line -> line.startsWith(folder.toString()))).hasSize(2);
  }
}
