package dev.mooring.it.soak;

import dev.mooring.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.Yaml;

/**
 * A memory limit like that of a container: a cgroup of version 1 or 2, depending on the machine. It
 * requires the right to create cgroups.
 */
final class MemoryLimit implements AutoCloseable {
  private static final Path CHART_VALUES = Path.of("deploy", "chart", "values.yaml");

  private final Path group;
  private final boolean isVersion1;

  private MemoryLimit(Path group, boolean isVersion1) {
    this.group = group;
    this.isVersion1 = isVersion1;
  }

  /** Returns the memory limit of the project's chart in bytes. */
  static long readFromChart() throws IOException {
    Path values = Path.of(System.getProperty("mooring.root", "..")).resolve(CHART_VALUES);
    Map<String, Map<String, Map<String, String>>> chart = new Yaml().load(Files.readString(values));
    String limit = chart.get("resources").get("limits").get("memory");
    return Quantity.of(limit).toBytesCeiling();
  }

  /**
   * Creates a cgroup with the limit below the cgroup of this process, or below its nearest ancestor
   * in which this process may create one.
   */
  static Optional<MemoryLimit> of(String name, long bytes) throws IOException {
    Optional<String> version1Path = readMembership(":memory:");
    Optional<String> groupPath = version1Path.isPresent() ? version1Path : readMembership("0::");
    Optional<Path> mount = findMount(version1Path.isPresent());
    if (groupPath.isEmpty() || mount.isEmpty()) {
      return Optional.empty();
    }
    Path mountPath = mount.get();
    for (Path parent = mountPath.resolve(groupPath.get().substring(1));
        parent.startsWith(mountPath);
        parent = parent.getParent()) {
      MemoryLimit limit = new MemoryLimit(parent.resolve(name), version1Path.isPresent());
      if (limit.tryCreate(bytes)) {
        return Optional.of(limit);
      }
    }
    return Optional.empty();
  }

  /** Returns the path of this process's cgroup, from the line that contains the marker. */
  private static Optional<String> readMembership(String marker) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
        .filter(line -> line.contains(marker))
        .map(line -> line.substring(line.indexOf(marker) + marker.length()))
        .findFirst();
  }

  private static Optional<Path> findMount(boolean isVersion1) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
        .filter(line ->
            isVersion1
                ? line.contains(" - cgroup ") && line.matches(".*[ ,]memory(,.*)?")
                : line.contains(" - cgroup2 "))
        .map(line -> Path.of(line.split(" ")[4]))
        .findFirst();
  }

  /** Creates the cgroup; returns false if the process must not create it or set its limit. */
  private boolean tryCreate(long bytes) throws IOException {
    try {
      Files.createDirectory(group);
    } catch (IOException notPermitted) {
      return false;
    }
    try {
      write(isVersion1 ? "memory.limit_in_bytes" : "memory.max", Long.toString(bytes));
      // without swap, as on Kubernetes nodes
      Path swap = group.resolve(isVersion1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
      if (Files.exists(swap)) {
        write(swap.getFileName().toString(), isVersion1 ? Long.toString(bytes) : "0");
      }
      return true;
    } catch (IOException unsupported) {
      Files.delete(group);
      return false;
    }
  }

  private void write(String file, String value) throws IOException {
    if (!Files.exists(group.resolve(file))) {
      throw new IOException(group + " has no " + file);
    }
    Files.writeString(group.resolve(file), value);
  }

  /** Returns the prefix that runs a command in the cgroup. */
  List<String> commandPrefix() {
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", group + "/cgroup.procs");
  }

  /** Returns how many processes the limit has killed. */
  long killedCount() throws IOException {
    String events =
        Files.readString(group.resolve(isVersion1 ? "memory.oom_control" : "memory.events"));
    return events
        .lines()
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
        .findFirst()
        .orElseThrow(() -> new IOException(group + " does not count killed processes: " + events));
  }

  /** Returns the maximum usage including the page cache; empty if the kernel does not report it. */
  Optional<Long> peakUsage() throws IOException {
    Path file = group.resolve(isVersion1 ? "memory.max_usage_in_bytes" : "memory.peak");
    return Files.exists(file)
        ? Optional.of(Long.parseLong(Files.readString(file).strip()))
        : Optional.empty();
  }

  /** Requires that all processes of the cgroup have ended. */
  @Override
  public void close() throws IOException {
    Files.delete(group);
  }
}
