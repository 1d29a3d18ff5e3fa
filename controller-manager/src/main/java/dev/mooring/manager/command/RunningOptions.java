package dev.mooring.manager.command;

import picocli.CommandLine.Option;

/** Which running process is meant. */
final class RunningOptions {
  private static final String USUAL = "127.0.0.1:10277";

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      defaultValue = USUAL,
      description = "Where it answers. Default: ${DEFAULT-VALUE}.")
  private String endpoints = USUAL;

  RunningOptions() {}

  /** The address of that page. */
  String url(String path) {
    return "http://" + endpoints + path;
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
