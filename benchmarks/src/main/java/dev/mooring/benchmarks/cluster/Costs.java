package dev.mooring.benchmarks.cluster;

import dev.mooring.kube.ServerMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What work costs a server, found out in rounds of their own: who counts is in the way of what is
 * measured.
 */
final class Costs {
  private final Round.Place place;
  private final ServerMetrics server;
  private final Optional<LongSupplier> bytes;
  private final boolean told;

  /**
   * At that place.
   *
   * @param bytes how many bytes have gone the way of that place so far; empty if nobody knows
   */
  Costs(Round.Place place, ServerMetrics server, Optional<LongSupplier> bytes) {
    this.place = place;
    this.server = server;
    this.bytes = bytes;
    this.told = tells(server);
  }

  private static boolean tells(ServerMetrics server) {
    try {
      return RequestCount.of(server.read()).all() > 0; // our watches have begun with lists
    } catch (IOException refused) {
      System.err.println("mooring: bench: requests are not counted: " + refused.getMessage());
      return false;
    }
  }

  /** That of a contender for a task. */
  Cost of(Round.Task task, Contender contender) throws InterruptedException {
    if (!told) {
      return Cost.UNKNOWN;
    }
    Meter meter = new Meter(server, place.cluster(), bytes, contender instanceof Contender.Bare);
    try {
      Result result = new Round(place, task, meter).play(contender);
      return result.done() == 0 ? Cost.UNKNOWN : meter.cost(result.done());
    } catch (IOException | IllegalStateException failed) {
      // what was measured is not lost with it
      System.err.println(
          "mooring: bench: "
              + task.title()
              + ": the costs of "
              + contender.title()
              + " are not known: "
              + failed.getMessage());
      return Cost.UNKNOWN;
    }
  }
}
