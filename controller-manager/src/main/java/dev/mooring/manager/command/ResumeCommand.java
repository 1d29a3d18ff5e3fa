package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.EndpointServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "resume-deletions",
    description =
        "Resumes deletions that the deletion circuit breaker of a running 'mooring run' on this machine holds back.",
    mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
  @Mixin private final RunningOptions running = new RunningOptions();

  public ResumeCommand() {}

  @Override
  public Integer call() throws UsageException {
    try {
      LocalEndpoint.Answer answer =
          running
              .at(Duration.ofSeconds(10))
              .ask(
                  "POST", EndpointServer.RESUME, Map.of(EndpointServer.HEADER, "resume-deletions"));
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
      System.out.println("deletions resumed");
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }
}
