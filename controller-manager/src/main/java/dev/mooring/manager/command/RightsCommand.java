package dev.mooring.manager.command;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.manager.lifecycle.ManagerRights;
import dev.mooring.manager.rights.RbacRole;
import dev.mooring.manager.rights.RoleManifest;
import dev.mooring.model.ObjectKey;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "rights",
    description = "Prints the minimal RBAC roles for 'mooring run' with the same flags.",
    footer = {"", "Example:", "  mooring rights --mode=beside | kubectl apply -f -"},
    mixinStandardHelpOptions = true)
public final class RightsCommand implements Callable<Integer> {
  enum Output {
    yaml,
    table
  }

  @Option(
      names = {"-o", "--output"},
      description =
          "Output format. yaml: ServiceAccount, roles and bindings; table: rights with their purpose. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.yaml;

  @Option(names = "--name", description = "Name of roles and bindings. Default: ${DEFAULT-VALUE}.")
  private String name = "mooring";

  @Option(
      names = "--service-account",
      paramLabel = "NAME",
      description = "ServiceAccount of Mooring. Default: ${DEFAULT-VALUE}.")
  private String account = "mooring";

  @Option(
      names = "--namespace",
      description = "Namespace of the ServiceAccount. Default: ${DEFAULT-VALUE}.")
  private String namespace = "kube-system";

  @Option(
      names = "--secrets-namespaces",
      paramLabel = "LIST",
      split = ",",
      description =
          "Namespaces of the Secrets in the parameters of CSI StorageClasses. Default: that of the ServiceAccount.")
  private List<String> secrets = new ArrayList<>();

  @ArgGroup(multiplicity = "0..1")
  private OtherCommand otherCommand = new OtherCommand();

  static final class OtherCommand {
    @Option(
        names = "--console-only",
        description = "Print the rights of 'mooring console' at the address of --console.")
    private boolean page;

    @Option(
        names = "--uninstall",
        description = "Print the rights of 'mooring uninstall' after a run with these flags.")
    private boolean uninstall;

    @Option(
        names = "--shadow-only",
        description = "Print the rights of 'mooring shadow' with these flags.")
    private boolean shadow;

    OtherCommand() {}
  }

  @Mixin final ConfigOptions config = new ConfigOptions();

  @Mixin private final RunOptions options = new RunOptions();

  // accepts flags of a run that need no rights, so that a complete command line works
  @Mixin final ClusterOptions cluster = new ClusterOptions();
  @Mixin final PluginOptions plugins = new PluginOptions();
  @Mixin final LogOptions logs = new LogOptions();

  public RightsCommand() {}

  @Override
  public Integer call() throws UsageException {
    check("--name", name);
    check("--service-account", account);
    check("--namespace", namespace);
    for (String namespaceName : secrets) {
      check("--secrets-namespaces", namespaceName);
    }
    List<RbacRule> rights = rights();
    System.out.print(
        switch (output) {
          case yaml ->
              new RoleManifest(name, account, namespace)
                  .toYaml(
                      RbacRole.allowing(rights, secrets.isEmpty() ? List.of(namespace) : secrets));
          case table -> table(rights, TerminalWidth.ofOutput());
        });
    return 0;
  }

  private List<RbacRule> rights() throws UsageException {
    if (otherCommand.uninstall) {
      return options.uninstallConfig().rights();
    }
    if (otherCommand.shadow) {
      return ManagerRights.ofObserver(options.shadowConfig());
    }
    return otherCommand.page
        ? ManagerRights.ofPage(options.page())
        : ManagerRights.of(options.config());
  }

  private static void check(String flag, String value) throws UsageException {
    String flaw = new ObjectKey("", value).flaw();
    if (value.isEmpty() || !flaw.isEmpty()) {
      throw new InvalidFlagException(
          flag + " \"" + value + "\" is not a valid name" + (flaw.isEmpty() ? "" : ": " + flaw));
    }
  }

  static String table(List<RbacRule> rights, int width) {
    Map<String, TreeSet<RbacRule.Verb>> verbs = new TreeMap<>();
    for (RbacRule right : rights) {
      verbs.computeIfAbsent(row(right), r -> new TreeSet<>()).add(right.verb());
    }
    TextTable table = new TextTable(width, "RESOURCE", "VERBS", "FOR");
    verbs.forEach((row, all) -> {
      String[] cells = row.split("\t", 2);
      table.row(
          cells[0], all.stream().map(Object::toString).collect(Collectors.joining(", ")), cells[1]);
    });
    return table.toString();
  }

  private static String row(RbacRule right) {
    Target target = right.target();
    String placeText =
        switch (target.namespace()) {
          case "" -> "";
          case Target.NAMESPACES_OF_CLASSES -> " in the namespaces that StorageClasses name";
          default -> " in " + target.namespace();
        };
    return target
        + (target.name().isEmpty() ? "" : " " + target.name())
        + placeText
        + "\t"
        + right.purpose();
  }
}
