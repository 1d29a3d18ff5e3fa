package dev.mooring.binder;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.storage.DeletionDelay;
import java.time.Duration;
import java.util.Map;

/**
 * Configuration of the binder.
 *
 * @param resync period after which all objects are synced again; positive
 * @param workers number of claims, and of volumes, that are processed concurrently; at least 1
 * @param breaker limit of destroyed volumes that stops all deletions
 * @param delay delay of deletions
 * @param writesWaitingConditions whether to write the condition {@code mooring.dev/Waiting};
 *     ignored with Kubernetes' policy
 */
public record BinderConfig(
    Duration resync,
    int workers,
    BinderPolicy policy,
    RecycleConfig recycle,
    DeletionLimit breaker,
    DeletionDelay.Config delay,
    boolean writesWaitingConditions) {
  /** Kubernetes' period; enough workers to saturate an API server with 10 ms latency. */
  public static final BinderConfig DEFAULTS =
      new BinderConfig(
          Duration.ofSeconds(15),
          64,
          BinderPolicy.DEFAULTS,
          RecycleConfig.DEFAULTS,
          DeletionLimit.DEFAULT);

  public BinderConfig {
    writesWaitingConditions = writesWaitingConditions && !policy.compat().isKubernetes();
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
    this(resync, workers, policy, recycle, breaker, DeletionDelay.Config.NONE, false);
  }

  public record RecycleConfig(PodSettings hostPath, PodSettings nfs) {
    /**
     * Recycling of one type of volume.
     *
     * @param minimumSeconds minimum timeout of the pod
     * @param secondsPerGib additional timeout for each GiB of the volume
     * @param template Pod as nested maps, whose first volume is replaced; empty for Kubernetes' pod
     */
    public record PodSettings(
        long minimumSeconds, long secondsPerGib, Map<String, Object> template) {
      public String namespace() {
        return template.get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("namespace") instanceof String text
                && !text.isEmpty()
            ? text
            : "default";
      }
    }

    public static final RecycleConfig DEFAULTS =
        new RecycleConfig(new PodSettings(60, 30, Map.of()), new PodSettings(300, 30, Map.of()));
  }

  /**
   * Limit of destroyed volumes that stops all deletions.
   *
   * @param maximum maximum number within the window; 0 = no limit
   * @param window length of the window; positive
   */
  public record DeletionLimit(int maximum, Duration window) {
    public static final DeletionLimit DEFAULT = new DeletionLimit(1_000, Duration.ofMinutes(10));

    public static final DeletionLimit NONE = new DeletionLimit(0, Duration.ofMinutes(10));

    public DeletionLimit {
      if (maximum < 0) {
        throw new IllegalArgumentException(
            "--deletion-brake-limit must not be negative, was "
                + maximum
                + ": 0 disables the limit");
      }
      if (!window.isPositive()) {
        throw new IllegalArgumentException(
            "--deletion-brake-window must be positive, was " + window.toSeconds() + "s");
      }
    }
  }
}
