package dev.mooring.manager.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ConfigOptions {
  @Option(
      names = ConfigFile.FLAG,
      paramLabel = "FILE",
      description =
          "YAML file of flags: names without dashes, and lists for repeatable flags. Flags on the command line replace those of the file.")
  @Nullable Path file;
}
