package dev.mooring.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Resources that a process has used so far, from {@code /proc}.
 *
 * @param cpuSeconds CPU time
 * @param residentMib current resident memory
 * @param peakMib peak resident memory
 */
public record ProcessUsage(double cpuSeconds, long residentMib, long peakMib) {
  private static final double TICKS = 100; // per second, on every common Linux

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

  /** Returns the same without the CPU time that the process had used at an earlier moment. */
  public ProcessUsage since(double earlierCpuSeconds) {
    return new ProcessUsage(cpuSeconds - earlierCpuSeconds, residentMib, peakMib);
  }

  private static long kib(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
