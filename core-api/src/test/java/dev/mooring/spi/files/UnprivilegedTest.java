package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.spi.UsageMeter.Usage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operations of a process without root's privileges. If the test runs as root, it starts a process
 * of another user.
 */
class UnprivilegedTest {
  private static final int NOBODY = 65534;

  @TempDir private Path folder;

  /** Removes a directory in a separate process. */
  static final class Removal {
    private Removal() {}

    static void main(String[] args) throws Exception {
      DirectoryTree.at(Path.of(args[0])).remove(RelativePath.of(args[1]));
    }
  }

  /** Prints the usage of a directory in a separate process. */
  static final class Measurement {
    private Measurement() {}

    static void main(String[] args) throws Exception {
      System.out.print(DirectoryTree.at(Path.of(args[0])).measure(RelativePath.of(args[1])));
    }
  }

  private static String classPath(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  private static void setMode(Path path, String mode) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static boolean isRoot() throws Exception {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /**
   * Returns a command that runs Java without root's privileges; skips the test if the platform has
   * no such command.
   */
  private List<String> unprivileged() throws Exception {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(":", classPath(DirectoryTree.class), classPath(UnprivilegedTest.class))));
    List<String> version = new ArrayList<>(command);
    version.addAll(List.of("-version"));
    assumeTrue(run(version).startsWith("0 "), "skipped: cannot start a process of another user");
    return command;
  }

  private void changeOwner(Path deepest) throws Exception {
    if (isRoot()) {
      for (Path directory = deepest;
          !directory.equals(folder.getParent());
          directory = directory.getParent()) {
        Files.setAttribute(directory, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mid/mine/v", "mid/inner/mine/v"})
  void remove_behindUnreadableDirectory_succeeds(String path) throws Exception {
    changeOwner(Files.createDirectories(folder.resolve(path + "/deep")));
    Path inner = Files.createDirectories(folder.resolve("mid/inner"));
    List<String> command = unprivileged();
    setMode(inner, "-wx--x--x");
    setMode(folder.resolve("mid"), "-wx--x--x");
    command.addAll(List.of(Removal.class.getName(), folder.toString(), path));
    try {
      assertThat(run(command)).isEqualTo("0 ");
    } finally {
      setMode(folder.resolve("mid"), "rwxr-xr-x");
      setMode(inner, "rwxr-xr-x");
    }
    assertThat(folder.resolve(path)).doesNotExist();
    assertThat(folder.resolve(path).getParent()).isDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "mid/link/v, ../outside",
    "mid/link/v, ../other",
    "mid/link/sub/v, ../outside",
    "mid/mine/link/v, ../../outside"
  })
  void remove_linkBehindUnreadableDirectory_throws(String path, String target) throws Exception {
    changeOwner(Files.createDirectories(folder.resolve("mid/mine")));
    for (String name : List.of("outside", "other")) {
      changeOwner(Files.createDirectories(folder.resolve(name).resolve("sub/v/precious")));
      changeOwner(Files.createDirectories(folder.resolve(name).resolve("v/precious")));
    }
    Path link = folder.resolve(path.substring(0, path.indexOf("link") + 4));
    Files.createSymbolicLink(link, Path.of(target));
    List<String> command = unprivileged();
    setMode(folder.resolve("mid"), "-wx--x--x");
    command.addAll(List.of(Removal.class.getName(), folder.toString(), path));
    try {
      assertThat(run(command)).contains("NotDirectoryException");
    } finally {
      setMode(folder.resolve("mid"), "rwxr-xr-x");
    }
    for (String name : List.of("outside", "other")) {
      assertThat(folder.resolve(name).resolve("v/precious")).isDirectory();
      assertThat(folder.resolve(name).resolve("sub/v/precious")).isDirectory();
    }
  }

  // the walk queues directories at depth 64
  @ParameterizedTest
  @ValueSource(ints = {0, 63})
  void measure_unreadableDirectory_countsTheOthers(int depth) throws Exception {
    String parent = "v" + "/d".repeat(depth);
    Path readable = Files.createDirectories(folder.resolve(parent + "/a"));
    Files.write(readable.resolve("f"), new byte[1000]);
    changeOwner(readable);
    Path unreadable = Files.createDirectory(folder.resolve(parent + "/b"));
    Files.write(unreadable.resolve("f"), new byte[10]);
    assertThat(measureUnprivileged(unreadable)).isEqualTo("0 " + new Usage(1000, depth + 3, 1));
  }

  @Test
  void measure_unreadableVolume_countsIt() throws Exception {
    changeOwner(folder);
    Path unreadable = Files.createDirectory(folder.resolve("v"));
    Files.write(unreadable.resolve("f"), new byte[10]);
    assertThat(measureUnprivileged(unreadable)).isEqualTo("0 " + new Usage(0, 0, 1));
  }

  private String measureUnprivileged(Path unreadable) throws Exception {
    List<String> command = unprivileged();
    setMode(unreadable, "---------");
    command.addAll(List.of(Measurement.class.getName(), folder.toString(), "v"));
    try {
      return run(command);
    } finally {
      setMode(unreadable, "rwxr-xr-x");
    }
  }

  /** Moving a directory to another parent requires write permission on it; removing it does not. */
  @Test
  void remove_emptyReadOnlyDirectory_succeeds() throws Exception {
    Path deep = Files.createDirectories(folder.resolve("v/a/ro"));
    changeOwner(deep);
    List<String> command = unprivileged();
    setMode(deep, "r-xr-xr-x");
    command.addAll(List.of(Removal.class.getName(), folder.toString(), "v"));
    assertThat(run(command)).isEqualTo("0 ");
    assertThat(folder.resolve("v")).doesNotExist();
  }
}
