package dev.mooring.kube;

import dev.mooring.model.Lease;
import java.time.Duration;

/** Watch of the Lease by a standby, so that it leads as soon as the leader releases the Lease. */
@FunctionalInterface
public interface ReleaseWatch {
  /** Sees no release; the standby only polls. */
  ReleaseWatch NONE = (lease, limit) -> false;

  /**
   * Waits until the Lease has no holder or is deleted.
   *
   * @param lease state of the Lease that this process read last
   * @param limit maximum time; an implementation that cannot watch may return earlier
   * @return whether the Lease was released
   */
  boolean awaitRelease(Lease lease, Duration limit) throws InterruptedException;
}
