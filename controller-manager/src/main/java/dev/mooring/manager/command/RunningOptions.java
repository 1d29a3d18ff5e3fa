package dev.mooring.manager.command;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Which running process is meant. */
final class RunningOptions {
  private static final String USUAL = "127.0.0.1:10277";

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      description = "Where it answers. Default: ${DEFAULT-VALUE}.")
  private String endpoints = USUAL;

  /** It, for questions that may take so long. */
  LocalEndpoint at(Duration timeout) {
    return new LocalEndpoint(endpoints, timeout);
  }

  /** It does not know who asks. */
  UsageException secret(int code) {
    return new UsageException(
        "--endpoints "
            + endpoints
            + " answers "
            + code
            + ": run this as the user that it runs as, on the same machine or in the same container");
  }

  /** It answered, otherwise than it does. */
  UsageException strange(int code) {
    return new UsageException("--endpoints " + endpoints + " answers " + code + ": is it mooring?");
  }

  /** It did not answer. */
  UsageException unreachable(Exception why) {
    return new UsageException(
        "--endpoints "
            + endpoints
            + " cannot be reached ("
            + why.getClass().getSimpleName()
            + "): name the HOST:PORT that the running process logged");
  }
}
