package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One contender does one work, from nothing to the end, and all is taken away again. */
final class Round {
  /** A look goes through all claims, on the cores that are measured. */
  private static final long LOOK_EVERY_MILLIS = 20;

  private static final long NOBODY_ELSE_MILLIS = 1000;
  private static final long STUCK_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Where it is done.
   *
   * @param cluster what is made and seen there
   * @param kubeconfig the way that processes take
   * @param logs where they say what they do
   */
  record Place(TestCluster cluster, Path kubeconfig, Path logs) {}

  /**
   * What came of it.
   *
   * @param done how many came to their goal; fewer than were asked for if it got stuck
   * @param rate how many came to their goal a second, from the start of the process to the last
   * @param first after how many seconds the first did
   * @param half after how many half of them did
   * @param almostAll after how many 99 of 100 did
   * @param cpuSeconds what the process used of the processor until then
   * @param peakMib the most memory that it ever had
   */
  record Result(
      int done,
      double rate,
      double first,
      double half,
      double almostAll,
      double cpuSeconds,
      double peakMib) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d done, %.0f a second, first after %.2f s, half %.2f s, %.1f s CPU, %.0f MiB",
          done,
          rate,
          first,
          half,
          cpuSeconds,
          peakMib);
    }
  }

  private final Place place;
  private final Work work;
  private final int count;

  Round(Place place, Work work, int count) {
    this.place = place;
    this.work = work;
    this.count = count;
  }

  Result play(Contender contender) throws IOException, InterruptedException {
    Result result;
    try {
      result = prepared(contender);
    } catch (IOException | RuntimeException failed) {
      try {
        place.cluster().cleanUp();
      } catch (RuntimeException left) {
        failed.addSuppressed(left); // the first is why
      }
      throw failed;
    }
    place.cluster().cleanUp();
    return result;
  }

  private Result prepared(Contender contender) throws IOException, InterruptedException {
    work.prepare(place.cluster(), count);
    Thread.sleep(NOBODY_ELSE_MILLIS);
    Set<String> early = work.done(place.cluster());
    if (!early.isEmpty()) {
      throw new IllegalStateException(
          "somebody else does this work here ("
              + early.iterator().next()
              + " is done): stop the other controllers of volumes first");
    }
    return measured(contender);
  }

  private Result measured(Contender contender) throws IOException, InterruptedException {
    long began = System.nanoTime();
    return switch (contender) {
      case Contender.Mooring mooring -> {
        try (var process = mooring.start(place.kubeconfig(), work, log(contender))) {
          yield watched(process, began);
        }
      }
      case Contender.Peer peer -> {
        try (var process = peer.start(place.kubeconfig(), log(contender))) {
          yield watched(process, began);
        }
      }
      case Contender.Bare _ -> {
        Thread writing = Thread.ofVirtual().start(this::bare);
        double[] times = await(began, () -> {});
        writing.join();
        yield result(times, new ProcessFigures(0, 0, 0));
      }
    };
  }

  private Path log(Contender contender) {
    return place.logs().resolve("cluster-" + contender.title() + ".log");
  }

  private void bare() {
    try {
      work.bare(place.cluster(), count);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Result watched(Contender.Running process, long began)
      throws IOException, InterruptedException {
    double[] times = await(began, process::mustLive);
    return result(times, process.figures());
  }

  private Result result(double[] times, ProcessFigures used) {
    int done = times.length;
    return new Result(
        done,
        done / times[done - 1],
        times[0],
        times[(done - 1) / 2],
        times[(int) Math.ceil(done * 0.99) - 1],
        used.cpuSeconds(),
        used.peakMib());
  }

  /** Something that has to be so meanwhile. */
  @FunctionalInterface
  private interface Condition {
    void check() throws IOException;
  }

  /** When each came to its goal, in seconds, in that order; without those that never do. */
  private double[] await(long began, Condition condition) throws IOException, InterruptedException {
    double[] times = new double[count];
    Set<String> seen = new HashSet<>();
    long progressed = began;
    while (seen.size() < count) {
      condition.check();
      int before = seen.size();
      seen.addAll(work.done(place.cluster()));
      long now = System.nanoTime();
      for (int i = before; i < Math.min(count, seen.size()); i++) {
        times[i] = (now - began) / 1e9;
      }
      if (seen.size() > before) {
        progressed = now;
      } else if (now - progressed > STUCK_AFTER_NANOS) {
        if (seen.isEmpty()) {
          throw new IllegalStateException(work.title() + ": nothing was done within a minute");
        }
        return Arrays.copyOf(times, seen.size());
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    return times;
  }
}
