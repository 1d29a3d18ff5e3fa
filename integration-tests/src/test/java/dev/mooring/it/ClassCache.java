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
 * An archive of loaded and linked Mooring classes, like that of the launcher. It halves the CPU
 * time of a start, and the tests start many processes. The first test process that needs the
 * archive creates it, once per build of the jar.
 */
final class ClassCache {
  private static final int MAX_TRAINING_SECONDS = 120;

  private static List<String> flags = List.of();
  private static boolean isPrepared;

  private ClassCache() {}

  /** Returns the JVM flags that use the archive; empty if the archive cannot be created. */
  static synchronized List<String> flags(List<String> java, Path jar) {
    if (!isPrepared) {
      isPrepared = true;
      try {
        flags = prepare(java, jar);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
    return flags;
  }

  private static List<String> prepare(List<String> java, Path jar)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "class-cache"));
    Path cache = folder.resolve(checksumOf(jar) + ".aot");
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !Files.exists(cache)) {
        train(java, jar, cache);
      }
    }
    return Files.exists(cache)
        ? List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off")
        : List.of();
  }

  /**
   * Returns a value that identifies all jars. The JVM compares only the first jar and would accept
   * stale classes of the others.
   */
  private static String checksumOf(Path jar) throws IOException {
    List<Path> jars = new ArrayList<>(List.of(jar));
    try (Stream<Path> libraries = Files.list(jar.resolveSibling("lib"))) {
      libraries.sorted().forEach(jars::add);
    }
    CRC32 checksum = new CRC32();
    for (Path file : jars) {
      String entry =
          file.getFileName() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
      checksum.update(entry.getBytes(StandardCharsets.UTF_8));
    }
    return Long.toHexString(checksum.getValue());
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
    if (!process.waitFor(MAX_TRAINING_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(cache);
    }
  }
}
