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
  record Answer(int code, String out) {}

  private final Path program;
  private final Path home;
  private final Path kubeconfig;

  private Kubectl(Path program, Path home, Path kubeconfig) {
    this.program = program;
    this.home = home;
    this.kubeconfig = kubeconfig;
  }

  /** Returns the program named by -Dmooring.kubectl, else the first on PATH. */
  static Optional<Path> find() {
    String named = System.getProperty("mooring.kubectl", "");
    Stream<Path> places =
        named.isEmpty()
            ? Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "kubectl"))
            : Stream.of(Path.of(named));
    return places.filter(Files::isExecutable).findFirst();
  }

  /**
   * Writes the kubeconfig into the folder, which also is the home directory, so that caches are
   * empty.
   */
  static Kubectl of(Path program, Path folder, String kubeconfig) throws IOException {
    return new Kubectl(
        program, folder, Files.writeString(folder.resolve("kubeconfig"), kubeconfig));
  }

  /** Starts kubectl with standard error redirected to standard output. */
  Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("HOME", home.toString());
    builder.directory(home.toFile());
    return builder.start();
  }

  /** Runs kubectl with that standard input, for at most a minute. */
  Answer with(String input, String... args) throws IOException, InterruptedException {
    Process process = start(args);
    try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
      stdin.write(input);
    }
    Thread killer =
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
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    killer.interrupt();
    return new Answer(code, out);
  }

  Answer run(String... args) throws IOException, InterruptedException {
    return with("", args);
  }
}
