package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.Await;
import dev.mooring.benchmarks.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The assembled jar as a process of its own, watched through {@code /proc}; what it says goes to
 * manager.log.
 */
final class ManagerProcess implements AutoCloseable {
  private static final double AT_REST_CORES = 0.05;
  private static final Await SAYING = Await.of(10, 60);
  private static final Await REST = Await.of(0, 60); // a look takes a second

  private final Process process;
  private final Path log;

  private ManagerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts the controllers against the server, with these flags. */
  static ManagerProcess start(ApiServer server, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of("--leader-elect=false", "--endpoints=off"));
    all.addAll(List.of(flags));
    return of(server, List.of(), "run", all);
  }

  /** Starts the page, with what the launcher says to the JVM for it. */
  static ManagerProcess console(ApiServer server) throws IOException {
    return of(server, List.of("-XX:MaxNewSize=16m"), "console", List.of("--listen=127.0.0.1:0"));
  }

  private static ManagerProcess of(
      ApiServer server, List<String> ofCommand, String subcommand, List<String> flags)
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
    command.addAll(flagsOfTheLauncher());
    command.addAll(ofCommand);
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

  /** What is measured is what is delivered. */
  private static List<String> flagsOfTheLauncher() {
    String flags = System.getProperty("mooring.flags", "");
    if (flags.isEmpty()) {
      throw new IllegalStateException(
          "the launcher has not said what it gives the JVM: run './mooring bench'");
    }
    return List.of(flags.split(" "));
  }

  /** The first line that it has said with that in it, once it has said it. */
  String awaitLine(String part) throws IOException, InterruptedException {
    SAYING.comes(() -> line(part).isPresent() || !isAlive());
    Optional<String> said = line(part);
    if (said.isEmpty()) {
      throw new IllegalStateException(
          "it has not said '" + part + "': " + String.join("\n", Files.readAllLines(log)));
    }
    return said.get();
  }

  private Optional<String> line(String part) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains(part)).findFirst();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Whoever waits for what it does, waits in vain without it.
   *
   * @throws IllegalStateException if it has ended
   */
  void mustLive() {
    if (!isAlive()) {
      throw new IllegalStateException("the process has ended; see " + log);
    }
  }

  /** Until the process does next to nothing. */
  void awaitRest() throws IOException, InterruptedException {
    REST.until("the process is still busy", () -> cores(1) < AT_REST_CORES);
  }

  /** How many cores it uses during the next seconds. */
  double cores(int seconds) throws IOException, InterruptedException {
    long before = ticks();
    Thread.sleep(seconds * 1000L);
    return (ticks() - before) / 100.0 / seconds;
  }

  /** The processor time it has used, in hundredths of a second. */
  long ticks() throws IOException {
    return Math.round(usage().cpuSeconds() * 100);
  }

  long residentMib() throws IOException {
    return usage().residentMib();
  }

  /** The most that its resident memory ever was. */
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
