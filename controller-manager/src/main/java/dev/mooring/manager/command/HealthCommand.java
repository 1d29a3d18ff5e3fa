package dev.mooring.manager.command;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks a running process how it is: what a probe of a container without a shell runs. */
@Command(
    name = "health",
    description =
        "Asks a running 'mooring run' on this machine whether it is ready, or alive: for probes. Exit code 0 if it is, else 1.",
    mixinStandardHelpOptions = true)
public final class HealthCommand implements Callable<Integer> {
  @Mixin private final RunningOptions running = new RunningOptions();

  @Option(
      names = "--live",
      description = "Ask whether it is alive, not whether it is ready. Default: ${DEFAULT-VALUE}.")
  private boolean live;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "5s",
      converter = GoDuration.class,
      description = "How long the answer may take. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(5);

  /** For picocli. */
  public HealthCommand() {}

  @Override
  public Integer call() throws UsageException {
    String path = live ? "/livez" : "/readyz";
    try {
      LocalEndpoint.Answer answer = running.at(timeout).ask("GET", path, Map.of());
      if (answer.code() == HttpURLConnection.HTTP_OK) {
        System.out.println("ok");
        return 0;
      }
      System.err.println("mooring: " + path + " answers " + answer.code() + ": " + answer.body());
      return 1;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }
}
