package dev.mooring.manager.uninstall;

import dev.mooring.cluster.LiveReader;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Whether a leader is alive, as other replicas find it out. */
final class Leadership {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final int USUAL_SECONDS = 15;

  private final LiveReader reader;
  private final Time time;
  private final ObjectKey lease;

  Leadership(LiveReader reader, Time time, ObjectKey lease) {
    this.reader = reader;
    this.time = time;
    this.lease = lease;
  }

  /** The Lease, if there is one. */
  Optional<Lease> lease() throws IOException, InterruptedException {
    return Uninstall.answered(reader.read(Kind.LEASE, lease), "cannot read Lease " + lease);
  }

  /** Who leads, by the times that the Lease has; a clock that is wrong makes that wrong, too. */
  Optional<String> atFirstSight() throws IOException, InterruptedException {
    return lease().filter(this::isFresh).map(Lease::holder);
  }

  /** Whether somebody seems to hold it. */
  boolean isFresh(Lease lease) {
    long until = lease.renewedMicros() / 1000 + 1000L * seconds(lease);
    return isHeld(lease) && until > time.now().toEpochMilli();
  }

  private static boolean isHeld(Lease lease) {
    return !lease.holder().isEmpty();
  }

  /** Other writers may change the metadata of a dead leader's Lease. */
  private static boolean hasBeenRenewed(Lease before, Lease now) {
    Lease unchanged =
        new Lease(
            now.meta(),
            before.holder(),
            before.durationSeconds(),
            before.renewedMicros(),
            before.acquiredMicros(),
            before.transitions());
    return !now.equals(unchanged);
  }

  private static int seconds(Lease lease) {
    return lease.durationSeconds() > 0 ? lease.durationSeconds() : USUAL_SECONDS;
  }

  /**
   * Who leads, without a look at anybody's clock: a Lease that is held and not renewed for as long
   * as it says is nobody's.
   */
  Optional<String> observed() throws IOException, InterruptedException {
    Optional<Lease> first = lease().filter(Leadership::isHeld);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    long end = time.nanos() + Duration.ofSeconds(seconds(first.get())).toNanos();
    while (time.nanos() < end) {
      time.sleep(BETWEEN_LOOKS);
      Optional<Lease> now = lease().filter(Leadership::isHeld);
      if (now.isEmpty()) {
        return Optional.empty();
      }
      if (hasBeenRenewed(first.get(), now.get())) {
        return Optional.of(now.get().holder());
      }
    }
    return Optional.empty();
  }
}
