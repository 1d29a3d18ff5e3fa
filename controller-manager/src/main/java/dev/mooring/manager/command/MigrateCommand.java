package dev.mooring.manager.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "migrate",
    description = "Translates the configuration of another provisioner to Mooring's.",
    mixinStandardHelpOptions = true,
    subcommands = {MigrateNfsSubdirCommand.class, MigrateLocalPathCommand.class},
    synopsisSubcommandLabel = "PROVISIONER")
public final class MigrateCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  public MigrateCommand() {}

  @Override
  public void run() {
    CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
    throw new ParameterException(line, "specify the provisioner: nfs-subdir or local-path");
  }
}
