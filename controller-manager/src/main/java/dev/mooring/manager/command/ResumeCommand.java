package dev.mooring.manager.command;

import dev.mooring.manager.telemetry.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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
  public Integer call() throws UsageException, InterruptedException {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(running.url(Endpoints.RESUME)))
                  .header(Endpoints.HEADER, "resume-deletions")
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw running.strange(answer.statusCode());
      }
      System.out.println("deletions go on");
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      throw running.unreachable(e);
    }
  }
}
