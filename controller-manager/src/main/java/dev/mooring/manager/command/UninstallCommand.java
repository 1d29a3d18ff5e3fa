package dev.mooring.manager.command;

import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.manager.uninstall.LeftoverObject;
import dev.mooring.manager.uninstall.LeftoverObject.RemovalAction;
import dev.mooring.manager.uninstall.LeftoverRemoval;
import dev.mooring.manager.uninstall.UninstallConfig;
import dev.mooring.model.Kind;
import dev.mooring.text.TextTable;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "uninstall",
    description =
        "Lists everything that Mooring wrote under its own names; with --yes, removes what is useless or harmful without Mooring. Keeps volumes' data, bindings and policies, and everything that Kubernetes or CSI sidecars still use. Deletes all pods in the namespace of --plugin-pods-namespace, regardless of their creator. Exit code 0: nothing is left to remove; 3: something would be removed; 1: a removal failed.",
    mixinStandardHelpOptions = true)
public final class UninstallCommand implements Callable<Integer> {
  private static final int FOUND = 3;

  @ArgGroup(multiplicity = "0..1")
  private Action action = new Action();

  static final class Action {
    @Option(
        names = "--yes",
        description = "Remove everything that is listed as 'remove'. Default: remove nothing.")
    private boolean yes;

    @Option(names = "--dry-run", description = "List only. This is the default.")
    private boolean dryRun;

    Action() {}
  }

  @Option(
      names = "--forget",
      description =
          "Also remove harmless annotations and labels with information about volumes. Those that prevent data loss stay.")
  private boolean forget;

  @Option(
      names = "--give-back",
      paramLabel = "PROVISIONER",
      description =
          "Provisioner whose volumes move to one without finalizers (nfs-subdir-external-provisioner, local-path-provisioner). Removes external-provisioner.volume.kubernetes.io/finalizer from its volumes, except from those that are being deleted. Repeatable.")
  private List<String> givenBack = new ArrayList<>();

  @Option(
      names = "--ignore-lease",
      description =
          "Continue although a leader is active; it may write again what is removed. Its Lease stays.")
  private boolean ignoreLease;

  @Mixin final ConfigOptions file = new ConfigOptions();
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  // accepts flags of a run that leave nothing behind, so that a complete command line works
  @Mixin final PluginOptions plugins = new PluginOptions();
  @Mixin final LogOptions logs = new LogOptions();

  public UninstallCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    UninstallConfig config = run.uninstallConfig().with(Set.copyOf(givenBack), forget);
    LeftoverRemoval uninstall = new LeftoverRemoval(cluster.connect(), new SystemTime(), config);
    Optional<String> leader = action.yes ? uninstall.leader() : uninstall.apparentLeader();
    String activeLeader =
        leader
            .map(who ->
                "a leader is active: " + who + " holds Lease " + config.lease() + ": stop it first")
            .orElse("");
    if (action.yes && leader.isPresent() && !ignoreLease) {
      throw new UsageException(
          activeLeader
              + " (or specify --ignore-lease; the leader may write again what is removed)");
    }
    List<LeftoverObject> leftovers = uninstall.findLeftovers();
    if (leader.isPresent()) {
      System.out.println(activeLeader);
      leftovers = leftovers.stream().filter(one -> !one.kind().equals(Kind.LEASE)).toList();
    }
    print(leftovers);
    printTotals(leftovers);
    return action.yes ? removeAll(uninstall, leftovers) : reportListed(leftovers);
  }

  private static void print(List<LeftoverObject> leftovers) {
    Map<String, List<LeftoverObject>> keptObjects = new TreeMap<>();
    for (LeftoverObject leftover : leftovers) {
      switch (leftover.action()) {
        case REMOVE -> System.out.println(leftover.subject() + "\n  remove: " + leftover.reason());
        case CHECK -> System.out.println(leftover.subject() + "\n  keep: " + leftover.reason());
        case KEEP ->
            keptObjects
                .computeIfAbsent(
                    leftover.mark().place() + " " + leftover.mark().name(), w -> new ArrayList<>())
                .add(leftover);
      }
    }
    keptObjects.forEach((what, all) ->
        System.out.println(
            "%s kept on %s: %s (--forget removes it)"
                .formatted(what, count(all.size(), "object"), all.getFirst().reason())));
  }

  private static void printTotals(List<LeftoverObject> leftovers) {
    if (leftovers.isEmpty()) {
      return;
    }
    Map<String, Map<RemovalAction, Long>> totals =
        leftovers.stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.kind().kind(),
                    TreeMap::new,
                    Collectors.groupingBy(LeftoverObject::action, Collectors.counting())));
    TextTable table = new TextTable(TextTable.UNLIMITED, "KIND", "REMOVE", "KEEP");
    totals.forEach((kind, fates) -> {
      long removed = fates.getOrDefault(RemovalAction.REMOVE, 0L);
      long total = fates.values().stream().mapToLong(Long::longValue).sum();
      table.row(kind, Long.toString(removed), Long.toString(total - removed));
    });
    System.out.println();
    System.out.print(table);
    System.out.println();
  }

  private static List<LeftoverObject> going(List<LeftoverObject> leftovers) {
    return leftovers.stream().filter(one -> one.action() == RemovalAction.REMOVE).toList();
  }

  private static int reportListed(List<LeftoverObject> leftovers) {
    int going = going(leftovers).size();
    System.out.println(
        going == 0
            ? "nothing to remove"
            : count(going, "mark or object")
                + " would be removed; nothing was written. --yes removes them");
    return going == 0 ? 0 : FOUND;
  }

  private int removeAll(LeftoverRemoval uninstall, List<LeftoverObject> leftovers)
      throws InterruptedException {
    int failed = 0;
    for (LeftoverObject leftover : going(leftovers)) {
      if (leftover.kind().equals(Kind.LEASE) && failed > 0) {
        continue;
      }
      Optional<String> problem = uninstall.remove(leftover);
      if (problem.isPresent()) {
        failed++;
        System.err.println(leftover.subject() + "\n  not removed: " + problem.get());
      }
    }
    System.out.println(
        failed == 0
            ? count(going(leftovers).size(), "mark or object") + " removed"
            : count(failed, "mark or object") + " could not be removed: run the command again");
    return failed == 0 ? 0 : 1;
  }

  private static String count(int number, String noun) {
    return number
        + " "
        + (number == 1
            ? noun
            : List.of(noun.split(" or ")).stream()
                .map(word -> word + "s")
                .collect(Collectors.joining(" or ")));
  }
}
