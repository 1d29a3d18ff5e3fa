package dev.mooring.binder;

import dev.mooring.binder.decide.Policy;
import java.time.Duration;

/**
 * How the binder runs.
 *
 * @param resync how often everything is looked at again, whether anything has changed or not;
 *     positive
 * @param workers how many claims, and how many volumes, are worked on at once; at least 1
 * @param policy how it decides
 * @param recycle how volumes are recycled
 * @param breaker how much may be destroyed before everything is held back
 * @param tellsClaims whether claims say in a condition for what they wait; never with a policy that
 *     is Kubernetes'
 */
public record BinderConfig(
    Duration resync,
    int workers,
    Policy policy,
    RecycleConfig recycle,
    DeletionLimit breaker,
    boolean tellsClaims) {
  /** Kubernetes' period; enough workers to keep a server at 10 ms busy. */
  public static final BinderConfig DEFAULTS =
      new BinderConfig(
          Duration.ofSeconds(15),
          64,
          Policy.DEFAULTS,
          RecycleConfig.DEFAULTS,
          DeletionLimit.DEFAULT);

  /** Checked. */
  public BinderConfig {
    tellsClaims = tellsClaims && !policy.compat().isKubernetes();
    if (!resync.isPositive()) {
      throw new IllegalArgumentException(
          "--pvclaimbinder-sync-period must be positive, was "
              + resync.toSeconds()
              + "s: leave it out for 15s");
    }
    if (workers < 1) {
      throw new IllegalArgumentException(
          "--concurrent-binder-syncs must be at least 1, was " + workers);
    }
  }

  /** Claims say nothing. */
  public BinderConfig(
      Duration resync, int workers, Policy policy, RecycleConfig recycle, DeletionLimit breaker) {
    this(resync, workers, policy, recycle, breaker, false);
  }
}
