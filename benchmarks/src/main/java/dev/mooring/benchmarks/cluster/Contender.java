package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Who does the work. */
sealed interface Contender {
  String title();

  /** Somebody whose process has to be started. */
  sealed interface Startable extends Contender {
    /**
     * Starts it.
     *
     * @param kubeconfig the way to the server
     * @param work what it will have to do
     * @param log where it says what it does
     */
    Running start(Path kubeconfig, Work work, Path log) throws IOException;
  }

  /**
   * Mooring as its launcher starts it, with a cache of classes that is trained if it is missing.
   */
  record Mooring(Path launcher) implements Startable {
    @Override
    public String title() {
      return "mooring";
    }

    @Override
    public Running start(Path kubeconfig, Work work, Path log) throws IOException {
      return Running.of(
          List.of(
              launcher.toString(),
              "run",
              "--kubeconfig=" + kubeconfig,
              "--endpoints=off",
              "--leader-elect=false",
              "--kube-api-qps=0",
              "--controllers=" + String.join(",", work.controllers()),
              "--enable-hostpath-provisioner=true"),
          log);
    }
  }

  /**
   * Another controller.
   *
   * @param command its command line, with {@link #KUBECONFIG} in it
   */
  record Peer(String command) implements Startable {
    /** What stands for its kubeconfig. */
    static final String KUBECONFIG = "{kubeconfig}";

    private static final String CONTROLLERS = "{controllers}";

    @Override
    public String title() {
      return "peer";
    }

    @Override
    public Running start(Path kubeconfig, Work work, Path log) throws IOException {
      String whole =
          command
              .replace(KUBECONFIG, kubeconfig.toString())
              .replace(CONTROLLERS, String.join(",", work.controllers()));
      return Running.of(List.of("sh", "-c", "exec " + whole), log);
    }
  }

  /** A client that makes the same writes and decides nothing: the limit. */
  record Bare() implements Contender {
    @Override
    public String title() {
      return "bare client";
    }
  }

  /**
   * A process.
   *
   * @param log where it writes
   */
  record Running(Process process, Path log) implements AutoCloseable {
    private static Running of(List<String> command, Path log) throws IOException {
      return new Running(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
              .start(),
          log);
    }

    ProcessUsage usage() throws IOException {
      return ProcessUsage.of(process.pid());
    }

    /** {@link IllegalStateException} with what it has said if it has ended. */
    void mustLive() throws IOException {
      if (!process.isAlive()) {
        List<String> said = Files.readAllLines(log);
        throw new IllegalStateException(
            "it ended with code "
                + process.exitValue()
                + ": "
                + String.join("\n", said.subList(Math.max(0, said.size() - 20), said.size())));
      }
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }
}
