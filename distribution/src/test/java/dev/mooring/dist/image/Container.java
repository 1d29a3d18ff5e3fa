package dev.mooring.dist.image;

import dev.mooring.testkit.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A process in a root of its own that nothing can be written to but {@code /tmp}, as a container's
 * is; its network is this machine's. Who is root starts it as the image's user, who is not, as the
 * root of a user namespace.
 */
final class Container implements AutoCloseable {
  private static final String SCRIPT =
      """
      set -e
      root=$1; files=$2; user=$3; shift 3
      mount --bind "$root" "$root"
      mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
      cp "$files"/* "$root/tmp/"; chmod 644 "$root"/tmp/*
      mount --rbind /proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -o remount,ro,bind "$root"
      exec chroot $user "$root" "$@"
      """;

  private final Process process;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private Container(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static List<String> command(Path root, Path files) {
    List<String> command = new ArrayList<>(List.of("unshare", "-m"));
    if (!root()) {
      command.add("-r");
    }
    String user = root() ? "--userspec=" + RootFilesystem.USER + ":" + RootFilesystem.USER : "";
    command.addAll(List.of("sh", "-c", SCRIPT, "sh", root.toString(), files.toString(), user));
    return command;
  }

  /**
   * Starts one.
   *
   * @param root the unpacked image
   * @param files a folder whose files are in {@code /tmp}; at least one
   */
  static Container start(Path root, Path files, List<String> command) throws IOException {
    for (String mounted : List.of("proc", "dev", "tmp")) {
      Files.createDirectories(root.resolve(mounted));
    }
    List<String> all = command(root.toAbsolutePath(), files.toAbsolutePath());
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("LANG", "C.UTF-8");
    return new Container(builder.start());
  }

  private void read() {
    try (BufferedReader in = process.inputReader()) {
      in.lines().forEach(said::add);
    } catch (IOException | UncheckedIOException ended) {
      // with the process
    }
  }

  /** Waits for a line. */
  String awaitLine(Predicate<String> wanted) {
    Patience.until(
        () -> "the line is not in " + said,
        () -> said.stream().anyMatch(wanted) || !process.isAlive());
    return said.stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new AssertionError("it ended: " + said));
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** What it has said so far. */
  List<String> said() {
    return said;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
