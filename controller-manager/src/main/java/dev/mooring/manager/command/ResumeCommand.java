package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.Endpoints;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets deletions go on that the circuit breaker holds back. */
@Command(
    name = "resume-deletions",
    description =
        "Lets deletions go on that the circuit breaker of a running 'mooring run' on this machine holds back.",
    mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
  @Mixin private final RunningOptions running = new RunningOptions();

  /** For picocli. */
  public ResumeCommand() {}

  @Override
  public Integer call() throws UsageException {
    try {
      LocalEndpoint.Answer answer =
          running
              .at(Duration.ofSeconds(10))
              .ask("POST", Endpoints.RESUME, Map.of(Endpoints.HEADER, "resume-deletions"));
      if (answer.code() == 401 || answer.code() == 403) {
        throw running.secret(answer.code());
      }
      if (answer.code() == 503) {
        System.err.println("mooring: " + answer.body());
        return 1;
      }
      if (answer.code() != 200) {
        throw running.strange(answer.code());
      }
      System.out.println("deletions go on");
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }
}
