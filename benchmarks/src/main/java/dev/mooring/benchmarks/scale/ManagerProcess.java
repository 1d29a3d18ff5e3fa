package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.benchmarks.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The assembled jar as a separate process, observed through {@code /proc}. It writes its output to
 * manager.log.
 */
final class ManagerProcess implements AutoCloseable {
  private static final double IDLE_CORES = 0.05;
  private static final PollingWait LOG_LINE = PollingWait.of(10, 60);
  private static final PollingWait IDLE = PollingWait.of(0, 60); // each poll takes a second

  private final Process process;
  private final Path log;

  private ManagerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static ManagerProcess start(ApiServer server, String... flags) throws IOException {
    List<String> allFlags =
        new ArrayList<>(List.of("--mode=replace", "--leader-elect=false", "--endpoints=off"));
    allFlags.addAll(List.of(flags));
    return of(server, List.of(), "run", allFlags);
  }

  static ManagerProcess console(ApiServer server) throws IOException {
    return of(server, List.of("-XX:MaxNewSize=16m"), "console", List.of("--listen=127.0.0.1:0"));
  }

  static ManagerProcess shadow(ApiServer server) throws IOException {
    return of(server, List.of(), "shadow", List.of("--compat=kcm"));
  }

  private static ManagerProcess of(
      ApiServer server, List<String> extraJvmFlags, String subcommand, List<String> flags)
      throws IOException {
    Path kubeconfig = Files.createTempFile("mooring-bench", "config");
    kubeconfig.toFile().deleteOnExit();
    Files.writeString(kubeconfig, server.kubeconfig());
    Path jar =
        Path.of(
            System.getProperty(
                "mooring.jar", "controller-manager/target/mooring/mooring-controller-manager.jar"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(launcherFlags());
    command.addAll(extraJvmFlags);
    command.addAll(
        List.of("-jar", jar.toString(), subcommand, "--kubeconfig", kubeconfig.toString()));
    command.addAll(flags);
    Path log = Path.of(System.getProperty("bench.out", "benchmarks/target"), "manager.log");
    Files.createDirectories(log.toAbsolutePath().getParent());
    return new ManagerProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
            .start(),
        log);
  }

  /**
   * Returns the flags that the launcher passes to the JVM, so that the benchmark runs what users
   * run.
   */
  private static List<String> launcherFlags() {
    String flags = System.getProperty("mooring.flags", "");
    if (flags.isEmpty()) {
      throw new IllegalStateException(
          "the JVM flags of the launcher are missing: run './mooring bench'");
    }
    return List.of(flags.split(" "));
  }

  String awaitLine(String text) throws IOException, InterruptedException {
    LOG_LINE.await(() -> findLine(text).isPresent() || !isAlive());
    Optional<String> line = findLine(text);
    if (line.isEmpty()) {
      throw new IllegalStateException(
          "the log does not contain '" + text + "': " + String.join("\n", Files.readAllLines(log)));
    }
    return line.get();
  }

  private Optional<String> findLine(String text) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains(text)).findFirst();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Throws if the process has exited, so that no caller waits for it.
   *
   * @throws IllegalStateException if it has exited
   */
  void requireAlive() {
    if (!isAlive()) {
      throw new IllegalStateException("the process has exited; see " + log);
    }
  }

  void awaitIdle() throws IOException, InterruptedException {
    IDLE.until("the process is not idle", () -> measureCores(1) < IDLE_CORES);
  }

  double measureCores(int seconds) throws IOException, InterruptedException {
    long start = ticks();
    Thread.sleep(seconds * 1000L);
    return (ticks() - start) / 100.0 / seconds;
  }

  long ticks() throws IOException {
    return Math.round(usage().cpuSeconds() * 100);
  }

  long residentMib() throws IOException {
    return usage().residentMib();
  }

  long peakMib() throws IOException {
    return usage().peakMib();
  }

  private ProcessUsage usage() throws IOException {
    return ProcessUsage.of(process.pid());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
