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
 * @param heapMib live heap: the old generation after a full collection, which is forced only rarely
 *     so that the program's own collections dominate
 * @param collected time of that collection in seconds
 * @param threads of the operating system
 * @param files open files, including sockets
 */
record ResourceSample(
    double seconds,
    double residentMib,
    double heapMib,
    double collected,
    double threads,
    double files) {
  private static final double BETWEEN_COLLECTIONS = 60; // seconds
  private static final Pattern USED = Pattern.compile("Tenured .* used (\\d+)K");
  private static final double KIB = 1024;

  /** Measures the process; {@code last} is its previous sample. */
  static ResourceSample of(long pid, double seconds, Optional<ResourceSample> last)
      throws IOException, InterruptedException {
    Path process = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(process.resolve("status"));
    double files;
    try (Stream<Path> open = Files.list(process.resolve("fd"))) {
      files = open.count();
    }
    double heap = last.map(ResourceSample::heapMib).orElse(0.0);
    double collected = last.map(ResourceSample::collected).orElse(-BETWEEN_COLLECTIONS);
    if (seconds - collected >= BETWEEN_COLLECTIONS) {
      jcmd(pid, "GC.run");
      heap = heap(jcmd(pid, "GC.heap_info"));
      collected = seconds;
    }
    return new ResourceSample(
        seconds, field(status, "VmRSS") / KIB, heap, collected, field(status, "Threads"), files);
  }

  private static double heap(String info) {
    double kib = 0;
    for (Matcher used = USED.matcher(info); used.find(); ) {
      kib += Long.parseLong(used.group(1));
    }
    return kib / KIB;
  }

  private static long field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "-J-XX:TieredStopAtLevel=1",
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!jcmd.waitFor(1, TimeUnit.MINUTES) || jcmd.exitValue() != 0) {
      throw new IOException("jcmd " + command + " says: " + output);
    }
    return output;
  }
}
