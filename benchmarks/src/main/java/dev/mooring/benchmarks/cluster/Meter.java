package dev.mooring.benchmarks.cluster;

import dev.mooring.kube.ServerMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What goes to a server and comes from it while a contender works, and until it is at rest. The
 * server counts requests, of whomever; what this process has sent for others is taken off.
 */
final class Meter implements Round.Window {
  private static final long LOOK_EVERY_MILLIS = 1000;
  private static final int LOOKS = 15;

  /** What was counted by some moment. */
  private record Reading(RequestCount server, RequestCount others, long bytes) {}

  private final ServerMetrics server;
  private final TestCluster cluster;
  private final Optional<LongSupplier> bytes;
  private final boolean byHand;
  private Reading before = new Reading(RequestCount.NONE, RequestCount.NONE, 0);
  private Reading after = before;

  /**
   * Of one round.
   *
   * @param bytes how many bytes have gone to and fro on the way of processes so far
   * @param byHand whether the contender is this process
   */
  Meter(ServerMetrics server, TestCluster cluster, Optional<LongSupplier> bytes, boolean byHand) {
    this.server = server;
    this.cluster = cluster;
    this.bytes = bytes;
    this.byHand = byHand;
  }

  private Reading read() throws IOException {
    return new Reading(
        RequestCount.of(server.read()),
        byHand ? cluster.sentForOthers() : cluster.sent(),
        bytes.map(LongSupplier::getAsLong).orElse(0L));
  }

  @Override
  public void begin() throws IOException {
    before = read();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    after = read();
    for (int look = 0; look < LOOKS; look++) {
      Thread.sleep(LOOK_EVERY_MILLIS);
      Reading now = read();
      boolean rests = now.server().equals(after.server());
      after = now;
      if (rests) {
        return;
      }
    }
    System.err.println("mooring: bench: requests go on, and are counted until now only");
  }

  Cost cost(int units) {
    RequestCount own =
        after.server().minus(before.server()).minus(after.others().minus(before.others()));
    if (own.all() < 0 || own.conflicts() < 0) {
      return Cost.UNKNOWN; // another server has told of itself in between
    }
    return new Cost(
        (double) own.all() / units,
        byHand || bytes.isEmpty() ? Double.NaN : (after.bytes() - before.bytes()) / 1024.0 / units,
        own.conflicts());
  }
}
