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

  private record MeterReading(RequestCount server, RequestCount benchmark, long bytes) {}

  private final ServerMetrics server;
  private final TestCluster cluster;
  private final Optional<LongSupplier> bytes;
  private final boolean isBareClient;
  private MeterReading first = new MeterReading(RequestCount.NONE, RequestCount.NONE, 0);
  private MeterReading last = first;

  /**
   * Creates the meter of one round.
   *
   * @param bytes total of bytes through the proxy so far
   * @param isBareClient whether the contender is this process
   */
  RequestMeter(
      ServerMetrics server,
      TestCluster cluster,
      Optional<LongSupplier> bytes,
      boolean isBareClient) {
    this.server = server;
    this.cluster = cluster;
    this.bytes = bytes;
    this.isBareClient = isBareClient;
  }

  private MeterReading read() throws IOException {
    return new MeterReading(
        RequestCount.of(server.read()),
        isBareClient ? cluster.standInRequestCount() : cluster.requestCount(),
        bytes.map(LongSupplier::getAsLong).orElse(0L));
  }

  @Override
  public void begin() throws IOException {
    first = read();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    last = read();
    for (int poll = 0; poll < MAX_POLLS; poll++) {
      Thread.sleep(POLL_MILLIS);
      MeterReading current = read();
      boolean isIdle = current.server().equals(last.server());
      last = current;
      if (isIdle) {
        return;
      }
    }
    System.err.println(
        "mooring: bench: requests do not stop after the round; later ones are not counted");
  }

  ServerCost cost(int units) {
    RequestCount contenderRequests =
        last.server().minus(first.server()).minus(last.benchmark().minus(first.benchmark()));
    if (contenderRequests.total() < 0 || contenderRequests.conflicts() < 0) {
      return ServerCost.UNKNOWN; // the answers came from two different servers
    }
    return new ServerCost(
        (double) contenderRequests.total() / units,
        isBareClient || bytes.isEmpty()
            ? Double.NaN
            : (last.bytes() - first.bytes()) / 1024.0 / units,
        contenderRequests.conflicts());
  }
}
