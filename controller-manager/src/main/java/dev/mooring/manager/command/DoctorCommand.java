package dev.mooring.manager.command;

import dev.mooring.csi.DriverExamination;
import dev.mooring.csi.DriverExamination.Disagreement;
import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.Logs;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.Node;
import dev.mooring.model.Resource;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.Listed;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds what a cluster and its CSI drivers disagree about. */
@Command(
    name = "doctor",
    description =
        "Compares what CSI drivers have with what the cluster says, twice, and lists on what they disagree. Exit code 0: on nothing; 3: on something.",
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  private static final int FOUND = 3;

  @Option(
      names = "--csi-endpoint",
      required = true,
      paramLabel = "DRIVER=unix:///SOCKET",
      description = "A CSI driver. May be given several times.")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--csi-timeout",
      paramLabel = "DURATION",
      defaultValue = "15s",
      converter = GoDuration.class,
      description = "How long a call to a driver may take. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofSeconds(15);

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = GoDuration.class,
      description =
          "How long after the first look the second one is: only what both find is listed. Default: ${DEFAULT-VALUE}.")
  private Duration wait = Duration.ofSeconds(10);

  @Option(
      names = "--mend",
      description =
          "Do what can be done without losing anything: give unknown volumes a PersistentVolume that keeps them, take back what is published and not attached.")
  private boolean mend;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  private final SystemTime time = new SystemTime();

  /** For picocli. */
  public DoctorCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    Logs.configure(false, false, true);
    List<DriverFlag> drivers = DriverFlag.all(endpoints);
    try (PluginRegistry registry = plugins.registry(Map.of())) {
      return call(drivers, registry);
    }
  }

  private int call(List<DriverFlag> drivers, PluginRegistry registry)
      throws UsageException, InterruptedException {
    CsiConnector connector =
        registry
            .csi()
            .orElseThrow(() ->
                new UsageException(
                    "--csi-endpoint: the CSI bridge is not among the plugins in "
                        + plugins.directory()
                        + ": put its folder plugins-csi-bridge there"));
    KubeConnection cluster = this.cluster.connect();
    boolean found = false;
    for (DriverFlag driver : drivers) {
      try (CsiConnection connection = connection(driver, connector)) {
        found |= examine(driver.driver(), connection, cluster);
      } catch (IllegalArgumentException e) {
        throw new UsageException(String.valueOf(e.getMessage()));
      }
    }
    return found ? FOUND : 0;
  }

  private CsiConnection connection(DriverFlag driver, CsiConnector connector)
      throws UsageException {
    Optional<CsiConnector.Tls> tls =
        driver.over(new CsiSettings()).driver(driver.endpoint(), ManagerConfig.Features.OFF).tls();
    return tls.isPresent()
        ? connector.connect(driver.endpoint(), tls.get(), timeout)
        : connector.connect(driver.endpoint(), timeout);
  }

  private boolean examine(String driver, CsiConnection connection, KubeConnection cluster)
      throws UsageException, InterruptedException {
    Identity identity = answered(driver, connection.identify());
    if (!identity.name().equals(driver)) {
      throw new UsageException(
          "--csi-endpoint "
              + driver
              + ": the driver there calls itself \""
              + identity.name()
              + "\": name that one");
    }
    if (!identity.can(Ability.LIST_VOLUMES)) {
      System.out.println(
          "driver " + driver + " cannot list its volumes: there is nothing to compare");
      return false;
    }
    KubeCluster server = KubeCluster.alone(cluster, time);
    DriverExamination examination = new DriverExamination(driver, connection, server, server);
    Look look = look(examination, identity, cluster);
    List<Disagreement> findings = new ArrayList<>(look.findings());
    if (!findings.isEmpty()) {
      System.err.println(
          count(findings) + " at the first look; the second is in " + wait.toSeconds() + " s");
      time.sleep(wait);
      look = look(examination, identity, cluster);
      findings.retainAll(look.findings());
    }
    System.out.println(
        "driver "
            + driver
            + ": "
            + (findings.isEmpty() ? "it agrees with the cluster" : count(findings)));
    report(findings, look, () -> look(examination, identity, cluster), examination);
    return !findings.isEmpty();
  }

  private static String count(List<Disagreement> findings) {
    return findings.size() == 1 ? "1 finding" : findings.size() + " findings";
  }

  private interface Looking {
    Look look() throws UsageException, InterruptedException;
  }

  private void report(
      List<Disagreement> findings, Look last, Looking again, DriverExamination examination)
      throws UsageException, InterruptedException {
    for (Disagreement finding : findings) {
      System.out.println("  " + finding.text());
      // an attachment or a claim may have come since: each call needs a fresh look
      Look look = mend && finding.isMendable() ? again.look() : last;
      if (!look.findings().contains(finding)) {
        System.out.println("    nothing is done: the finding no longer holds");
      } else if (look.provisions() && finding.isUnknownVolume()) {
        System.out.println(
            "    claims are waiting for volumes of this driver, and it may be one of theirs: look again when they have them");
      } else if (mend) {
        System.out.println("    " + examination.mend(finding, look.nodes()));
      }
    }
    if (!findings.isEmpty() && !mend) {
      System.out.println("  --mend does what can be done about this without losing anything");
    }
  }

  /**
   * What one look has found.
   *
   * @param provisions whether claims wait for volumes of the driver
   * @param nodes every Node
   */
  private record Look(List<Disagreement> findings, boolean provisions, List<Node> nodes) {}

  private static Look look(DriverExamination examination, Identity identity, KubeConnection cluster)
      throws UsageException, InterruptedException {
    // in this order: a claim says that its volume is being made from before the driver is asked
    // until the PersistentVolume is there, so a volume that is just coming is seen by one or other
    String driver = examination.driver();
    Map<String, Listed> listed = answered(driver, examination.connection().volumes());
    boolean provisions =
        list(cluster, Kind.CLAIM).stream()
            .anyMatch(claim -> ProvisionMarks.isBeingMade(claim, driver));
    boolean isInPods = !Migration.inTreeOf(driver).isEmpty();
    DriverExamination.Cluster said =
        new DriverExamination.Cluster(
            list(cluster, Kind.VOLUME),
            list(cluster, Kind.ATTACHMENT),
            list(cluster, Kind.CSI_NODE),
            list(cluster, Kind.NODE),
            isInPods ? list(cluster, Kind.POD) : List.of());
    boolean saysWhere = identity.can(Ability.LIST_VOLUMES_PUBLISHED_NODES);
    try {
      return new Look(
          examination.of(listed, saysWhere, said), provisions, List.copyOf(said.nodes()));
    } catch (DriverExamination.UnansweredException e) {
      throw new UsageException("cannot read a VolumeAttachment: " + e.getMessage());
    }
  }

  private static <T> T answered(String driver, Reply<T> reply) throws UsageException {
    return switch (reply) {
      case Reply.Ok<T>(T value) -> value;
      case Reply.Refused<T> refused ->
          throw new UsageException(
              "CSI driver "
                  + driver
                  + " does not answer: "
                  + refused.text()
                  + ": see whether it runs and --csi-endpoint names its socket");
    };
  }

  private static <T extends Resource> List<T> list(KubeConnection cluster, Kind<T> kind)
      throws UsageException, InterruptedException {
    List<T> all = new ArrayList<>();
    try {
      new KubeListWatch<>(cluster, kind).list(all::add);
      return all;
    } catch (ListWatchException e) {
      throw new UsageException(
          "cannot list " + kind.plural() + " at " + cluster.address() + ": " + e.getMessage());
    }
  }
}
