package dev.mooring.kube;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.time.Time;

/** Observes the holder of a Lease without taking part in the election. Not thread-safe. */
public final class LeaseObserver {
  private final LeaderElection.Config config;
  private final LiveReader reader;
  private final ObservedLease observedLease;

  public LeaseObserver(LeaderElection.Config config, LiveReader reader, Time time) {
    this.config = config;
    this.reader = reader;
    this.observedLease = new ObservedLease(config.leaseDuration(), time);
  }

  public LeaderElection.Config config() {
    return config;
  }

  /**
   * Returns the identity of the holder; "" if another process may acquire the Lease. A Lease that
   * cannot be read counts as unchanged.
   */
  public String readHolder() throws InterruptedException {
    switch (reader.read(Kind.LEASE, config.lease())) {
      case ReadResult.Failed<Lease> _ -> {}
      case ReadResult.Absent<Lease> _ -> observedLease.forget();
      case ReadResult.Found<Lease>(Lease lease) -> observedLease.observe(lease);
    }
    Lease lease = observedLease.lease();
    return lease == null || !observedLease.findTimeToExpiry().isPositive() ? "" : lease.holder();
  }
}
