package dev.mooring.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Use of a machine's CPUs by other processes, which distorts measurements. */
final class MachineLoad {
  private static final double MAX_BUSY = 0.15; // of all CPUs, before a benchmark
  private static final double MAX_STEAL = 0.05;
  private static final long SAMPLE_MILLIS = 1_000;

  /** Counters of /proc/stat since the machine started, in ticks. */
  record CpuTicks(long total, long idle, long steal) {
    /**
     * Parses the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
     */
    static CpuTicks parse(String line) {
      long[] values =
          Arrays.stream(line.trim().split("\\s+"))
              .skip(1)
              .limit(8)
              .mapToLong(Long::parseLong)
              .toArray();
      return new CpuTicks(Arrays.stream(values).sum(), values[3] + values[4], values[7]);
    }

    private CpuTicks minus(CpuTicks earlier) {
      return new CpuTicks(total - earlier.total, idle - earlier.idle, steal - earlier.steal);
    }

    private double busyShare() {
      return total == 0 ? 0 : (double) (total - idle) / total;
    }

    private double stealShare() {
      return total == 0 ? 0 : (double) steal / total;
    }
  }

  private final Path folder;
  private final CpuTicks beforeSample;
  private final CpuTicks start;
  private final String startAverages;

  private MachineLoad(Path folder, CpuTicks beforeSample, CpuTicks start, String startAverages) {
    this.folder = folder;
    this.beforeSample = beforeSample;
    this.start = start;
    this.startAverages = startAverages;
  }

  /** Samples the machine for a second, before a benchmark. */
  static MachineLoad sample() throws IOException, InterruptedException {
    Path folder = Path.of("/proc");
    CpuTicks beforeSample = readTicks(folder);
    Thread.sleep(SAMPLE_MILLIS);
    return new MachineLoad(folder, beforeSample, readTicks(folder), readAverages(folder));
  }

  private static CpuTicks readTicks(Path folder) throws IOException {
    Path file = folder.resolve("stat");
    return Files.exists(file)
        ? CpuTicks.parse(Files.readAllLines(file).getFirst())
        : new CpuTicks(0, 0, 0);
  }

  private static String readAverages(Path folder) throws IOException {
    Path file = folder.resolve("loadavg");
    return Files.exists(file) ? Files.readString(file).split(" ")[0] : "unknown";
  }

  /** Returns the load before and after a benchmark, and whether its figures can be judged. */
  String report() throws IOException {
    return describe(
        start.minus(beforeSample),
        readTicks(folder).minus(start),
        startAverages,
        readAverages(folder));
  }

  static String describe(CpuTicks before, CpuTicks during, String startAverage, String endAverage) {
    String load =
        "machine: CPUs %.0f %% busy before, load average %s before and %s after, steal %.1f %%"
            .formatted(
                100 * before.busyShare(), startAverage, endAverage, 100 * during.stealShare());
    return before.busyShare() <= MAX_BUSY && during.stealShare() <= MAX_STEAL
        ? load
        : load + "; too busy to judge: stop other processes and repeat the benchmark";
  }
}
