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
  private final BenchRound.RoundEnvironment environment;
  private final ServerMetrics server;
  private final Optional<LongSupplier> bytes;
  private final boolean isCountable;

  /**
   * Creates the counter.
   *
   * @param bytes total of bytes on the network so far; empty if they cannot be counted
   */
  ServerCostRound(
      BenchRound.RoundEnvironment environment, ServerMetrics server, Optional<LongSupplier> bytes) {
    this.environment = environment;
    this.server = server;
    this.bytes = bytes;
    this.isCountable = canCount(server);
  }

  private static boolean canCount(ServerMetrics server) {
    try {
      return RequestCount.of(server.read()).total()
          > 0; // our own informers have already sent list requests
    } catch (IOException e) {
      System.err.println("mooring: bench: cannot count requests: " + e.getMessage());
      return false;
    }
  }

  ServerCost measure(BenchRound.RoundTask task, BenchContender contender)
      throws InterruptedException {
    if (!isCountable) {
      return ServerCost.UNKNOWN;
    }
    RequestMeter meter =
        new RequestMeter(
            server, environment.cluster(), bytes, contender instanceof BenchContender.BareClient);
    try {
      RoundResult result = new BenchRound(environment, task, meter).run(contender);
      return result.done() == 0 ? ServerCost.UNKNOWN : meter.cost(result.done());
    } catch (IOException | IllegalStateException e) {
      // keep the results of the measured rounds
      System.err.println(
          "mooring: bench: %s: cannot count the requests of %s : %s"
              .formatted(task.title(), contender.title(), e.getMessage()));
      return ServerCost.UNKNOWN;
    }
  }
}
