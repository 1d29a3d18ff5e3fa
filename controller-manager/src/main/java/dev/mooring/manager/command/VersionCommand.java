package dev.mooring.manager.command;

import dev.mooring.text.LogMessage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

@Command(
    name = "version",
    description = "Prints the version.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
public final class VersionCommand implements Callable<Integer>, IVersionProvider {
  public VersionCommand() {}

  static String number() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static String version() {
    return "mooring " + number() + ", Java " + Runtime.version();
  }

  static LogMessage logLine() {
    return LogMessage.of("starting mooring")
        .with("version", number())
        .with("java", Runtime.version())
        .with("pid", ProcessHandle.current().pid());
  }

  @Override
  public Integer call() {
    System.out.println(version());
    return 0;
  }

  @Override
  public String[] getVersion() {
    return new String[] {version()};
  }
}
