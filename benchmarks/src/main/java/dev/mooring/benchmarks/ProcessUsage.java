package dev.mooring.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has used so far, as {@code /proc} tells it.
 *
 * @param cpuSeconds the processor's time
 * @param residentMib its resident memory now
 * @param peakMib the most that this ever was
 */
public record ProcessUsage(double cpuSeconds, long residentMib, long peakMib) {
  private static final double TICKS = 100; // a second, on every Linux that is used

  /** Those of the process of that number. */
  public static ProcessUsage of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    List<String> status = Files.readAllLines(process.resolve("status"));
    return new ProcessUsage(
        (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS,
        kib(status, "VmRSS") / 1024,
        kib(status, "VmHWM") / 1024);
  }

  private static long kib(List<String> status, String what) {
    return status.stream()
        .filter(line -> line.startsWith(what + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
