package dev.mooring.binder;

import dev.mooring.binder.decide.BinderPolicy;
import java.time.Duration;

/**
 * Configuration of the binder.
 *
 * @param resync period after which all objects are synced again; positive
 * @param workers number of claims, and of volumes, that are processed concurrently; at least 1
 * @param breaker limit of destroyed volumes that stops all deletions
 * @param tellsClaims whether to write the condition {@code mooring.dev/Waiting}; ignored with
 *     Kubernetes' policy
 */
public record BinderConfig(
    Duration resync,
    int workers,
    BinderPolicy policy,
    RecycleConfig recycle,
    DeletionLimit breaker,
    boolean tellsClaims) {
  /** Kubernetes' period; enough workers to saturate an API server with 10 ms latency. */
  public static final BinderConfig DEFAULTS =
      new BinderConfig(
          Duration.ofSeconds(15),
          64,
          BinderPolicy.DEFAULTS,
          RecycleConfig.DEFAULTS,
          DeletionLimit.DEFAULT);

  public BinderConfig {
    tellsClaims = tellsClaims && !policy.compat().isKubernetes();
    if (!resync.isPositive()) {
      throw new IllegalArgumentException(
          "--pvclaimbinder-sync-period must be positive, was "
              + resync.toSeconds()
              + "s: the default is 15s");
    }
    if (workers < 1) {
      throw new IllegalArgumentException(
          "--concurrent-binder-syncs must be at least 1, was " + workers);
    }
  }

  public BinderConfig(
      Duration resync,
      int workers,
      BinderPolicy policy,
      RecycleConfig recycle,
      DeletionLimit breaker) {
    this(resync, workers, policy, recycle, breaker, false);
  }
}
