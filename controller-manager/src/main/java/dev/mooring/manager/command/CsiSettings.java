package dev.mooring.manager.command;

import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.ManagerConfig.GroupSupport;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.storage.decide.DriverNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Settings of a CSI driver, named after the sidecars' flags. On the command line they apply to all
 * drivers; in {@code --csi-endpoint} to one.
 */
final class CsiSettings {
  @Option(
      names = "--csi-timeout",
      paramLabel = "DURATION",
      description = "Timeout of a call to a driver. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = CsiConfig.Calls.DEFAULTS.timeout();

  @Option(
      names = "--csi-workers",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Maximum number of objects (claims, volumes, attachments) processed concurrently per driver. Default: ${DEFAULT-VALUE}.")
  private int workers = CsiConfig.Calls.DEFAULTS.workers();

  @Option(
      names = "--csi-retry-interval-start",
      paramLabel = "DURATION",
      description =
          "Initial retry delay after a failed call; doubles with every failure. Default: ${DEFAULT-VALUE}.")
  private Duration first = CsiConfig.Calls.DEFAULTS.minRetryDelay();

  @Option(
      names = "--csi-retry-interval-max",
      paramLabel = "DURATION",
      description = "Maximum retry delay. Default: ${DEFAULT-VALUE}.")
  private Duration last = CsiConfig.Calls.DEFAULTS.maxRetryDelay();

  @Option(
      names = "--csi-reconcile-sync",
      paramLabel = "DURATION",
      description =
          "Interval between comparisons of VolumeAttachments with the published volumes that a driver lists, for drivers that can list volumes. Default: ${DEFAULT-VALUE}.")
  private Duration verify = CsiConfig.DEFAULTS.listing().period();

  @Option(
      names = "--default-fstype",
      paramLabel = "TYPE",
      description =
          "File system of volumes whose class specifies none. Example: ext4. Default: the driver's choice.")
  private String fsType = "";

  @Option(
      names = "--extra-create-metadata",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Pass the names of claim and volume to drivers, as parameters of CreateVolume. Default: ${DEFAULT-VALUE}.")
  private boolean metadata;

  @Option(
      names = "--extra-modify-metadata",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Pass the names of claim and volume to drivers when a volume changes its VolumeAttributesClass. Default: ${DEFAULT-VALUE}.")
  private boolean modifyMetadata;

  @Option(
      names = "--prevent-volume-mode-conversion",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Reject a volume mode that differs from the snapshot's source volume, unless the VolumeSnapshotContent allows it. Default: ${DEFAULT-VALUE}.")
  private boolean keepMode = true;

  @Option(
      names = "--handle-volume-inuse-error",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "After a driver refuses to expand a volume in use, wait until no pod uses the volume. Default: ${DEFAULT-VALUE}.")
  private boolean waitWhileInUse = true;

  @Option(
      names = "--volume-name-prefix",
      paramLabel = "PREFIX",
      description = "Prefix of volume names that drivers receive. Default: ${DEFAULT-VALUE}.")
  private String prefix = "pvc";

  @Option(
      names = "--volume-name-uuid-length",
      paramLabel = "N",
      description =
          "Number of characters of the claim's UID in volume names, without dashes; -1 for the whole UID. Default: ${DEFAULT-VALUE}.")
  private int uidLength = -1;

  @Option(
      names = "--controller-publish-readonly",
      arity = "0..1",
      fallbackValue = "true",
      description = "Publish ReadOnlyMany volumes as read-only. Default: ${DEFAULT-VALUE}.")
  private boolean readOnly;

  @Option(
      names = "--strict-topology",
      arity = "0..1",
      fallbackValue = "true",
      description = "Pass only the selected node's topology to drivers. Default: ${DEFAULT-VALUE}.")
  private boolean strict;

  @Option(
      names = "--immediate-topology",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Pass the topology of all nodes to drivers if no node is selected (immediate binding). Default: ${DEFAULT-VALUE}.")
  private boolean immediate = true;

  @Option(
      names = "--enable-capacity",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Publish CSIStorageCapacity objects for drivers that report their capacity. Default: ${DEFAULT-VALUE}.")
  private boolean capacity;

  @Option(
      names = "--capacity-poll-interval",
      paramLabel = "DURATION",
      description = "Interval between capacity requests to drivers. Default: ${DEFAULT-VALUE}.")
  private Duration capacityPeriod = Duration.ofMinutes(1);

  @Option(
      names = "--capacity-for-immediate-binding",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Publish capacity also for classes with immediate binding. Default: ${DEFAULT-VALUE}.")
  private boolean capacityForImmediate;

  @Option(
      names = "--capacity-namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace of CSIStorageCapacity objects. Default: $NAMESPACE.")
  private @Nullable String capacityNamespace;

  @Option(
      names = "--capacity-ownerref-level",
      paramLabel = "N",
      description =
          "Owner of CSIStorageCapacity objects: 0 for the pod $POD_NAME, 1 for its controller, 2 for the controller's controller, -1 for none. Default: 1, or -1 without $POD_NAME or in another namespace than $NAMESPACE.")
  private @Nullable Integer capacityOwner;

  @Option(
      names = "--csi-max-entries",
      paramLabel = "N",
      description =
          "Maximum number of volumes per page of ListVolumes; 0 for no limit. Default: ${DEFAULT-VALUE}.")
  private int maxEntries;

  @Option(
      names = "--doctor-period",
      paramLabel = "DURATION",
      description =
          "Interval between searches for orphaned volumes, which the storage still has although their deletion was confirmed or their PersistentVolume is gone. For drivers and plugins that can list volumes. Deletes nothing. 0 disables the searches. Example: 10m. Default: ${DEFAULT-VALUE}.")
  private Duration doctor = CsiConfig.DEFAULTS.listing().doctorPeriod();

  @Option(
      names = "--csi-list-volumes-interval",
      paramLabel = "DURATION",
      description =
          "Interval between checks of volume condition, for drivers that report it. Default: ${DEFAULT-VALUE}.")
  private Duration health = CsiConfig.Listing.DEFAULTS.healthPeriod();

  @Option(
      names = "--enable-node-watcher",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Emit events on the claims of pods whose node has been unready for five minutes or is deleted. Default: ${DEFAULT-VALUE}.")
  private boolean nodeWatcher;

  @Option(
      names = "--snapshot-orphan-sweep-interval",
      paramLabel = "DURATION",
      description =
          "Interval between scans for snapshots that still have a finalizer although no volume is restored from them; 0 disables the scans. Default: ${DEFAULT-VALUE}.")
  private Duration sweep = CsiConfig.DataSources.DEFAULTS.sweepPeriod();

  @Option(
      names = "--node-deployment",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Run one process per node; each handles the volumes of its own node only. Default: ${DEFAULT-VALUE}.")
  private boolean nodeDeployment;

  @Option(
      names = "--node-name",
      paramLabel = "NODE",
      description = "Node of this process, for --node-deployment. Default: $NODE_NAME.")
  private @Nullable String node;

  @Option(
      names = "--node-deployment-immediate-binding",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Provision volumes with immediate binding too; the processes compete for each claim. Default: ${DEFAULT-VALUE}.")
  private boolean nodeImmediate = true;

  @Option(
      names = "--node-deployment-base-delay",
      paramLabel = "DURATION",
      description =
          "Initial delay before this process competes for such a claim; doubles with every attempt. Default: ${DEFAULT-VALUE}.")
  private Duration nodeBaseDelay = Duration.ofSeconds(20);

  @Option(
      names = "--node-deployment-max-delay",
      paramLabel = "DURATION",
      description =
          "Maximum delay before this process competes for such a claim. Default: ${DEFAULT-VALUE}.")
  private Duration nodeMaxDelay = Duration.ofMinutes(1);

  @Mixin private final SnapshotSettings snapshots = new SnapshotSettings();

  @Option(
      names = "--csi-tls-ca",
      paramLabel = "FILE",
      description =
          "CA certificates (PEM) for drivers on TCP ports; requires --csi-tls-cert and --csi-tls-key. Reloaded when the file changes.")
  private @Nullable Path authority;

  @Option(
      names = "--csi-tls-cert",
      paramLabel = "FILE",
      description = "Client certificate (PEM) for drivers on TCP ports.")
  private @Nullable Path certificate;

  @Option(
      names = "--csi-tls-key",
      paramLabel = "FILE",
      description = "Private key (PKCS#8) of --csi-tls-cert.")
  private @Nullable Path key;

  @Option(
      names = "--csi-tls-server-name",
      paramLabel = "NAME",
      description = "Expected name in the driver's certificate. Default: the endpoint's host.")
  private String serverName = "";

  private Optional<CsiConnector.Tls> tls() {
    if (authority == null && certificate == null && key == null) {
      return Optional.empty();
    }
    if (authority == null || certificate == null || key == null) {
      throw new IllegalArgumentException(
          "--csi-tls-ca, --csi-tls-cert and --csi-tls-key require each other: specify all three");
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
            new CsiConfig.Capacity(
                namespace,
                capacityPeriod,
                capacityForImmediate,
                chooseOwner(capacityOwner, namespace, System.getenv())))
        : Optional.empty();
  }

  // An owner must be in the namespace of its objects.
  static CsiConfig.CapacityOwner chooseOwner(
      @Nullable Integer level, String namespace, Map<String, String> environment) {
    String pod = environment.getOrDefault("POD_NAME", "");
    String podNamespace = environment.getOrDefault("NAMESPACE", "");
    boolean isElsewhere = !podNamespace.isEmpty() && !podNamespace.equals(namespace);
    if (level == null) {
      return pod.isEmpty() || isElsewhere
          ? CsiConfig.CapacityOwner.NONE
          : new CsiConfig.CapacityOwner(pod, 1);
    }
    if (level >= 0 && isElsewhere) {
      throw new IllegalArgumentException(
          "--capacity-ownerref-level %d needs the pod's namespace %s, but --capacity-namespace is %s: use level -1, or that namespace"
              .formatted(level, podNamespace, namespace));
    }
    return new CsiConfig.CapacityOwner(pod, level);
  }

  Duration doctorPeriod() {
    return doctor;
  }

  ManagerConfig.Driver driver(String endpoint, ManagerConfig.Features features) {
    return new ManagerConfig.Driver(
        endpoint, config(features), DriverNames.OF_VOLUMES.with(prefix, uidLength), tls());
  }

  private CsiConfig config(ManagerConfig.Features features) {
    Optional<CsiConfig.NodeDeployment> node = node();
    return new CsiConfig(
        new CsiConfig.Calls(timeout, workers, first, last),
        new CsiConfig.Listing(verify, maxEntries, health, nodeWatcher, doctor),
        new DriverOptions(
            fsType,
            metadata,
            readOnly,
            new TopologyRules.Policy(strict, immediate),
            new DriverOptions.Claims(modifyMetadata, keepMode, waitWhileInUse)),
        capacity(),
        new CsiConfig.DataSources(
            sweep, features.sourcesAcrossNamespaces(), features.snapshotTopology()),
        node,
        snapshots.config(servesGroups(features.groupSupport(), node.isPresent())));
  }

  private static boolean servesGroups(GroupSupport support, boolean isNodeDeployment) {
    return support == GroupSupport.REQUESTED
        || support == GroupSupport.BY_DEFAULT && !isNodeDeployment;
  }
}
