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
 * A memory limit like that of a container: a cgroup of version 1 or 2, depending on the machine.
 * Unavailable without the right to create cgroups.
 */
final class MemoryLimit implements AutoCloseable {
  private static final Path CHART = Path.of("deploy", "chart", "values.yaml");

  private final Path group;
  private final boolean first;

  private MemoryLimit(Path group, boolean first) {
    this.group = group;
    this.first = first;
  }

  /** The limit in the project's chart, in bytes. */
  static long ofTheChart() throws IOException {
    Path values = Path.of(System.getProperty("mooring.root", "..")).resolve(CHART);
    Map<String, Map<String, Map<String, String>>> chart = new Yaml().load(Files.readString(values));
    String limit = chart.get("resources").get("limits").get("memory");
    return Quantity.of(limit).toBytesCeiling();
  }

  /**
   * Creates a cgroup with the limit, below that of this process or its nearest writable ancestor.
   */
  static Optional<MemoryLimit> of(String name, long bytes) throws IOException {
    Optional<String> ofVersion1 = membership(":memory:");
    Optional<String> own = ofVersion1.isPresent() ? ofVersion1 : membership("0::");
    Optional<Path> mount = mount(ofVersion1.isPresent());
    if (own.isEmpty() || mount.isEmpty()) {
      return Optional.empty();
    }
    Path top = mount.get();
    for (Path at = top.resolve(own.get().substring(1)); at.startsWith(top); at = at.getParent()) {
      MemoryLimit made = new MemoryLimit(at.resolve(name), ofVersion1.isPresent());
      if (made.isMade(bytes)) {
        return Optional.of(made);
      }
    }
    return Optional.empty();
  }

  /** Returns this process's cgroup from the line that contains the mark. */
  private static Optional<String> membership(String mark) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
        .filter(line -> line.contains(mark))
        .map(line -> line.substring(line.indexOf(mark) + mark.length()))
        .findFirst();
  }

  private static Optional<Path> mount(boolean first) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
        .filter(line ->
            first
                ? line.contains(" - cgroup ") && line.matches(".*[ ,]memory(,.*)?")
                : line.contains(" - cgroup2 "))
        .map(line -> Path.of(line.split(" ")[4]))
        .findFirst();
  }

  private boolean isMade(long bytes) throws IOException {
    try {
      Files.createDirectory(group);
    } catch (IOException notAllowed) {
      return false;
    }
    try {
      write(first ? "memory.limit_in_bytes" : "memory.max", Long.toString(bytes));
      // nodes have no swap
      Path swap = group.resolve(first ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
      if (Files.exists(swap)) {
        write(swap.getFileName().toString(), first ? Long.toString(bytes) : "0");
      }
      return true;
    } catch (IOException noLimitsHere) {
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

  /** The command prefix that runs a command in the cgroup. */
  List<String> launcher() {
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", group + "/cgroup.procs");
  }

  /** Returns how many processes the limit has killed. */
  long killedCount() throws IOException {
    String events = Files.readString(group.resolve(first ? "memory.oom_control" : "memory.events"));
    return events
        .lines()
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
        .findFirst()
        .orElseThrow(() -> new IOException(group + " does not count what it kills: " + events));
  }

  /** Returns the maximum usage including the page cache; empty if the kernel does not report it. */
  Optional<Long> peakUsage() throws IOException {
    Path file = group.resolve(first ? "memory.max_usage_in_bytes" : "memory.peak");
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
