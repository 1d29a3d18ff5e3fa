package dev.mooring.manager.command;

import dev.mooring.cluster.Right;
import dev.mooring.cluster.Right.Target;
import dev.mooring.manager.lifecycle.ManagerRights;
import dev.mooring.manager.rights.Role;
import dev.mooring.manager.rights.RoleManifest;
import dev.mooring.model.ObjectKey;
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

/** Prints the roles that a run needs. */
@Command(
    name = "rights",
    description =
        "Prints the roles that 'mooring run' with the same flags needs at the API server, and no more than these: 'mooring rights --mode=beside | kubectl apply -f -'.",
    mixinStandardHelpOptions = true)
public final class RightsCommand implements Callable<Integer> {
  /** How it is printed. */
  enum Output {
    yaml,
    table
  }

  @Option(
      names = {"-o", "--output"},
      description =
          "yaml: a ServiceAccount, roles and bindings; table: what is needed, and what for. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.yaml;

  @Option(
      names = "--name",
      description = "What roles and bindings are called. Default: ${DEFAULT-VALUE}.")
  private String name = "mooring";

  @Option(
      names = "--service-account",
      paramLabel = "NAME",
      description = "The ServiceAccount that Mooring runs with. Default: ${DEFAULT-VALUE}.")
  private String account = "mooring";

  @Option(names = "--namespace", description = "Its namespace. Default: ${DEFAULT-VALUE}.")
  private String namespace = "kube-system";

  @Option(
      names = "--secrets-namespaces",
      paramLabel = "LIST",
      split = ",",
      description =
          "Namespaces of the Secrets that the parameters of CSI drivers' classes name. Default: that of the ServiceAccount.")
  private List<String> secrets = new ArrayList<>();

  @ArgGroup(multiplicity = "0..1")
  private Instead instead = new Instead();

  /** Whose rights are printed, if not those of a run. */
  static final class Instead {
    @Option(
        names = "--console-only",
        description = "What 'mooring console' needs at the address of --console, instead.")
    private boolean page;

    @Option(
        names = "--uninstall",
        description = "What 'mooring uninstall' needs after such a run, instead.")
    private boolean uninstall;

    Instead() {}
  }

  @Mixin final ConfigOptions config = new ConfigOptions();

  @Mixin private final RunOptions options = new RunOptions();

  // flags of a run that need no rights: a run's whole command line is to do
  @Mixin final ClusterOptions cluster = new ClusterOptions();
  @Mixin final PluginOptions plugins = new PluginOptions();
  @Mixin final LogOptions logs = new LogOptions();

  /** For picocli. */
  public RightsCommand() {}

  @Override
  public Integer call() throws UsageException {
    check("--name", name);
    check("--service-account", account);
    check("--namespace", namespace);
    for (String one : secrets) {
      check("--secrets-namespaces", one);
    }
    List<Right> rights = rights();
    System.out.print(
        switch (output) {
          case yaml ->
              new RoleManifest(name, account, namespace)
                  .of(Role.allowing(rights, secrets.isEmpty() ? List.of(namespace) : secrets));
          case table -> table(rights);
        });
    return 0;
  }

  private List<Right> rights() throws UsageException {
    if (instead.uninstall) {
      return options.left().rights();
    }
    return instead.page ? ManagerRights.ofPage(options.page()) : ManagerRights.of(options.config());
  }

  private static void check(String flag, String value) throws UsageException {
    String flaw = new ObjectKey("", value).flaw();
    if (value.isEmpty() || !flaw.isEmpty()) {
      throw new WrongFlagException(
          flag + " \"" + value + "\" can be no name" + (flaw.isEmpty() ? "" : ": " + flaw));
    }
  }

  /** A line for each resource and purpose. */
  static String table(List<Right> rights) {
    Map<String, TreeSet<Right.Verb>> verbs = new TreeMap<>();
    for (Right right : rights) {
      verbs.computeIfAbsent(row(right), r -> new TreeSet<>()).add(right.verb());
    }
    return line("RESOURCE", "VERBS", "FOR")
        + verbs.entrySet().stream()
            .map(e -> {
              String[] row = e.getKey().split("\t", 2);
              String all =
                  e.getValue().stream().map(Object::toString).collect(Collectors.joining(", "));
              return line(row[0], all, row[1]);
            })
            .collect(Collectors.joining());
  }

  private static String line(String resource, String verbs, String purpose) {
    return "%-62s %-36s %s%n".formatted(resource, verbs, purpose);
  }

  private static String row(Right right) {
    Target target = right.target();
    String where =
        switch (target.namespace()) {
          case "" -> "";
          case Target.WHERE_CLASSES_SAY -> " in the namespaces that classes name";
          default -> " in " + target.namespace();
        };
    return target
        + (target.name().isEmpty() ? "" : " " + target.name())
        + where
        + "\t"
        + right.purpose();
  }
}
