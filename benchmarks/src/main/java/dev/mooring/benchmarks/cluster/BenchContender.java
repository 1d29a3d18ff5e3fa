package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import dev.mooring.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A competitor in the benchmark. */
sealed interface BenchContender {
  String title();

  /** A contender that runs as a separate process. */
  sealed interface StartableContender extends BenchContender {
    /**
     * Starts the process.
     *
     * @param lease Lease that the process must acquire; empty for a process without election
     * @param log file for stdout and stderr
     */
    RunningProcess start(Path kubeconfig, ClusterWork work, Optional<ObjectKey> lease, Path log)
        throws IOException;
  }

  private static List<String> electionFlags(Optional<ObjectKey> lease) {
    return lease
        .map(key ->
            List.of(
                "--leader-elect=true",
                "--leader-elect-resource-namespace=" + key.namespace(),
                "--leader-elect-resource-name=" + key.name()))
        .orElse(List.of("--leader-elect=false"));
  }

  /** Mooring, started by its launcher, which trains the class cache if it is missing. */
  record MooringProcess(Path launcher) implements StartableContender {
    @Override
    public String title() {
      return "mooring";
    }

    @Override
    public RunningProcess start(
        Path kubeconfig, ClusterWork work, Optional<ObjectKey> lease, Path log) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  launcher.toString(),
                  "run",
                  "--mode=replace",
                  "--kubeconfig=" + kubeconfig,
                  "--endpoints=off",
                  "--kube-api-qps=0",
                  "--controllers=" + String.join(",", work.controllers()),
                  "--enable-hostpath-provisioner=true"));
      command.addAll(electionFlags(lease));
      return RunningProcess.of(command, log);
    }
  }

  /**
   * Another controller.
   *
   * @param command command line with the placeholder {@link #KUBECONFIG}, and with {@link
   *     #ELECTION} for takeovers
   */
  record PeerProcess(String command) implements StartableContender {
    static final String KUBECONFIG = "{kubeconfig}";
    static final String ELECTION = "{election}";

    private static final String CONTROLLERS = "{controllers}";

    @Override
    public String title() {
      return "peer";
    }

    @Override
    public RunningProcess start(
        Path kubeconfig, ClusterWork work, Optional<ObjectKey> lease, Path log) throws IOException {
      String commandLine =
          command
              .replace(KUBECONFIG, kubeconfig.toString())
              .replace(ELECTION, String.join(" ", electionFlags(lease)))
              .replace(CONTROLLERS, String.join(",", work.controllers()));
      return RunningProcess.of(List.of("sh", "-c", "exec " + commandLine), log);
    }
  }

  /** A client that makes the same writes without decisions: the upper bound. */
  record BareClient() implements BenchContender {
    @Override
    public String title() {
      return "bare client";
    }
  }

  record RunningProcess(Process process, Path log) implements AutoCloseable {
    private static RunningProcess of(List<String> command, Path log) throws IOException {
      return new RunningProcess(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
              .start(),
          log);
    }

    ProcessUsage usage() throws IOException {
      return ProcessUsage.of(process.pid());
    }

    /** Throws {@link IllegalStateException} with the end of the log if the process has exited. */
    void requireAlive() throws IOException {
      if (!process.isAlive()) {
        List<String> output = Files.readAllLines(log);
        throw new IllegalStateException(
            "the process exited with code %s: %s"
                .formatted(
                    process.exitValue(),
                    String.join(
                        "\n", output.subList(Math.max(0, output.size() - 20), output.size()))));
      }
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }
}
