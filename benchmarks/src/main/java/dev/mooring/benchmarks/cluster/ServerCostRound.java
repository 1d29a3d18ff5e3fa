package dev.mooring.benchmarks.cluster;

import dev.mooring.kube.ServerMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Counts the requests and bytes of a contender in a separate round, because counting slows down the
 * measured processes.
 */
final class ServerCostRound {
  private final BenchRound.RoundEnvironment place;
  private final ServerMetrics server;
  private final Optional<LongSupplier> bytes;
  private final boolean countable;

  /**
   * Creates the counter.
   *
   * @param bytes total of bytes on the network so far; empty if they cannot be counted
   */
  ServerCostRound(
      BenchRound.RoundEnvironment place, ServerMetrics server, Optional<LongSupplier> bytes) {
    this.place = place;
    this.server = server;
    this.bytes = bytes;
    this.countable = canCount(server);
  }

  private static boolean canCount(ServerMetrics server) {
    try {
      return RequestCount.of(server.read()).total()
          > 0; // our own informers have already sent list requests
    } catch (IOException refused) {
      System.err.println("mooring: bench: cannot count requests: " + refused.getMessage());
      return false;
    }
  }

  ServerCost measure(BenchRound.RoundTask task, BenchContender contender)
      throws InterruptedException {
    if (!countable) {
      return ServerCost.UNKNOWN;
    }
    RequestMeter meter =
        new RequestMeter(
            server, place.cluster(), bytes, contender instanceof BenchContender.BareClient);
    try {
      RoundResult result = new BenchRound(place, task, meter).run(contender);
      return result.done() == 0 ? ServerCost.UNKNOWN : meter.cost(result.done());
    } catch (IOException | IllegalStateException failed) {
      // keep the results of the measured rounds
      System.err.println(
          "mooring: bench: %s: cannot count the requests of %s : %s"
              .formatted(task.title(), contender.title(), failed.getMessage()));
      return ServerCost.UNKNOWN;
    }
  }
}
