package dev.mooring.manager.command;

import dev.mooring.manager.telemetry.Logs;
import dev.mooring.manager.uninstall.Leftover;
import dev.mooring.manager.uninstall.Leftover.Fate;
import dev.mooring.manager.uninstall.Uninstall;
import dev.mooring.manager.uninstall.UninstallConfig;
import dev.mooring.model.Kind;
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

/** Takes off what Mooring has written under names of its own. */
@Command(
    name = "uninstall",
    description =
        "Lists what Mooring has written to objects under names of its own, and with --yes removes what is of no use or in the way without it. No volume's data, binding or policy is touched, and nothing that Kubernetes or CSI sidecars go on using. Exit code 0: nothing is (any more) to be removed; 3: something would be; 1: something could not be.",
    mixinStandardHelpOptions = true)
public final class UninstallCommand implements Callable<Integer> {
  private static final int FOUND = 3;

  @ArgGroup(multiplicity = "0..1")
  private Way way = new Way();

  /** Whether anything is written. */
  static final class Way {
    @Option(
        names = "--yes",
        description = "Remove what is listed as going. Without it nothing is written.")
    private boolean yes;

    @Option(names = "--dry-run", description = "Only list, which is the default.")
    private boolean dryRun;

    Way() {}
  }

  @Option(
      names = "--forget",
      description =
          "Remove the annotations and labels, too, that hinder nobody and say something about a volume. Those that keep data from being destroyed stay all the same.")
  private boolean forget;

  @Option(
      names = "--give-back",
      paramLabel = "PROVISIONER",
      description =
          "Volumes of that provisioner go to one that knows no finalizers (nfs-subdir-external-provisioner, local-path-provisioner): take external-provisioner.volume.kubernetes.io/finalizer off those that are not being deleted. May be given several times.")
  private List<String> givenBack = new ArrayList<>();

  @Option(
      names = "--ignore-lease",
      description =
          "Go on although a leader is alive; it may write anew what is removed. Its Lease stays.")
  private boolean ignoreLease;

  @Mixin private final LeftOptions left = new LeftOptions();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  /** For picocli. */
  public UninstallCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    Logs.configure(false, false, true);
    UninstallConfig config = left.config(Set.copyOf(givenBack), forget);
    Uninstall uninstall = new Uninstall(cluster.connect(), new SystemTime(), config);
    Optional<String> leader = way.yes ? uninstall.leader() : uninstall.leaderAtFirstSight();
    String alive =
        leader
            .map(who ->
                "a leader is alive: " + who + " holds Lease " + config.lease() + ": stop it first")
            .orElse("");
    if (way.yes && leader.isPresent() && !ignoreLease) {
      throw new UsageException(
          alive + " (or say --ignore-lease, and it may write anew what is removed)");
    }
    List<Leftover> found = uninstall.look();
    if (leader.isPresent()) {
      System.out.println(alive);
      found = found.stream().filter(one -> !one.kind().equals(Kind.LEASE)).toList();
    }
    print(found);
    return way.yes ? removed(uninstall, found) : told(found);
  }

  private static void print(List<Leftover> found) {
    Map<String, List<Leftover>> staying = new TreeMap<>();
    for (Leftover one : found) {
      switch (one.fate()) {
        case GOES -> System.out.println(one.subject() + "\n  goes: " + one.why());
        case LOOK -> System.out.println(one.subject() + "\n  stays: " + one.why());
        case STAYS ->
            staying
                .computeIfAbsent(
                    one.what().place() + " " + one.what().name(), w -> new ArrayList<>())
                .add(one);
      }
    }
    staying.forEach((what, all) ->
        System.out.println(
            what
                + " stays on "
                + count(all.size(), "object")
                + ": "
                + all.getFirst().why()
                + " (--forget removes it)"));
  }

  private static List<Leftover> going(List<Leftover> found) {
    return found.stream().filter(one -> one.fate() == Fate.GOES).toList();
  }

  private static int told(List<Leftover> found) {
    int going = going(found).size();
    System.out.println(
        going == 0
            ? "nothing is to be removed"
            : count(going, "mark or object") + " would go; nothing was written: --yes does it");
    return going == 0 ? 0 : FOUND;
  }

  private int removed(Uninstall uninstall, List<Leftover> found) throws InterruptedException {
    int failed = 0;
    for (Leftover one : going(found)) {
      if (one.kind().equals(Kind.LEASE) && failed > 0) {
        continue;
      }
      Optional<String> problem = uninstall.remove(one);
      if (problem.isPresent()) {
        failed++;
        System.err.println(one.subject() + "\n  is still there: " + problem.get());
      }
    }
    System.out.println(
        failed == 0
            ? count(going(found).size(), "mark or object") + " removed"
            : count(failed, "mark or object") + " could not be removed: run it again");
    return failed == 0 ? 0 : 1;
  }

  private static String count(int number, String what) {
    return number
        + " "
        + (number == 1
            ? what
            : List.of(what.split(" or ")).stream()
                .map(word -> word + "s")
                .collect(Collectors.joining(" or ")));
  }
}
