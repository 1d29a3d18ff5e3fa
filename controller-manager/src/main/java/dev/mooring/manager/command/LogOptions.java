package dev.mooring.manager.command;

import dev.mooring.manager.telemetry.LogSetup;
import picocli.CommandLine.Option;

final class LogOptions {
  @Option(
      names = "--logging-format",
      description = "Log format: text or json. Default: ${DEFAULT-VALUE}.")
  private String format = "text";

  @Option(
      names = {"-v", "--v"},
      paramLabel = "N",
      description = "Log level; 2 and above enable debug messages. Default: ${DEFAULT-VALUE}.")
  private int verbosity;

  void configure() throws UsageException {
    if (!format.equals("text") && !format.equals("json")) {
      throw new InvalidFlagException(
          "--logging-format " + format + " is unknown: specify text or json");
    }
    LogSetup.configure(format.equals("json"), verbosity >= 2, false);
  }
}
