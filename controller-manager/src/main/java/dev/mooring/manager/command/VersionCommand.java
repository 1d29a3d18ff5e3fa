package dev.mooring.manager.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Says which version this is. */
@Command(
    name = "version",
    description = "Says which version this is.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
public final class VersionCommand implements Callable<Integer>, IVersionProvider {
  /** For picocli. */
  public VersionCommand() {}

  /** The version alone. */
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
