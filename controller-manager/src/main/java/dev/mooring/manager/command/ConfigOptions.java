package dev.mooring.manager.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where more flags stand: see {@link ConfigFile}, which reads them before all others. */
final class ConfigOptions {
  @Option(
      names = ConfigFile.FLAG,
      paramLabel = "FILE",
      description =
          "YAML file of flags, by their names without dashes; lists for those that may be given several times. A flag on the command line replaces the file's.")
  @Nullable Path file;
}
