package dev.mooring.manager.command;

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
