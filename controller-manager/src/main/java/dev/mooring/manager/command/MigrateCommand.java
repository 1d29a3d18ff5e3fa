package dev.mooring.manager.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Translates what others were installed by. */
@Command(
    name = "migrate",
    description = "Writes Mooring's configuration for that of another provisioner.",
    mixinStandardHelpOptions = true,
    subcommands = {MigrateNfsSubdirCommand.class, MigrateLocalPathCommand.class},
    synopsisSubcommandLabel = "PROVISIONER")
public final class MigrateCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  public MigrateCommand() {}

  @Override
  public void run() {
    CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
    throw new ParameterException(line, "name whose configuration it is: nfs-subdir or local-path");
  }
}
