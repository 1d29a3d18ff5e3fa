package dev.mooring.dist.image;

import dev.mooring.testkit.TestWait;
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
 * A process in a read-only root with a writable {@code /tmp}, like a container, but with the
 * network of this machine. If this process is root, the container runs as the image's user;
 * otherwise as the root of a user namespace.
 */
final class ImageContainer implements AutoCloseable {
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
  private final List<String> output = new CopyOnWriteArrayList<>();

  private ImageContainer(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::readOutput);
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static List<String> command(Path root, Path files) {
    List<String> command = new ArrayList<>(List.of("unshare", "-m"));
    if (!isRoot()) {
      command.add("-r");
    }
    String user = isRoot() ? "--userspec=" + RootFilesystem.USER + ":" + RootFilesystem.USER : "";
    command.addAll(List.of("sh", "-c", SCRIPT, "sh", root.toString(), files.toString(), user));
    return command;
  }

  /**
   * Starts a container.
   *
   * @param root unpacked image
   * @param files directory whose files are copied to {@code /tmp}; at least one
   */
  static ImageContainer start(Path root, Path files, List<String> command) throws IOException {
    for (String mountPoint : List.of("proc", "dev", "tmp")) {
      Files.createDirectories(root.resolve(mountPoint));
    }
    List<String> wholeCommand = command(root.toAbsolutePath(), files.toAbsolutePath());
    wholeCommand.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(wholeCommand).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("LANG", "C.UTF-8");
    return new ImageContainer(builder.start());
  }

  private void readOutput() {
    try (BufferedReader in = process.inputReader()) {
      in.lines().forEach(output::add);
    } catch (IOException | UncheckedIOException e) {
      // the stream is closed with the process
    }
  }

  /** Waits for a matching line of output. */
  String awaitLine(Predicate<String> condition) {
    TestWait.until(
        () -> "no such line in " + output,
        () -> output.stream().anyMatch(condition) || !process.isAlive());
    return output.stream()
        .filter(condition)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the process has exited: " + output));
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** Returns the output so far. */
  List<String> output() {
    return output;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
