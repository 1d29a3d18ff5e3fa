package dev.mooring.manager.command;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "health",
    description =
        "Checks whether a running 'mooring run' on this machine is ready or alive. For container probes. Exit code 0: yes; 1: no.",
    mixinStandardHelpOptions = true)
public final class HealthCommand implements Callable<Integer> {
  @Mixin private final RunningOptions running = new RunningOptions();

  @Option(
      names = "--live",
      description = "Check liveness instead of readiness. Default: ${DEFAULT-VALUE}.")
  private boolean live;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Timeout of the check. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(5);

  public HealthCommand() {}

  @Override
  public Integer call() throws UsageException {
    String path = live ? "/livez" : "/readyz";
    try {
      LocalEndpoint.Answer answer = running.at(timeout).send("GET", path, Map.of());
      if (answer.code() == HttpURLConnection.HTTP_OK) {
        System.out.println(answer.body());
        return 0;
      }
      System.err.println("mooring: " + path + " answers " + answer.code() + ": " + answer.body());
      return 1;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }
}
