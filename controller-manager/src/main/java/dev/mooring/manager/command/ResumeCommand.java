package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointServer;
import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "resume-deletions",
    description =
        "Resumes the deletions that the circuit breaker of 'mooring run' on this machine has stopped. First prints its cluster, its leader and the volumes. Asks for confirmation unless --yes or --endpoints names the process.",
    mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Mixin private final RunningOptions running = new RunningOptions();

  @Option(names = "--yes", description = "Resume without confirmation.")
  private boolean yes;

  public ResumeCommand() {}

  @Override
  public Integer call() throws UsageException {
    boolean isToBeConfirmed = !yes && running.isDefault();
    if (isToBeConfirmed && System.console() == null) {
      throw new InvalidFlagException(
          "nothing was resumed: the address is the default one; confirm with --yes, or name the process with --endpoints HOST:PORT");
    }
    try {
      LocalEndpoint.Answer description = send("GET");
      if (description.code() == 200) {
        System.out.println(description.body());
      }
      if (isToBeConfirmed && !isConfirmed()) {
        System.err.println("mooring: nothing was resumed");
        return 1;
      }
      LocalEndpoint.Answer answer = send("POST");
      if (answer.code() == 503) {
        System.err.println("mooring: " + answer.body());
        return 1;
      }
      if (answer.code() != 200) {
        throw running.unexpectedAnswer(answer.code());
      }
      System.out.println("deletions resumed");
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }

  private LocalEndpoint.Answer send(String method) throws IOException, UsageException {
    LocalEndpoint.Answer answer =
        running
            .at(TIMEOUT)
            .send(
                method,
                EndpointServer.RESUME_PATH,
                Map.of(EndpointServer.COMMAND_HEADER, "resume-deletions"));
    if (answer.code() == 401 || answer.code() == 403) {
      throw running.secret(answer.code());
    }
    return answer;
  }

  private static boolean isConfirmed() {
    Console console = System.console();
    String answer =
        console == null ? null : console.readLine("Resume the deletions of this process? [y/N] ");
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
