package dev.mooring.manager.command;

import dev.mooring.cluster.RbacRule;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerActions;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.ManagerRights;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.shadow.ElectionRehearsal;
import dev.mooring.text.NameSuggestion;
import dev.mooring.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Creates a manager from the flags of {@code run}, for embedding and tests. Its default mode is
 * {@code replace}, because the caller's server has no other volume controllers.
 */
@Command
public final class RunFlags {
  @Mixin private final RunOptions options = new RunOptions();

  private RunFlags() {}

  /**
   * Returns the manager of {@code mooring run} with these flags. Ignores flags of controllers that
   * are not built yet.
   */
  public static ControllerManager manager(
      List<String> flags, Path plugins, KubeConnection connection)
      throws UsageException, InterruptedException {
    RunFlags command = parsed(flags);
    try {
      return new ControllerManager(
          command.options.config(),
          connection,
          PluginRegistry.read(
              new PluginRegistry.Config(
                  plugins,
                  command.options.settings(),
                  command.options.pluginTimeout(),
                  null,
                  command.options.pluginScan().isPositive())),
          Optional.empty());
    } catch (IOException unwritable) {
      throw new UsageException(String.valueOf(unwritable.getMessage()));
    }
  }

  /** Returns the manager of {@code mooring shadow} with these flags, whose actions are recorded. */
  public static ControllerManager shadow(
      List<String> flags, Path plugins, KubeConnection connection, ManagerActions actions)
      throws UsageException, InterruptedException {
    RunFlags command = parsed(flags);
    connection.forbidWrites();
    return new ControllerManager(
        command.options.shadowConfig(),
        connection,
        PluginRegistry.read(
            new PluginRegistry.Config(
                plugins, command.options.settings(), command.options.pluginTimeout(), null, false)),
        actions);
  }

  /**
   * Returns the rehearsal of {@code mooring run --rehearse} with these flags. The caller registers
   * it with the manager.
   */
  public static ElectionRehearsal rehearsal(
      List<String> flags, Path plugins, KubeConnection connection, Time time)
      throws UsageException {
    RunFlags command = parsed(flags);
    return command
        .options
        .rehearsal()
        .newRehearsal(
            command.options.config(),
            connection,
            new PluginRegistry.Config(
                plugins, command.options.settings(), command.options.pluginTimeout(), null, false),
            time);
  }

  public static List<RbacRule> rightsOfShadow(List<String> flags) throws UsageException {
    return ManagerRights.ofObserver(parsed(flags).options.shadowConfig());
  }

  public static ManagerConfig config(List<String> flags) throws UsageException {
    return parsed(flags).options.config();
  }

  public static List<RbacRule> rights(List<String> flags) throws UsageException {
    return ManagerRights.of(parsed(flags).options.config());
  }

  public static List<RbacRule> rightsToUninstall(List<String> flags) throws UsageException {
    return parsed(flags).options.uninstallConfig().rights();
  }

  public static List<RbacRule> rightsOfPage(List<String> flags) throws UsageException {
    return ManagerRights.ofPage(parsed(flags).options.page());
  }

  // Rejects values of a flag that are not flags of the controllers, which parsed ignores.
  static void require(String flag, List<String> values) throws InvalidFlagException {
    CommandLine line = line(new RunFlags());
    try {
      line.parseArgs(values.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw new InvalidFlagException(flag + ": " + e.getMessage());
    }
    if (!line.getUnmatchedArguments().isEmpty()) {
      String value = line.getUnmatchedArguments().getFirst();
      String name = value.replaceFirst("=.*", "");
      throw new InvalidFlagException(
          "%s %s is not a flag of the controllers of 'mooring run'%s"
              .formatted(
                  flag,
                  value,
                  NameSuggestion.to(name, line.getCommandSpec().optionsMap().keySet())
                      .map(near -> ": did you mean \"" + near + "\"?")
                      .orElse(": see 'mooring run --help'")));
    }
  }

  private static RunFlags parsed(List<String> flags) {
    RunFlags command = new RunFlags();
    command.options.replaceByDefault();
    line(command).parseArgs(flags.toArray(String[]::new));
    return command;
  }

  private static CommandLine line(RunFlags command) {
    return FlagTypes.commandLine(command)
        .setOverwrittenOptionsAllowed(true)
        .setUnmatchedArgumentsAllowed(true);
  }
}
