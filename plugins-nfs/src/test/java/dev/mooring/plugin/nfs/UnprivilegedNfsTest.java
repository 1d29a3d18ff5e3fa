package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.testkit.FixedContext;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If the test runs as root, it starts a process of another user. */
class UnprivilegedNfsTest {
  private static final int NOBODY = 65534;

  @TempDir private Path mount;

  /** Provisions a volume whose directory belongs to root. */
  static final class Provisioning {
    private Provisioning() {}

    static void main(String[] args) {
      System.out.print(
          new StartedNfsPlugin(Path.of(args[0]), "/export")
              .provision("pvc-1", "c", Map.of("uid", "0", "pathPattern", "a/b")));
    }
  }

  private static String classPath(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  private List<String> javaCommand() throws Exception {
    List<String> command = new ArrayList<>();
    if ((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
      Files.setAttribute(mount, "unix:uid", NOBODY);
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    return command;
  }

  @Test
  void provision_ownerCannotBeSet_leavesNoRecord() throws Exception {
    List<String> version = javaCommand();
    version.add("-version");
    assumeTrue(run(version).startsWith("0 "), "skipped: cannot start a process of another user");
    List<String> command = javaCommand();
    command.addAll(
        List.of(
            "-cp",
            Stream.of(
                    NfsPlugin.class,
                    StartedNfsPlugin.class,
                    DirectoryTree.class,
                    FixedContext.class)
                .map(UnprivilegedNfsTest::classPath)
                .collect(Collectors.joining(":")),
            Provisioning.class.getName(),
            mount.toString()));
    assertThat(run(command))
        .startsWith("0 Failed[failure=Unreachable[message=creating a directory");
    assertThat(mount.resolve("a/b")).doesNotExist();
    assertThat(mount.resolve(".mooring/volumes")).isEmptyDirectory();
    assertThat(mount.resolve(".mooring/paths")).isEmptyDirectory();
    assertThat(mount.resolve(".mooring/new")).isEmptyDirectory();
  }
}
