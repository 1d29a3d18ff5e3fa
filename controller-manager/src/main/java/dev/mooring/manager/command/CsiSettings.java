package dev.mooring.manager.command;

import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.Topologies;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.storage.decide.DriverNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How a CSI driver is driven: the sidecars' flags where they have them. On the command line for all
 * drivers, in {@code --csi-endpoint} for one.
 */
final class CsiSettings {
  @Option(
      names = "--csi-timeout",
      paramLabel = "DURATION",
      defaultValue = "15s",
      converter = GoDuration.class,
      description = "How long a call to a driver may take. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = CsiConfig.DEFAULTS.timeout();

  @Option(
      names = "--csi-workers",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Claims, volumes or attachments that each driver is asked about at once. Default: ${DEFAULT-VALUE}.")
  private int workers = CsiConfig.DEFAULTS.workers();

  @Option(
      names = "--csi-retry-interval-start",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = GoDuration.class,
      description =
          "How long what a driver refused waits at first; doubled every time. Default: ${DEFAULT-VALUE}.")
  private Duration first = CsiConfig.DEFAULTS.firstRetry();

  @Option(
      names = "--csi-retry-interval-max",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = GoDuration.class,
      description = "How long it waits at most. Default: ${DEFAULT-VALUE}.")
  private Duration last = CsiConfig.DEFAULTS.lastRetry();

  @Option(
      names = "--csi-reconcile-sync",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = GoDuration.class,
      description =
          "How often a driver that can list its volumes is asked where they are published. Default: ${DEFAULT-VALUE}.")
  private Duration verify = CsiConfig.DEFAULTS.listing().period();

  @Option(
      names = "--default-fstype",
      paramLabel = "TYPE",
      description =
          "The file system of volumes whose class names none. Default: the driver's choice.")
  private String fsType = "";

  @Option(
      names = "--extra-create-metadata",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Tell drivers the names of claim and volume, as parameters. Default: ${DEFAULT-VALUE}.")
  private boolean metadata;

  @Option(
      names = "--extra-modify-metadata",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Tell drivers the names of claim and volume too when a volume is changed to another VolumeAttributesClass. Default: ${DEFAULT-VALUE}.")
  private boolean modifyMetadata;

  @Option(
      names = "--prevent-volume-mode-conversion",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Make no volume of another mode than the snapshotted one had, unless its VolumeSnapshotContent allows it. Default: ${DEFAULT-VALUE}.")
  private boolean keepMode = true;

  @Option(
      names = "--handle-volume-inuse-error",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Wait until no pod uses a volume that its driver refused to grow while it was in use. Default: ${DEFAULT-VALUE}.")
  private boolean waitWhileInUse = true;

  @Option(
      names = "--volume-name-prefix",
      paramLabel = "PREFIX",
      description = "What the names of drivers' volumes begin with. Default: ${DEFAULT-VALUE}.")
  private String prefix = "pvc";

  @Option(
      names = "--volume-name-uuid-length",
      paramLabel = "N",
      description =
          "How many characters of the claim's uid follow, without dashes; -1 for the whole of it. Default: ${DEFAULT-VALUE}.")
  private int uidLength = -1;

  @Option(
      names = "--controller-publish-readonly",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Mark volumes that are ReadOnlyMany alone as read-only. Default: ${DEFAULT-VALUE}.")
  private boolean readOnly;

  @Option(
      names = "--strict-topology",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Name only the selected node's place to drivers, not the others too. Default: ${DEFAULT-VALUE}.")
  private boolean strict;

  @Option(
      names = "--immediate-topology",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Name all places to drivers where no node was selected. Default: ${DEFAULT-VALUE}.")
  private boolean immediate = true;

  @Option(
      names = "--enable-capacity",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Publish CSIStorageCapacity objects for drivers that know how much room they have. Default: ${DEFAULT-VALUE}.")
  private boolean capacity;

  @Option(
      names = "--capacity-poll-interval",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = GoDuration.class,
      description = "How often drivers are asked for it. Default: ${DEFAULT-VALUE}.")
  private Duration capacityPeriod = Duration.ofMinutes(1);

  @Option(
      names = "--capacity-for-immediate-binding",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Publish it for classes too that do not wait for a first consumer. Default: ${DEFAULT-VALUE}.")
  private boolean capacityForImmediate;

  @Option(
      names = "--capacity-namespace",
      paramLabel = "NAMESPACE",
      description = "Where the objects are. Default: $NAMESPACE.")
  private @Nullable String capacityNamespace;

  @Option(
      names = "--capacity-ownerref-level",
      paramLabel = "N",
      description =
          "Whose they are: 0 for the pod named by $POD_NAME, 1 for its controller, 2 for that one's; -1 for nobody's. Default: 1, or -1 without $POD_NAME.")
  private @Nullable Integer capacityOwner;

  @Option(
      names = "--csi-max-entries",
      paramLabel = "N",
      description =
          "How many volumes a driver is to list in one answer; 0 for as many as it likes. Default: ${DEFAULT-VALUE}.")
  private int maxEntries;

  @Option(
      names = "--csi-list-volumes-interval",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = GoDuration.class,
      description =
          "How often a driver that knows it is asked in what condition its volumes are. Default: ${DEFAULT-VALUE}.")
  private Duration health = CsiConfig.Listing.DEFAULTS.healthPeriod();

  @Option(
      names = "--enable-node-watcher",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Tell claims of pods on a node that is not ready for five minutes, or gone. Default: ${DEFAULT-VALUE}.")
  private boolean nodeWatcher;

  @Option(
      names = "--snapshot-orphan-sweep-interval",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = GoDuration.class,
      description =
          "How often snapshots are looked through for those that are held although no volume is filled from them any more; 0 for never. Default: ${DEFAULT-VALUE}.")
  private Duration sweep = CsiConfig.Sources.DEFAULTS.sweepPeriod();

  @Option(
      names = "--node-deployment",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "This process sees to the driver's volumes on its node alone: every node has one. Default: ${DEFAULT-VALUE}.")
  private boolean nodeDeployment;

  @Option(
      names = "--node-name",
      paramLabel = "NODE",
      description = "The node of this process, for --node-deployment. Default: $NODE_NAME.")
  private @Nullable String node;

  @Option(
      names = "--node-deployment-immediate-binding",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Make volumes too that nobody selects a node for, on the node that comes first. Default: ${DEFAULT-VALUE}.")
  private boolean nodeImmediate = true;

  @Option(
      names = "--node-deployment-base-delay",
      paramLabel = "DURATION",
      defaultValue = "20s",
      converter = GoDuration.class,
      description =
          "How long this process waits at first before it takes such a claim; doubled every time. Default: ${DEFAULT-VALUE}.")
  private Duration nodeBaseDelay = Duration.ofSeconds(20);

  @Option(
      names = "--node-deployment-max-delay",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = GoDuration.class,
      description = "How long it waits at most. Default: ${DEFAULT-VALUE}.")
  private Duration nodeMaxDelay = Duration.ofMinutes(1);

  @Mixin private final SnapshotSettings snapshots = new SnapshotSettings();

  @Option(
      names = "--csi-tls-ca",
      paramLabel = "FILE",
      description =
          "Certificates of those who vouch for drivers that listen on a TCP port; with --csi-tls-cert and --csi-tls-key. Read again when they change.")
  private @Nullable Path authority;

  @Option(
      names = "--csi-tls-cert",
      paramLabel = "FILE",
      description = "The certificate by which such drivers know this process.")
  private @Nullable Path certificate;

  @Option(names = "--csi-tls-key", paramLabel = "FILE", description = "Its private key, as PKCS#8.")
  private @Nullable Path key;

  @Option(
      names = "--csi-tls-server-name",
      paramLabel = "NAME",
      description = "The name in the driver's certificate. Default: the endpoint's host.")
  private String serverName = "";

  private Optional<CsiConnector.Tls> tls() {
    if (authority == null && certificate == null && key == null) {
      return Optional.empty();
    }
    if (authority == null || certificate == null || key == null) {
      throw new IllegalArgumentException(
          "--csi-tls-ca, --csi-tls-cert and --csi-tls-key belong together: name all three");
    }
    return Optional.of(new CsiConnector.Tls(authority, certificate, key, serverName));
  }

  private Optional<CsiConfig.NodeDeployment> node() {
    String name = node != null ? node : System.getenv().getOrDefault("NODE_NAME", "");
    return nodeDeployment
        ? Optional.of(
            new CsiConfig.NodeDeployment(name, nodeImmediate, nodeBaseDelay, nodeMaxDelay))
        : Optional.empty();
  }

  private Optional<CsiConfig.Capacity> capacity() {
    String namespace =
        capacityNamespace != null
            ? capacityNamespace
            : System.getenv().getOrDefault("NAMESPACE", "");
    return capacity
        ? Optional.of(
            new CsiConfig.Capacity(namespace, capacityPeriod, capacityForImmediate, owner()))
        : Optional.empty();
  }

  /** Without a pod that we know of, nothing can own them. */
  private CsiConfig.CapacityOwner owner() {
    String pod = System.getenv().getOrDefault("POD_NAME", "");
    if (capacityOwner != null) {
      return new CsiConfig.CapacityOwner(pod, capacityOwner);
    }
    return pod.isEmpty() ? CsiConfig.CapacityOwner.NONE : new CsiConfig.CapacityOwner(pod, 1);
  }

  /**
   * A driver for which this holds.
   *
   * @param endpoint where it listens
   * @param features which are on, for all drivers
   */
  ManagerConfig.Driver driver(String endpoint, ManagerConfig.Features features) {
    return new ManagerConfig.Driver(
        endpoint, config(features), DriverNames.OF_VOLUMES.with(prefix, uidLength), tls());
  }

  private CsiConfig config(ManagerConfig.Features features) {
    return new CsiConfig(
        timeout,
        workers,
        first,
        last,
        new CsiConfig.Listing(verify, maxEntries, health, nodeWatcher),
        new DriverOptions(
            fsType,
            metadata,
            readOnly,
            new Topologies.Policy(strict, immediate),
            new DriverOptions.Claims(modifyMetadata, keepMode, waitWhileInUse)),
        capacity(),
        new CsiConfig.Sources(sweep, features.sourcesAcrossNamespaces()),
        node(),
        snapshots.config(features.groupSnapshots()));
  }
}
