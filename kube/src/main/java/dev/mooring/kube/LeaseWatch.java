package dev.mooring.kube;

import dev.mooring.model.Lease;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Watch of the Lease by a standby. The standby then leads as soon as the leader releases the Lease,
 * and knows to the moment when an abandoned Lease expires.
 */
@FunctionalInterface
public interface LeaseWatch {
  /** Sees no change; the standby only polls. */
  LeaseWatch NONE = (lease, limit, changed) -> false;

  /**
   * Waits until the Lease has no holder or is deleted.
   *
   * @param lease state of the Lease that this process read last
   * @param limit maximum time; an implementation that cannot watch may return earlier
   * @param changed receives each later state that has a holder, on the calling thread
   * @return whether the Lease was released
   */
  boolean awaitRelease(Lease lease, Duration limit, Consumer<Lease> changed)
      throws InterruptedException;
}
