package dev.mooring.manager.command;

import dev.mooring.manager.telemetry.Logs;
import picocli.CommandLine.Option;

/** What is logged, and how. */
final class LogOptions {
  @Option(names = "--logging-format", description = "text or json. Default: ${DEFAULT-VALUE}.")
  private String format = "text";

  @Option(
      names = {"-v", "--v"},
      paramLabel = "N",
      description = "From 2 on, more is logged. Default: ${DEFAULT-VALUE}.")
  private int verbosity;

  void configure() throws UsageException {
    if (!format.equals("text") && !format.equals("json")) {
      throw new WrongFlagException(
          "--logging-format " + format + " is not known: name text or json");
    }
    Logs.configure(format.equals("json"), verbosity >= 2, false);
  }
}
