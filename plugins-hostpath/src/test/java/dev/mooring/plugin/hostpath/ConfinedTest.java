package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletes in processes with fewer descriptors or rights than the test. */
class ConfinedTest {
  private static final int NOBODY = 65534;
  private static final int ROUNDS = 5000;

  @TempDir private Path base;

  static final class Deletion {
    private Deletion() {}

    static void main(String[] args) {
      System.out.println(delete(args[0], args[1]));
    }

    static Attempt<Deleted> delete(String root, String path) {
      return new HostPathDirectories(Path.of(root))
          .delete(
              new Deleter.Request(
                  "by-hand", VolumeSource.hostPath(path), Quantity.of("1Gi"), Map.of()));
    }
  }

  static final class Deletions {
    private Deletions() {}

    static void main(String[] args) {
      int deletedCount = 0;
      for (int i = 0; i < ROUNDS; i++) {
        deletedCount += Deletion.delete(args[0], args[1]) instanceof Attempt.Done<Deleted> ? 1 : 0;
      }
      System.out.println(deletedCount > 0 ? "ended" : "nothing was deleted");
    }
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip();
  }

  private static List<String> java(List<String> prefix, String... arguments) throws Exception {
    List<String> classPath = new ArrayList<>();
    for (Class<?> type : List.of(Deleter.class, HostPathDirectories.class, ConfinedTest.class)) {
      classPath.add(
          Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return Stream.of(
            prefix,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                String.join(":", classPath)),
            List.of(arguments))
        .flatMap(List::stream)
        .collect(Collectors.toList());
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /** Returns a command prefix that runs as another user, who owns the path. */
  private List<String> unprivileged(Path path) throws Exception {
    List<String> prefix = new ArrayList<>();
    if (isRoot()) {
      prefix.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
      for (Path directory = path;
          !directory.equals(base.getParent());
          directory = directory.getParent()) {
        Files.setAttribute(directory, "unix:uid", NOBODY);
      }
    }
    assumeTrue(
        run(java(prefix, "-version")).startsWith("openjdk"),
        "skipped: no process of another user here");
    return prefix;
  }

  /** The process has fewer descriptors than the tree has levels. */
  @Test
  void delete_treeDeeperThanDescriptors_succeeds() throws Exception {
    Path deepest = Files.createDirectory(base.resolve("v"));
    for (int i = 0; i < 1500; i++) {
      deepest = Files.createDirectory(deepest.resolve("d"));
    }
    List<String> limit = List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh");
    assertThat(run(java(limit, Deletion.class.getName(), base.toString(), base + "/v")))
        .isEqualTo("Done[value=Deleted[]]");
    assertThat(base.resolve("v")).doesNotExist();
  }

  /** Parents may allow passing through and forbid listing. */
  @Test
  void delete_unreadableParents_succeeds() throws Exception {
    Path volumeDirectory = Files.createDirectories(base.resolve("mid/mine/v/deep"));
    List<String> prefix = unprivileged(volumeDirectory);
    mode("-wx--x--x");
    try {
      assertThat(run(java(prefix, Deletion.class.getName(), base.toString(), base + "/mid/mine/v")))
          .isEqualTo("Done[value=Deleted[]]");
    } finally {
      mode("rwxr-xr-x");
    }
    assertThat(base.resolve("mid/mine")).isEmptyDirectory();
  }

  /** A parent belongs to another user; it may be entered and not listed. */
  @Test
  void delete_linkSwappedIntoUnreadablePath_deletesNothingOutside() throws Exception {
    Path volumeDirectory = Files.createDirectories(base.resolve("root/mid/mine"));
    Path outside = Files.createDirectories(base.resolve("outside/v/precious"));
    List<String> prefix = unprivileged(volumeDirectory);
    unprivileged(outside);
    Files.setPosixFilePermissions(
        base.resolve("root/mid"), PosixFilePermissions.fromString("-wx-wx-wx"));
    Path link = Files.createSymbolicLink(base.resolve("root/link"), base.resolve("outside"));
    AtomicBoolean attacking = new AtomicBoolean(true);
    Thread attacker = Thread.ofPlatform().start(() -> swap(volumeDirectory, link, attacking));
    try {
      assertThat(
              run(
                  java(
                      prefix,
                      Deletions.class.getName(),
                      base.resolve("root").toString(),
                      volumeDirectory + "/v")))
          .isEqualTo("ended");
    } finally {
      attacking.set(false);
      attacker.join();
      Files.setPosixFilePermissions(
          base.resolve("root/mid"), PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    assertThat(outside).isDirectory();
  }

  private static void swap(Path volumeDirectory, Path link, AtomicBoolean attacking) {
    Path movedPath = link.resolveSibling("aside");
    try {
      while (attacking.get()) {
        if (!Files.exists(volumeDirectory.resolve("v"))) {
          Files.createDirectory(volumeDirectory.resolve("v"));
        }
        Files.move(volumeDirectory, movedPath);
        Files.move(link, volumeDirectory);
        Files.move(volumeDirectory, link);
        Files.move(movedPath, volumeDirectory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(base.resolve("mid"), PosixFilePermissions.fromString(mode));
  }
}
