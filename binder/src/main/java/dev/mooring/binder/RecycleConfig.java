package dev.mooring.binder;

import dev.mooring.binder.execute.Scrubber;

/**
 * How volumes are scrubbed.
 *
 * @param hostPath of hostPath volumes
 * @param nfs of NFS volumes
 */
public record RecycleConfig(Scrubber.Recipe hostPath, Scrubber.Recipe nfs) {
  /** Kubernetes' timeouts and pod. */
  public static final RecycleConfig DEFAULTS =
      new RecycleConfig(
          new Scrubber.Recipe(60, 30, Scrubber.DEFAULT_TEMPLATE),
          new Scrubber.Recipe(300, 30, Scrubber.DEFAULT_TEMPLATE));
}
