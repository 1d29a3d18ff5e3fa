package dev.mooring.manager.command;

import dev.mooring.manager.help.HelpLayout;
import java.lang.reflect.Member;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Sections of the flags of {@code run}, as in docs/flags.md. */
public final class FlagSections implements HelpLayout.Sections {
  private static final Set<String> LIKE_RUN = Set.of("rights", "shadow", "uninstall");
  private static final String GENERAL = "General";
  private static final String CLUSTER = "Cluster";
  private static final String ELECTION = "Leader election";
  private static final String ENDPOINTS = "Endpoints, console and audit log";
  private static final String RECYCLE = "Recycle";
  private static final String ATTACH = "Attach and detach";
  private static final String DRIVERS = "CSI drivers";
  private static final String BINDER = "Bind, provision and reclaim";
  private static final String PLUGINS = "Plugins";
  private static final Set<String> CHOICES =
      Set.of("--mode", SecondManagerCheck.FLAG, "--controllers", "--compat");

  public FlagSections() {}

  @Override
  public List<String> headings() {
    return List.of(
        GENERAL, CLUSTER, ELECTION, ENDPOINTS, BINDER, RECYCLE, ATTACH, PLUGINS, DRIVERS);
  }

  @Override
  public boolean isLikeRun(CommandSpec command) {
    return LIKE_RUN.contains(command.name());
  }

  @Override
  public String headingOf(CommandSpec command, OptionSpec option) {
    if (isLikeRun(command) && (option.usageHelp() || option.versionHelp())) {
      return "";
    }
    return isLikeRun(command) || command.name().equals("run") ? of(option) : "";
  }

  /** Returns the heading of an option; "" if {@code run} does not have the option. */
  static String of(OptionSpec option) {
    if (!(option.userObject() instanceof Member field)) {
      return option.usageHelp() || option.versionHelp() ? GENERAL : "";
    }
    return switch (field.getDeclaringClass().getSimpleName()) {
      case "RunCommand", "ConfigOptions", "LogOptions", "FeatureGates", "AutoHelpMixin" -> GENERAL;
      case "ClusterOptions" -> CLUSTER;
      case "ElectionOptions", "RehearsalOptions" -> ELECTION;
      case "EndpointOptions", "TlsOptions", "ConsoleOptions", "AuditOptions" -> ENDPOINTS;
      case "RecycleOptions" -> RECYCLE;
      case "AttachOptions" -> ATTACH;
      case "PluginOptions", "PluginSettings", "ProvisionerOptions" -> PLUGINS;
      case "CsiOptions", "CsiSettings", "SnapshotSettings" -> DRIVERS;
      case "RunOptions" -> ofRun(option.longestName());
      default -> "";
    };
  }

  private static String ofRun(String name) {
    if (CHOICES.contains(name)) {
      return GENERAL;
    }
    if (name.startsWith("--kube-api-")) {
      return CLUSTER;
    }
    return name.startsWith("--plugin-") ? PLUGINS : BINDER;
  }
}
