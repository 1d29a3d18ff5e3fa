package dev.mooring.csi;

import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.Optional;

/**
 * How the bridge goes about a driver.
 *
 * @param timeout how long a call may take
 * @param workers how many claims, volumes or attachments at once, for each driver
 * @param firstRetry how long what failed waits at first
 * @param lastRetry how long at most
 * @param listing how the driver's volumes are listed
 * @param options what drivers are asked
 * @param capacity how capacity is published; empty for not at all
 * @param sources how what volumes are filled from is held
 * @param node this instance's node, where each node has an instance of its own
 * @param snapshots how snapshots are made; empty if somebody else makes them
 */
public record CsiConfig(
    Duration timeout,
    int workers,
    Duration firstRetry,
    Duration lastRetry,
    Listing listing,
    DriverOptions options,
    Optional<Capacity> capacity,
    Sources sources,
    Optional<NodeDeployment> node,
    Optional<Snapshots> snapshots) {
  /**
   * How snapshots are made.
   *
   * @param names how they are called
   * @param groups how groups of them are called; empty if somebody else makes those
   */
  public record Snapshots(DriverNames names, Optional<DriverNames> groups) {}

  /**
   * How a driver's volumes are listed.
   *
   * @param period how often what it says to be published is compared with what we know
   * @param maxEntries how many of them in one answer at most; 0 for as many as it likes
   * @param healthPeriod how often their condition is asked for
   * @param nodesToo whether claims are told of nodes that are down
   */
  public record Listing(Duration period, int maxEntries, Duration healthPeriod, boolean nodesToo) {
    /** The sidecars' defaults. */
    public static final Listing DEFAULTS =
        new Listing(Duration.ofMinutes(1), 0, Duration.ofMinutes(5), false);

    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
    public Listing {
      Flags.check(period.isPositive(), "--csi-reconcile-sync must be more than 0, was " + period);
      Flags.check(
          healthPeriod.isPositive(),
          "--csi-list-volumes-interval must be more than 0, was " + healthPeriod);
      Flags.check(maxEntries >= 0, "--csi-max-entries must not be negative, was " + maxEntries);
    }
  }

  /**
   * How capacity is published.
   *
   * @param namespace where the CSIStorageCapacity objects are
   * @param period how often drivers are asked
   * @param immediateToo whether for classes too that do not wait for a first consumer
   * @param owner whose the objects are
   */
  public record Capacity(
      String namespace, Duration period, boolean immediateToo, CapacityOwner owner) {
    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
    public Capacity {
      Flags.check(
          !namespace.isEmpty(),
          "--enable-capacity needs a namespace for its objects: name it by --capacity-namespace, or by the environment variable NAMESPACE");
      Flags.check(
          period.isPositive(), "--capacity-poll-interval must be more than 0, was " + period);
    }
  }

  /**
   * Whose the capacity objects are: they go with it.
   *
   * @param pod the name of this process's pod, "" if it is not known
   * @param level 0 for the pod, 1 for its controller, 2 for that one's, and so on; -1 for no owner
   */
  public record CapacityOwner(String pod, int level) {
    /** Nobody's. */
    public static final CapacityOwner NONE = new CapacityOwner("", -1);

    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
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
   * Checked.
   *
   * @throws IllegalArgumentException naming the value that cannot be
   */
  public CsiConfig {
    Flags.check(workers >= 1, "--csi-workers must be at least 1, was " + workers);
    Flags.check(timeout.isPositive(), "--csi-timeout must be more than 0, was " + timeout);
    Flags.check(
        firstRetry.isPositive() && lastRetry.compareTo(firstRetry) >= 0,
        "--csi-retry-interval-start must be more than 0 and not above --csi-retry-interval-max, was "
            + firstRetry
            + " and "
            + lastRetry);
  }

  /**
   * How what volumes are filled from is held.
   *
   * @param sweepPeriod how often snapshots are looked through for those that nothing is filled from
   *     any more; 0 for never
   * @param acrossNamespaces whether claims may be filled from what is in other namespaces, where a
   *     ReferenceGrant there allows it
   */
  public record Sources(Duration sweepPeriod, boolean acrossNamespaces) {
    /** The sidecars' defaults. */
    public static final Sources DEFAULTS = new Sources(Duration.ofMinutes(5), false);

    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
    public Sources {
      Flags.check(
          !sweepPeriod.isNegative(),
          "--snapshot-orphan-sweep-interval must not be negative, was " + sweepPeriod);
    }
  }

  /**
   * One instance of those that each node has: it sees to what is on its node, and to nothing else.
   *
   * @param node the node's name
   * @param immediateToo whether it makes volumes too that nobody selected a node for
   * @param baseDelay how long it waits before it takes such a claim; doubled every time
   * @param maxDelay how long at most
   */
  public record NodeDeployment(
      String node, boolean immediateToo, Duration baseDelay, Duration maxDelay) {
    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
    public NodeDeployment {
      Flags.check(
          !node.isEmpty(),
          "--node-deployment needs the name of this process's node in the environment variable NODE_NAME");
      Flags.check(
          !baseDelay.isNegative() && maxDelay.compareTo(baseDelay) >= 0,
          "--node-deployment-base-delay must not be negative, and not above --node-deployment-max-delay, was "
              + baseDelay
              + " and "
              + maxDelay);
    }
  }

  /** In a class of its own: whoever is checked is not to wait for {@link CsiConfig#DEFAULTS}. */
  private static final class Flags {
    private Flags() {}

    static void check(boolean holds, String message) {
      if (!holds) {
        throw new IllegalArgumentException(message);
      }
    }
  }

  /** The node that alone matters, where each has an instance of its own. */
  public Optional<String> onlyNode() {
    return node.map(NodeDeployment::node);
  }

  /** The sidecars' defaults. */
  public static final CsiConfig DEFAULTS =
      new CsiConfig(
          Duration.ofSeconds(15),
          100,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Listing.DEFAULTS,
          DriverOptions.DEFAULTS,
          Optional.empty(),
          Sources.DEFAULTS,
          Optional.empty(),
          Optional.empty());
}
