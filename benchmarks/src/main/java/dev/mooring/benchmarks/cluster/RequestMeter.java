package dev.mooring.benchmarks.cluster;

import dev.mooring.kube.ServerMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Counts requests and bytes from the start of a contender until it is idle. The server counts the
 * requests of all clients; the meter subtracts those that this process has sent.
 */
final class RequestMeter implements BenchRound.MeasuredWindow {
  private static final long POLL_MILLIS = 1000;
  private static final int MAX_POLLS = 15;

  private record MeterReading(RequestCount server, RequestCount others, long bytes) {}

  private final ServerMetrics server;
  private final TestCluster cluster;
  private final Optional<LongSupplier> bytes;
  private final boolean byHand;
  private MeterReading before = new MeterReading(RequestCount.NONE, RequestCount.NONE, 0);
  private MeterReading after = before;

  /**
   * Creates the meter of one round.
   *
   * @param bytes total of bytes through the proxy so far
   * @param byHand whether the contender is this process
   */
  RequestMeter(
      ServerMetrics server, TestCluster cluster, Optional<LongSupplier> bytes, boolean byHand) {
    this.server = server;
    this.cluster = cluster;
    this.bytes = bytes;
    this.byHand = byHand;
  }

  private MeterReading read() throws IOException {
    return new MeterReading(
        RequestCount.of(server.read()),
        byHand ? cluster.requestCountForOthers() : cluster.requestCount(),
        bytes.map(LongSupplier::getAsLong).orElse(0L));
  }

  @Override
  public void begin() throws IOException {
    before = read();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    after = read();
    for (int poll = 0; poll < MAX_POLLS; poll++) {
      Thread.sleep(POLL_MILLIS);
      MeterReading now = read();
      boolean idle = now.server().equals(after.server());
      after = now;
      if (idle) {
        return;
      }
    }
    System.err.println(
        "mooring: bench: requests do not stop after the round; later ones are not counted");
  }

  ServerCost cost(int units) {
    RequestCount own =
        after.server().minus(before.server()).minus(after.others().minus(before.others()));
    if (own.total() < 0 || own.conflicts() < 0) {
      return ServerCost.UNKNOWN; // the answers came from two different servers
    }
    return new ServerCost(
        (double) own.total() / units,
        byHand || bytes.isEmpty() ? Double.NaN : (after.bytes() - before.bytes()) / 1024.0 / units,
        own.conflicts());
  }
}
