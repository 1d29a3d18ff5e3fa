package dev.mooring.csi;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRules;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.model.Kind;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.Optional;

/**
 * Configuration of a driver's controllers.
 *
 * @param calls limits of calls
 * @param listing how the driver's volumes are listed
 * @param options options of requests
 * @param capacity how capacity is published; empty to publish none
 * @param sources how data sources are protected
 * @param node this instance's node, if each node has its own instance
 * @param snapshots how snapshots are created; empty if another process creates them
 */
public record CsiConfig(
    Calls calls,
    Listing listing,
    DriverOptions options,
    Optional<Capacity> capacity,
    DataSources sources,
    Optional<NodeDeployment> node,
    Optional<Snapshots> snapshots) {
  /**
   * Limits of calls.
   *
   * @param timeout maximum duration of a call
   * @param workers maximum number of claims, volumes or attachments in progress, for each driver
   * @param minRetryDelay minimum delay before a retry
   * @param maxRetryDelay maximum delay before a retry
   */
  public record Calls(
      Duration timeout, int workers, Duration minRetryDelay, Duration maxRetryDelay) {
    public static final Calls DEFAULTS =
        new Calls(Duration.ofSeconds(15), 100, Duration.ofSeconds(1), Duration.ofMinutes(5));

    public Calls {
      Flags.check(workers >= 1, "--csi-workers must be at least 1, was " + workers);
      Flags.check(timeout.isPositive(), "--csi-timeout must be more than 0, was " + timeout);
      Flags.check(
          minRetryDelay.isPositive() && maxRetryDelay.compareTo(minRetryDelay) >= 0,
          "--csi-retry-interval-start must be more than 0 and not above --csi-retry-interval-max, was %s and %s"
              .formatted(minRetryDelay, maxRetryDelay));
    }
  }

  /**
   * Configuration of snapshots.
   *
   * @param names computes names of snapshots
   * @param groups computes names of group snapshots; empty if another process creates them
   */
  public record Snapshots(DriverNames names, Optional<DriverNames> groups) {}

  /**
   * Configuration of volume lists.
   *
   * @param period interval between comparisons of publications and attachments
   * @param maxEntries maximum number of entries in one answer; 0 for no limit
   * @param healthPeriod interval between checks of volume conditions
   * @param reportsNodes whether claims get events about failed nodes
   * @param doctorPeriod interval between searches for orphaned volumes; 0 for none
   */
  public record Listing(
      Duration period,
      int maxEntries,
      Duration healthPeriod,
      boolean reportsNodes,
      Duration doctorPeriod) {
    public static final Listing DEFAULTS =
        new Listing(Duration.ofMinutes(1), 0, Duration.ofMinutes(5), false, Duration.ZERO);

    public Listing {
      Flags.check(period.isPositive(), "--csi-reconcile-sync must be more than 0, was " + period);
      Flags.check(
          healthPeriod.isPositive(),
          "--csi-list-volumes-interval must be more than 0, was " + healthPeriod);
      Flags.check(
          !doctorPeriod.isNegative(),
          "--doctor-period must not be negative, was "
              + doctorPeriod
              + ": specify 0 to disable it");
      Flags.check(maxEntries >= 0, "--csi-max-entries must not be negative, was " + maxEntries);
    }
  }

  /**
   * Configuration of capacity objects.
   *
   * @param namespace namespace of the CSIStorageCapacity objects
   * @param period interval between GetCapacity calls
   * @param includesImmediate whether to publish classes with immediate binding too
   * @param owner owner of the objects
   */
  public record Capacity(
      String namespace, Duration period, boolean includesImmediate, CapacityOwner owner) {
    public Capacity {
      Flags.check(
          !namespace.isEmpty(),
          "--enable-capacity needs a namespace for its objects: name it by --capacity-namespace, or by the environment variable NAMESPACE");
      Flags.check(
          period.isPositive(), "--capacity-poll-interval must be more than 0, was " + period);
    }
  }

  /**
   * Owner of the capacity objects; garbage collection deletes them with it.
   *
   * @param pod the name of this process's pod; "" if unknown
   * @param level 0 for the pod, 1 for its controller, 2 for the controller's controller, and so on;
   *     -1 for no owner
   */
  public record CapacityOwner(String pod, int level) {
    public static final CapacityOwner NONE = new CapacityOwner("", -1);

    public CapacityOwner {
      Flags.check(level >= -1, "--capacity-ownerref-level must be at least -1, was " + level);
      Flags.check(
          level < 0 || !pod.isEmpty(),
          "--capacity-ownerref-level "
              + level
              + " needs the name of this process's pod in the environment variable POD_NAME; -1 is for objects without an owner");
    }
  }

  /**
   * Configuration of data sources.
   *
   * @param sweepPeriod interval between checks for snapshots with an obsolete finalizer; 0 for
   *     never
   * @param acrossNamespaces whether claims may have sources in other namespaces, where a
   *     ReferenceGrant allows it
   * @param snapshotTopology whether snapshots have a topology (KEP-5943)
   */
  public record DataSources(
      Duration sweepPeriod, boolean acrossNamespaces, boolean snapshotTopology) {
    public static final DataSources DEFAULTS = new DataSources(Duration.ofMinutes(5), false, false);

    public DataSources {
      Flags.check(
          !sweepPeriod.isNegative(),
          "--snapshot-orphan-sweep-interval must not be negative, was " + sweepPeriod);
    }
  }

  /**
   * Configuration of an instance that serves only its own node.
   *
   * @param includesImmediate whether it provisions claims without a selected node
   * @param baseDelay delay before it writes its node to such a claim; doubles with each attempt
   * @param maxDelay maximum delay
   */
  public record NodeDeployment(
      String node, boolean includesImmediate, Duration baseDelay, Duration maxDelay) {
    public NodeDeployment {
      Flags.check(
          !node.isEmpty(),
          "--node-deployment needs the name of this process's node in the environment variable NODE_NAME");
      Flags.check(
          !baseDelay.isNegative() && maxDelay.compareTo(baseDelay) >= 0,
          "--node-deployment-base-delay must not be negative, and not above --node-deployment-max-delay, was %s and %s"
              .formatted(baseDelay, maxDelay));
    }
  }

  // A separate class, because the constructors run before DEFAULTS exists.
  private static final class Flags {
    private Flags() {}

    static void check(boolean isValid, String message) {
      if (!isValid) {
        throw new IllegalArgumentException(message);
      }
    }
  }

  public CsiConfig with(Calls newCalls) {
    return new CsiConfig(newCalls, listing, options, capacity, sources, node, snapshots);
  }

  public CsiConfig with(Capacity newCapacity) {
    return new CsiConfig(
        calls, listing, options, Optional.of(newCapacity), sources, node, snapshots);
  }

  public CsiConfig with(DataSources newSources) {
    return new CsiConfig(calls, listing, options, capacity, newSources, node, snapshots);
  }

  public CsiConfig with(NodeDeployment newNode) {
    return new CsiConfig(
        calls, listing, options, capacity, sources, Optional.of(newNode), snapshots);
  }

  public CsiConfig with(Snapshots newSnapshots) {
    return new CsiConfig(
        calls, listing, options, capacity, sources, node, Optional.of(newSnapshots));
  }

  public Optional<String> onlyNode() {
    return node.map(NodeDeployment::node);
  }

  /** Returns the RBAC rights of the driver's controllers, without those of the provisioner. */
  public RbacRules rights() {
    RbacRules rights =
        RbacRules.forPurpose("attaching volumes of CSI drivers")
            .mayCache(Kind.POD)
            .mayCache(Kind.NODE)
            .mayCache(Kind.CSI_NODE)
            .mayCache(Kind.ATTACHMENT)
            .may(
                Kind.ATTACHMENT,
                GET,
                PATCH) // the attachment of an inline volume contains the whole volume
            .mayStatus(Kind.ATTACHMENT, PATCH)
            .may(Kind.VOLUME, GET, PATCH)
            .andForPurpose("growing and changing volumes of CSI drivers")
            .may(Kind.CLAIM, GET, PATCH)
            .mayStatus(Kind.CLAIM, PATCH)
            .may(Kind.ATTRIBUTES_CLASS, GET, LIST)
            .andForPurpose("calls to CSI drivers whose classes name Secrets")
            .inNamespace(Target.NAMESPACES_OF_CLASSES)
            .may(Kind.SECRET, GET)
            .andForPurpose("filling volumes from snapshots")
            .may(Kind.SNAPSHOT, GET, LIST, PATCH)
            .may(Kind.SNAPSHOT_CONTENT, GET);
    if (sources.acrossNamespaces()) {
      rights =
          rights
              .andForPurpose("filling volumes from other namespaces")
              .mayCache(ReferenceGrant.KIND);
    }
    return rights
        .with(snapshots.map(CsiConfig::rightsOf).orElse(RbacRules.NONE))
        .with(capacity.map(CsiConfig::rightsOf).orElse(RbacRules.NONE))
        .mayEmitEvents();
  }

  private static RbacRules rightsOf(CsiConfig.Snapshots snapshots) {
    RbacRules rights =
        RbacRules.forPurpose("creating snapshots with CSI drivers")
            .mayCache(Kind.SNAPSHOT)
            .mayCache(Kind.SNAPSHOT_CLASS)
            .mayCache(Kind.SNAPSHOT_CONTENT)
            .may(Kind.SNAPSHOT_CONTENT, PATCH)
            .mayStatus(Kind.SNAPSHOT_CONTENT, PATCH);
    return snapshots.groups().isEmpty()
        ? rights
        : rights
            .andForPurpose("creating group snapshots with CSI drivers")
            .mayCache(Kind.GROUP_SNAPSHOT_CLASS)
            .mayCache(Kind.GROUP_SNAPSHOT_CONTENT)
            .may(Kind.GROUP_SNAPSHOT, GET)
            .may(Kind.GROUP_SNAPSHOT_CONTENT, GET, PATCH)
            .mayStatus(Kind.GROUP_SNAPSHOT_CONTENT, PATCH);
  }

  private static RbacRules rightsOf(CsiConfig.Capacity capacity) {
    RbacRules rights =
        RbacRules.forPurpose("publishing the capacity of CSI drivers")
            .inNamespace(capacity.namespace())
            .may(Kind.STORAGE_CAPACITY, LIST, CREATE, PATCH, DELETE);
    int level = capacity.owner().level();
    if (level >= 0) {
      rights = rights.may(Kind.STORAGE_CAPACITY, GET).may(Kind.POD, GET);
    }
    if (level >= 2) {
      rights = rights.may(new Target("apps", "replicasets", capacity.namespace(), ""), GET);
    }
    return rights;
  }

  public static final CsiConfig DEFAULTS =
      new CsiConfig(
          Calls.DEFAULTS,
          Listing.DEFAULTS,
          DriverOptions.DEFAULTS,
          Optional.empty(),
          DataSources.DEFAULTS,
          Optional.empty(),
          Optional.empty());
}
