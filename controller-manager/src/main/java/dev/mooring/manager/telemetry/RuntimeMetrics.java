package dev.mooring.manager.telemetry;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Metrics of the program, its process and its JVM, with the names of Prometheus' libraries.
 * Prometheus' own instrumentation would add three jars to the image for these few families.
 */
final class RuntimeMetrics implements MetricsSource {
  private static final double MILLIS = 1000;
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @Override
  public void addTo(MetricFamilies families) {
    families.info(
        "mooring_build",
        "Version of Mooring and of the Java runtime; the value is always 1.",
        "version",
        Optional.ofNullable(RuntimeMetrics.class.getPackage().getImplementationVersion())
            .orElse("development"),
        "java_version",
        Runtime.version().toString());
    addProcess(families);
    addJvm(families);
  }

  private static void addProcess(MetricFamilies families) {
    families
        .gauge(
            "process_start_time_seconds", "Start time of the process since unix epoch in seconds.")
        .put(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(Duration::toMillis)
        .ifPresent(millis ->
            families
                .counter("process_cpu_seconds", "Total user and system CPU time spent in seconds.")
                .put(millis / MILLIS));
    residentBytes()
        .ifPresent(bytes ->
            families
                .gauge("process_resident_memory_bytes", "Resident memory size in bytes.")
                .put(bytes));
    openDescriptors()
        .ifPresent(count ->
            families.gauge("process_open_fds", "Number of open file descriptors.").put(count));
  }

  /** Reads the field VmRSS, in KiB; absent on systems without /proc. */
  private static Optional<Long> residentBytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException unsupported) {
      return Optional.empty();
    }
  }

  private static Optional<Long> openDescriptors() {
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      return Optional.of(descriptors.count());
    } catch (IOException unsupported) {
      return Optional.empty();
    }
  }

  private static void addJvm(MetricFamilies families) {
    MetricFamilies.Numbers used =
        families.gauge("jvm_memory_used_bytes", "Used bytes of a given JVM memory area.");
    MetricFamilies.Numbers max =
        families.gauge("jvm_memory_max_bytes", "Max (bytes) of a given JVM memory area.");
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    used.put(heap.getUsed(), "area", "heap");
    used.put(other.getUsed(), "area", "nonheap");
    max.put(heap.getMax(), "area", "heap");
    max.put(other.getMax(), "area", "nonheap");
    MetricFamilies.Sums collections =
        families.summary(
            "jvm_gc_collection_seconds", "Time spent in a given JVM garbage collector in seconds.");
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections.put(
          collector.getCollectionCount(),
          collector.getCollectionTime() / MILLIS,
          "gc",
          collector.getName());
    }
    families
        .gauge("jvm_threads_current", "Current thread count of a JVM.")
        .put(ManagementFactory.getThreadMXBean().getThreadCount());
  }
}
