package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Deleter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deletes in processes that have less than the test has: descriptors, rights. */
@Timeout(300)
class ConfinedTest {
  private static final int NOBODY = 65534;

  @TempDir private Path base;

  /** Deletes a directory below a root. */
  static final class Deletion {
    private Deletion() {}

    static void main(String[] args) {
      System.out.println(
          new Directories(Path.of(args[0]))
              .delete(
                  new Deleter.Request(
                      "by-hand", VolumeSource.hostPath(args[1]), Quantity.of("1Gi"), Map.of())));
    }
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.strip();
  }

  private static List<String> java(List<String> before, String... after) throws Exception {
    List<String> places = new ArrayList<>();
    for (Class<?> each : List.of(Deleter.class, Directories.class, ConfinedTest.class)) {
      places.add(
          Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return Stream.of(
            before,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                String.join(":", places)),
            List.of(after))
        .flatMap(List::stream)
        .collect(Collectors.toList());
  }

  /** As many descriptors as it is deep are more than that process has. */
  @Test
  void howeverDeepItIsItIsRemoved() throws Exception {
    Path deepest = Files.createDirectory(base.resolve("v"));
    for (int i = 0; i < 1500; i++) {
      deepest = Files.createDirectory(deepest.resolve("d"));
    }
    List<String> limit = List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh");
    assertThat(run(java(limit, Deletion.class.getName(), base.toString(), base + "/v")))
        .isEqualTo("Done[value=Gone[]]");
    assertThat(base.resolve("v")).doesNotExist();
  }

  /** Others may have directories on the way that they let one pass, and not look into. */
  @Test
  void whatLeadsThereNeedNotBeReadable() throws Exception {
    Path mine = Files.createDirectories(base.resolve("mid/mine/v/deep"));
    List<String> before = new ArrayList<>();
    if ((int) Files.getAttribute(base, "unix:uid") == 0) {
      before.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
      for (Path at = mine; !at.equals(base.getParent()); at = at.getParent()) {
        Files.setAttribute(at, "unix:uid", NOBODY);
      }
    }
    assumeTrue(
        run(java(before, "-version")).startsWith("openjdk"),
        "skipped: no process of another user here");
    mode("-wx--x--x");
    try {
      assertThat(run(java(before, Deletion.class.getName(), base.toString(), base + "/mid/mine/v")))
          .isEqualTo("Done[value=Gone[]]");
    } finally {
      mode("rwxr-xr-x");
    }
    assertThat(base.resolve("mid/mine")).isEmptyDirectory();
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(base.resolve("mid"), PosixFilePermissions.fromString(mode));
  }
}
