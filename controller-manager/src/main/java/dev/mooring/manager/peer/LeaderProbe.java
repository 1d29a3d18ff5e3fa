package dev.mooring.manager.peer;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Detects an active leader, by the rules that standby replicas apply. */
public final class LeaderProbe {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final int DEFAULT_SECONDS = 15;

  private final LiveReader reader;
  private final Time time;
  private final ObjectKey lease;

  public LeaderProbe(LiveReader reader, Time time, ObjectKey lease) {
    this.reader = reader;
    this.time = time;
    this.lease = lease;
  }

  public Optional<Lease> lease() throws IOException, InterruptedException {
    ReadResult<Lease> read = reader.read(Kind.LEASE, lease);
    if (read instanceof ReadResult.Failed<Lease>(String message)) {
      throw new IOException("cannot read Lease " + lease + ": " + message);
    }
    return read.toOptional();
  }

  /**
   * Returns the leader by the timestamps of the Lease. Wrong if the clocks of the machines differ.
   */
  public Optional<String> leaderByTimestamps() throws IOException, InterruptedException {
    return lease().filter(this::isFresh).map(Lease::holder);
  }

  public boolean isFresh(Lease lease) {
    long expiry = lease.renewedMicros() / 1000 + 1000L * durationSeconds(lease);
    return isHeld(lease) && expiry > time.now().toEpochMilli();
  }

  private static boolean isHeld(Lease lease) {
    return !lease.holder().isEmpty();
  }

  // Ignores changes of metadata, which other writers may cause after the leader's death.
  private static boolean hasBeenRenewed(Lease old, Lease current) {
    Lease unchanged =
        new Lease(
            current.meta(),
            old.holder(),
            old.durationSeconds(),
            old.renewedMicros(),
            old.acquiredMicros(),
            old.transitions());
    return !current.equals(unchanged);
  }

  private static int durationSeconds(Lease lease) {
    return lease.durationSeconds() > 0 ? lease.durationSeconds() : DEFAULT_SECONDS;
  }

  /**
   * Returns the leader without comparing clocks: a Lease has no leader if it is not renewed for its
   * duration, measured here.
   */
  public Optional<String> leaderByRenewal() throws IOException, InterruptedException {
    Optional<Lease> first = lease().filter(LeaderProbe::isHeld);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    long deadline = time.nanos() + Duration.ofSeconds(durationSeconds(first.get())).toNanos();
    while (time.nanos() < deadline) {
      time.sleep(POLL_INTERVAL);
      Optional<Lease> current = lease().filter(LeaderProbe::isHeld);
      if (current.isEmpty()) {
        return Optional.empty();
      }
      if (hasBeenRenewed(first.get(), current.get())) {
        return Optional.of(current.get().holder());
      }
    }
    return Optional.empty();
  }
}
