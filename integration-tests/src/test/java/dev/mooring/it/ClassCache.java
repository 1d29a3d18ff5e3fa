package dev.mooring.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Archive of loaded and linked Mooring classes, as the launcher keeps it: without one a start takes
 * twice the CPU time, and the tests start many processes. The first test process that needs it
 * creates it, once per build of the jar.
 */
final class ClassCache {
  private static final int LONGEST_SECONDS = 120;

  private static List<String> flags = List.of();
  private static boolean looked;

  private ClassCache() {}

  /** Returns the JVM flags; empty if the archive cannot be created, since it is optional. */
  static synchronized List<String> flags(List<String> java, Path jar) {
    if (!looked) {
      looked = true;
      try {
        flags = made(java, jar);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
    return flags;
  }

  private static List<String> made(List<String> java, Path jar)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "class-cache"));
    Path cache = folder.resolve(version(jar) + ".aot");
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock alone = channel.lock()) {
      if (alone.isValid() && !Files.exists(cache)) {
        train(java, jar, cache);
      }
    }
    return Files.exists(cache)
        ? List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off")
        : List.of();
  }

  /**
   * Identifies the jars: the JVM compares only the first one and would accept stale classes of the
   * others.
   */
  private static String version(Path jar) throws IOException {
    List<Path> jars = new ArrayList<>(List.of(jar));
    try (Stream<Path> libraries = Files.list(jar.resolveSibling("lib"))) {
      libraries.sorted().forEach(jars::add);
    }
    CRC32 sum = new CRC32();
    for (Path one : jars) {
      String entry =
          one.getFileName() + " " + Files.getLastModifiedTime(one) + " " + Files.size(one);
      sum.update(entry.getBytes(StandardCharsets.UTF_8));
    }
    return Long.toHexString(sum.getValue());
  }

  private static void train(List<String> java, Path jar, Path cache)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(java);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-XX:AOTCacheOutput=" + cache,
            "-Dmooring.training=true",
            "-jar",
            jar.toString(),
            "demo"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(cache);
    }
  }
}
