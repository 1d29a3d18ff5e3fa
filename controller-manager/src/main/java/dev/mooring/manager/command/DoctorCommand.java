package dev.mooring.manager.command;

import dev.mooring.csi.DriverInspection;
import dev.mooring.csi.DriverInspection.Disagreement;
import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.doctor.CheckFinding;
import dev.mooring.manager.doctor.ClusterCheckup;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Resource;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.text.TextTable;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    description =
        "Checks a cluster: server, version, clock, rights, binders, classes, provisioners, drivers and webhooks. With --csi-endpoint, compares the volumes of CSI drivers with the cluster instead. Exit code 0: no check failed and no difference; 3: otherwise.",
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  private static final int EXIT_PROBLEMS = 3;

  @Option(
      names = "--csi-endpoint",
      paramLabel = "DRIVER=unix:///SOCKET",
      description =
          "CSI driver whose volumes are compared with the cluster, twice. Repeatable. Example: ebs.csi.aws.com=unix:///run/csi/socket.")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--csi-timeout",
      paramLabel = "DURATION",
      description = "Timeout of a call to a driver. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(15);

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description =
          "Delay between the two comparisons. Only differences found by both are listed. Default: ${DEFAULT-VALUE}.")
  private Duration delay = Duration.ofSeconds(10);

  @Option(
      names = "--mend",
      description =
          "Make safe repairs: create retained PersistentVolumes for unknown volumes, and unpublish volumes without an attachment.")
  private boolean mend;

  @Option(
      names = "--mode",
      description = "Mode of 'mooring run' whose rights are checked. Default: ${DEFAULT-VALUE}.")
  private RunOptions.Mode mode = RunOptions.Mode.beside;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  private final SystemTime time = new SystemTime();

  public DoctorCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    LogSetup.configure(false, false, true);
    List<DriverFlag> drivers = DriverFlag.parseAll(endpoints);
    if (drivers.isEmpty() && mend) {
      throw new InvalidFlagException("--mend repairs volumes of a driver: specify --csi-endpoint");
    }
    KubeConnection connection = cluster.connect();
    try (PluginRegistry registry = plugins.registry(Map.of())) {
      return drivers.isEmpty()
          ? checkUp(connection, registry)
          : compare(connection, drivers, registry);
    }
  }

  private int checkUp(KubeConnection connection, PluginRegistry registry)
      throws UsageException, InterruptedException {
    Set<String> names =
        registry.loaded().stream()
            .map(PluginRegistry.LoadedPlugin::name)
            .collect(Collectors.toSet());
    ClusterCheckup.Setup setup =
        new ClusterCheckup.Setup(
            mode.name(),
            RunFlags.rights(List.of("--mode=" + mode)),
            names,
            VersionCommand.number());
    List<CheckFinding> results = new ClusterCheckup(connection, time, setup).results();
    TextTable table = new TextTable(TextTable.TERMINAL, "CHECK", "RESULT", "FOUND");
    for (CheckFinding result : results) {
      table.row(result.check(), result.outcome().name().toLowerCase(Locale.ROOT), result.text());
      if (!result.remedy().isEmpty()) {
        table.row("", "", "-> " + result.remedy());
      }
    }
    System.out.print(table);
    long failed = count(results, CheckFinding.Outcome.FAIL);
    System.out.println();
    System.out.println(
        "%d ok, %d warn, %d fail"
            .formatted(
                count(results, CheckFinding.Outcome.OK),
                count(results, CheckFinding.Outcome.WARN),
                failed));
    return failed > 0 ? EXIT_PROBLEMS : 0;
  }

  private static long count(List<CheckFinding> results, CheckFinding.Outcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }

  private int compare(KubeConnection cluster, List<DriverFlag> drivers, PluginRegistry registry)
      throws UsageException, InterruptedException {
    CsiConnector connector =
        registry
            .csi()
            .orElseThrow(() ->
                new UsageException(
                    "--csi-endpoint: the CSI bridge is missing in plugin directory "
                        + plugins.directory()
                        + ": add its folder plugins-csi-bridge"));
    boolean hasFindings = false;
    for (DriverFlag driver : drivers) {
      try (CsiConnection connection = connection(driver, connector)) {
        hasFindings |= inspect(driver.driver(), connection, cluster);
      } catch (IllegalArgumentException e) {
        throw new UsageException(String.valueOf(e.getMessage()));
      }
    }
    return hasFindings ? EXIT_PROBLEMS : 0;
  }

  private CsiConnection connection(DriverFlag driver, CsiConnector connector)
      throws UsageException {
    Optional<CsiConnector.Tls> tls =
        driver
            .overrideDefaults(new CsiSettings())
            .driver(driver.endpoint(), ManagerConfig.Features.OFF)
            .tls();
    return tls.isPresent()
        ? connector.connect(driver.endpoint(), tls.get(), timeout)
        : connector.connect(driver.endpoint(), timeout);
  }

  private boolean inspect(String driver, CsiConnection connection, KubeConnection cluster)
      throws UsageException, InterruptedException {
    DriverIdentity identity = requireAnswer(driver, connection.identify());
    if (!identity.name().equals(driver)) {
      throw new UsageException(
          "--csi-endpoint %s: the driver at this endpoint is named \"%s\": specify that name"
              .formatted(driver, identity.name()));
    }
    if (!identity.can(DriverCapability.LIST_VOLUMES)) {
      System.out.println(
          "driver " + driver + " cannot list its volumes, so nothing can be compared");
      return false;
    }
    KubeCluster server = KubeCluster.alone(cluster, time);
    DriverInspection inspection = new DriverInspection(driver, connection, server, server);
    Comparison comparison = compare(inspection, identity, cluster);
    List<Disagreement> findings = new ArrayList<>(comparison.findings());
    if (!findings.isEmpty()) {
      System.err.println(
          "%s in the first comparison; the second follows in %s s"
              .formatted(count(findings), delay.toSeconds()));
      time.sleep(delay);
      comparison = compare(inspection, identity, cluster);
      findings.retainAll(comparison.findings());
    }
    System.out.println(
        "driver " + driver + ": " + (findings.isEmpty() ? "no differences" : count(findings)));
    report(findings, comparison, () -> compare(inspection, identity, cluster), inspection);
    return !findings.isEmpty();
  }

  private static String count(List<Disagreement> findings) {
    return findings.size() == 1 ? "1 finding" : findings.size() + " findings";
  }

  private interface ComparisonSource {
    Comparison compare() throws UsageException, InterruptedException;
  }

  private void report(
      List<Disagreement> findings,
      Comparison last,
      ComparisonSource source,
      DriverInspection inspection)
      throws UsageException, InterruptedException {
    for (Disagreement finding : findings) {
      System.out.println("  " + finding.text());
      // an attachment or claim may have appeared since: each repair needs a new comparison
      Comparison comparison = mend && finding.isRepairable() ? source.compare() : last;
      if (!comparison.findings().contains(finding)) {
        System.out.println("    skipped: the difference has disappeared");
      } else if (comparison.isProvisioning() && finding.isUnknownVolume()) {
        System.out.println(
            "    skipped: claims are waiting for volumes of this driver, and this volume may belong to one; run the command again later");
      } else if (mend) {
        System.out.println("    " + inspection.repair(finding, comparison.nodes()));
      }
    }
    if (!findings.isEmpty() && !mend) {
      System.out.println("  --mend makes the safe repairs");
    }
  }

  private record Comparison(
      List<Disagreement> findings, boolean isProvisioning, List<Node> nodes) {}

  private static Comparison compare(
      DriverInspection inspection, DriverIdentity identity, KubeConnection cluster)
      throws UsageException, InterruptedException {
    // The order matters. A claim has the finalizer of a running provisioning from before the first
    // call to the driver until the PersistentVolume exists. So the claim or the PersistentVolume
    // accounts for every volume.
    String driver = inspection.driver();
    Map<String, ListedVolume> driverVolumes =
        requireAnswer(driver, inspection.connection().listVolumes());
    boolean isProvisioning =
        list(cluster, Kind.CLAIM).stream()
            .anyMatch(claim -> ProvisionMarks.isBeingMade(claim, driver));
    boolean mayBeInline = !CsiMigration.inTreeOf(driver).isEmpty();
    DriverInspection.Cluster clusterState =
        new DriverInspection.Cluster(
            list(cluster, Kind.VOLUME),
            list(cluster, Kind.ATTACHMENT),
            list(cluster, Kind.CSI_NODE),
            list(cluster, Kind.NODE),
            mayBeInline ? list(cluster, Kind.POD) : List.of());
    boolean listsPublishedNodes = identity.can(DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);
    try {
      return new Comparison(
          inspection.findDisagreements(driverVolumes, listsPublishedNodes, clusterState),
          isProvisioning,
          List.copyOf(clusterState.nodes()));
    } catch (DriverInspection.UnansweredException e) {
      throw new UsageException("cannot read a VolumeAttachment: " + e.getMessage());
    }
  }

  private static <T> T requireAnswer(String driver, DriverReply<T> reply) throws UsageException {
    return switch (reply) {
      case DriverReply.Ok<T>(T value) -> value;
      case DriverReply.Refused<T> refused ->
          throw new UsageException(
              "CSI driver %s does not respond: %s: check that it is running and that --csi-endpoint is its socket"
                  .formatted(driver, refused.text()));
    };
  }

  private static <T extends Resource> List<T> list(KubeConnection cluster, Kind<T> kind)
      throws UsageException, InterruptedException {
    List<T> objects = new ArrayList<>();
    try {
      new KubeListWatch<>(cluster, kind).list(objects::add);
      return objects;
    } catch (ListWatchException e) {
      throw new UsageException(
          "cannot list " + kind.plural() + " at " + cluster.address() + ": " + e.getMessage());
    }
  }
}
