package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process may do that is not root: in one of its own, where the test itself is root's. */
@Timeout(300)
class UnprivilegedTest {
  private static final int NOBODY = 65534;

  @TempDir private Path folder;

  /** Removes a directory there. */
  static final class Removal {
    private Removal() {}

    static void main(String[] args) throws Exception {
      DirectoryTree.at(Path.of(args[0])).remove(RelativePath.of("v"));
    }
  }

  private static String code(Class<?> of) throws Exception {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + said;
  }

  private static void mode(Path path, String mode) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  /** Only who may write into a directory may move it elsewhere; to remove it nobody has to. */
  @Test
  void anEmptyDirectoryThatMayNotBeWrittenIsRemoved() throws Exception {
    Path deep = Files.createDirectories(folder.resolve("v/a/ro"));
    List<String> command = new ArrayList<>();
    if ((int) Files.getAttribute(folder, "unix:uid") == 0) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
      for (Path at = deep; !at.equals(folder.getParent()); at = at.getParent()) {
        Files.setAttribute(at, "unix:uid", NOBODY);
      }
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(":", code(DirectoryTree.class), code(UnprivilegedTest.class))));
    List<String> version = new ArrayList<>(command);
    version.addAll(List.of("-version"));
    assumeTrue(run(version).startsWith("0 "), "skipped: no process of another user here");
    mode(deep, "r-xr-xr-x");
    command.addAll(List.of(Removal.class.getName(), folder.toString()));
    assertThat(run(command)).isEqualTo("0 ");
    assertThat(folder.resolve("v")).doesNotExist();
  }
}
