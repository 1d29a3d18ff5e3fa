package dev.mooring.it.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Resource usage of a process at a moment.
 *
 * @param seconds since the start of the soak
 * @param residentMib resident memory
 * @param heapMib the old generation after the last forced collection. Collections are forced
 *     rarely, because they replace collections of the program itself
 * @param collectedAt time of that collection in seconds since the start of the soak
 * @param threads of the operating system
 * @param files open files, including sockets
 */
record ResourceSample(
    double seconds,
    double residentMib,
    double heapMib,
    double collectedAt,
    double threads,
    double files) {
  private static final double COLLECTION_INTERVAL = 60; // seconds
  private static final Pattern USED = Pattern.compile("Tenured .* used (\\d+)K");
  private static final double KIB = 1024;

  /** Measures the process; {@code previous} is its previous sample. */
  static ResourceSample of(long pid, double seconds, Optional<ResourceSample> previous)
      throws IOException, InterruptedException {
    Path procFolder = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(procFolder.resolve("status"));
    double files;
    try (Stream<Path> entries = Files.list(procFolder.resolve("fd"))) {
      files = entries.count();
    }
    double heapMib = previous.map(ResourceSample::heapMib).orElse(0.0);
    double collectedAt = previous.map(ResourceSample::collectedAt).orElse(-COLLECTION_INTERVAL);
    if (seconds - collectedAt >= COLLECTION_INTERVAL) {
      runJcmd(pid, "GC.run");
      heapMib = parseHeapMib(runJcmd(pid, "GC.heap_info"));
      collectedAt = seconds;
    }
    return new ResourceSample(
        seconds,
        statusField(status, "VmRSS") / KIB,
        heapMib,
        collectedAt,
        statusField(status, "Threads"),
        files);
  }

  private static double parseHeapMib(String info) {
    double kib = 0;
    for (Matcher used = USED.matcher(info); used.find(); ) {
      kib += Long.parseLong(used.group(1));
    }
    return kib / KIB;
  }

  private static long statusField(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  private static String runJcmd(long pid, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "-J-XX:TieredStopAtLevel=1",
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new IOException("jcmd " + command + " failed: " + output);
    }
    return output;
  }
}
