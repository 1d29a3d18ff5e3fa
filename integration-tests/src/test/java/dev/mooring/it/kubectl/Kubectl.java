package dev.mooring.it.kubectl;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine's kubectl, configured for one server. */
final class Kubectl {
  record Output(int exitCode, String text) {}

  private final Path program;
  private final Path homeFolder;
  private final Path kubeconfig;

  private Kubectl(Path program, Path homeFolder, Path kubeconfig) {
    this.program = program;
    this.homeFolder = homeFolder;
    this.kubeconfig = kubeconfig;
  }

  /** Returns the program named by -Dmooring.kubectl, else the first on PATH. */
  static Optional<Path> findProgram() {
    String configuredPath = System.getProperty("mooring.kubectl", "");
    Stream<Path> candidates =
        configuredPath.isEmpty()
            ? Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "kubectl"))
            : Stream.of(Path.of(configuredPath));
    return candidates.filter(Files::isExecutable).findFirst();
  }

  /**
   * Writes the kubeconfig into the folder. The folder is also the home directory, so that caches
   * are empty.
   */
  static Kubectl configure(Path program, Path folder, String kubeconfig) throws IOException {
    return new Kubectl(
        program, folder, Files.writeString(folder.resolve("kubeconfig"), kubeconfig));
  }

  /** Starts kubectl with standard error redirected to standard output. */
  Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("HOME", homeFolder.toString());
    builder.directory(homeFolder.toFile());
    return builder.start();
  }

  /** Runs kubectl with a standard input and kills it after a minute. */
  Output runWithInput(String input, String... args) throws IOException, InterruptedException {
    Process process = start(args);
    try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
      stdin.write(input);
    }
    Thread killTimer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = process.waitFor();
    killTimer.interrupt();
    return new Output(exitCode, text);
  }

  Output run(String... args) throws IOException, InterruptedException {
    return runWithInput("", args);
  }
}
